"""The layer in one operation, where cases cannot show it."""

from __future__ import annotations

import numpy as np
import pytest

from autograd_lib.engine.ops.linear import linear
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.operations.case import normal


def test_it_is_a_product_and_a_sum() -> None:
    x, w, b = normal(5, 4), normal(4, 3), normal(3)
    np.testing.assert_array_equal(linear(x, w, b).data, x @ w + b)
    assert Tensor(x).linear(w, b).shape == (5, 3)


def test_a_bias_of_more_digits_decides_the_type() -> None:
    x, w = (Tensor(normal(n, n), dtype=np.float32) for n in (2, 2))
    assert linear(x, w, normal(2)).dtype == np.float64
    assert linear(x, w, normal(2).astype(np.float32)).dtype == np.float32
    assert linear(np.ones((1, 2), int), np.ones((2, 2), int), normal(2)).dtype == float


@pytest.mark.parametrize(
    ("x", "w", "b"),
    [
        ((5, 4), (3, 4), (3,)),
        ((5, 4), (4, 3), (4,)),
        ((5, 4), (4,), ()),
        ((), (1, 1), (1,)),
    ],
)
def test_shapes_that_do_not_fit_are_named(
    x: tuple[int, ...], w: tuple[int, ...], b: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match="linear: x of shape") as caught:
        linear(np.ones(x), np.ones(w), np.ones(b))
    assert all(str(shape) in str(caught.value) for shape in (x, w, b))
