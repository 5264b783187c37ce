"""The gradients by hand of the network of chapter 05, beside differences."""

from __future__ import annotations

import numpy as np
import pytest

from autograd_lib.book.moons import make_moons
from autograd_lib.book.moons_by_arrays import hinge_by_arrays


def test_gradients_by_hand_are_those_of_differences() -> None:
    rng = np.random.default_rng(0)
    points, classes = make_moons(12, noise=0.1, random_state=0)
    sides = 2 * classes - 1
    layers = [
        (rng.normal(size=(n, m)), rng.normal(size=m)) for n, m in [(2, 3), (3, 1)]
    ]
    loss, found = hinge_by_arrays(layers, points, sides)
    assert loss > 0
    for arrays, grads in zip(layers, found, strict=True):
        for array, grad in zip(arrays, grads, strict=True):
            assert grad.shape == array.shape and np.any(grad)
            for place in np.ndindex(array.shape):
                ends = []
                for h in (1e-6, -2e-6):
                    array[place] += h
                    ends.append(hinge_by_arrays(layers, points, sides)[0])
                array[place] += 1e-6
                slope = (ends[0] - ends[1]) / 2e-6
                assert grad[place] == pytest.approx(slope, abs=1e-6)
