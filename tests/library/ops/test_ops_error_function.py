"""The error function against Python's, which is exact to a rounding."""

from __future__ import annotations

import math

import numpy as np
import pytest

from autograd_lib.engine.ops.error_function import ONE, SMALL, erf, error_function
from autograd_lib.engine.tape.tensor import Tensor

BORDERS = [
    side
    for border in (0.0, SMALL, 4.0, ONE, -SMALL, -4.0, -ONE)
    for side in (border, np.nextafter(border, -np.inf), np.nextafter(border, np.inf))
]
POINTS = np.concatenate(
    [np.linspace(-7.0, 7.0, 20_001), np.geomspace(1e-300, 1.0, 1_001), BORDERS]
)


def test_in_float64_it_errs_by_less_than_it_says() -> None:
    right = np.array([math.erf(x) for x in POINTS])
    got = error_function(POINTS)
    assert np.abs(got - right).max() < 3e-16
    np.testing.assert_allclose(got, right, rtol=5e-16, atol=0)  # small ones too


def test_in_float32_it_errs_by_less_than_it_says() -> None:
    points = POINTS.astype(np.float32)
    got = error_function(points)
    assert got.dtype == np.float32
    assert np.abs(got - [math.erf(x) for x in points]).max() < 3e-7


def test_it_is_odd_to_the_sign_of_0() -> None:
    np.testing.assert_array_equal(error_function(-POINTS), -error_function(POINTS))
    assert math.copysign(1.0, erf(-0.0).item()) == -1.0


def test_a_complex_step_sees_its_slope() -> None:
    points = np.linspace(-7.0, 7.0, 1001)
    slopes = error_function(points + 1e-30j).imag / 1e-30
    right = 2 / math.sqrt(math.pi) * np.exp(-points * points)
    np.testing.assert_allclose(slopes, right, atol=1e-15)


def test_it_does_not_hold_far_from_the_real_axis() -> None:
    with pytest.raises(
        ValueError, match=r"erf: holds near the real axis only.*a\.real"
    ):
        erf(Tensor([1.0 + 0.1j]))
