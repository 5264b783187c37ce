"""Gradients of chosen elements, of few and of many (chapter 09)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib.engine import Tensor
from autograd_lib.engine.ops.indexing import MANY

RNG = np.random.default_rng(0)
BELOW = {n: RNG.integers(-n, n, 300) for n in (3, 4, 5, 7, 400)}
INDICES: dict[str, tuple[tuple[int, ...], Any]] = {
    "elements of a vector": ((400,), BELOW[400]),
    "a matrix of elements": ((400,), BELOW[400].reshape(20, 15)),
    "rows": ((400, 3), BELOW[400]),
    "rows, each often": ((4, 3), BELOW[4]),
    "a matrix of rows": ((400, 2, 3), BELOW[400].reshape(20, 15)),
    "unsigned numbers": ((400, 3), BELOW[400].astype(np.uint8)),
    "pairs": ((400, 7), (BELOW[400], BELOW[7])),
    "pairs of first axes": ((400, 7, 3), (BELOW[400], BELOW[7])),
    "a grid": ((400, 7), (BELOW[400][:, None], BELOW[7][:5])),
    "columns": ((5, 400), (slice(None), BELOW[400])),
    "columns, few of many": ((5, 40_000), (slice(None), BELOW[400])),
    "arrays apart": ((5, 3, 7), (BELOW[5], slice(1, 3), BELOW[7])),
    "a new axis before": ((400, 3), (None, BELOW[400])),
    "an ellipsis before": ((5, 3, 7), (..., BELOW[7])),
    "an ellipsis after": ((400, 3), (BELOW[400], ...)),
    "a number beside an array": ((400, 7), (BELOW[400], 2)),
    "a mask beside an array": ((2, 3, 7), (np.ones((2, 3), bool), BELOW[7][:6])),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", INDICES)
def test_an_element_gets_the_sum_of_its_copies(name: str, dtype: Any) -> None:
    shape, index = INDICES[name]
    x = Tensor(np.zeros(shape, dtype), requires_grad=True)
    y = x[index]
    assert y.size >= MANY or "mask" in name
    g = RNG.integers(-8, 9, y.shape).astype(dtype)  # sums of integers are exact
    right = np.zeros(shape, dtype)
    np.add.at(right, index, g)
    y.backward(g)
    np.testing.assert_array_equal(x.grad.data, right)
    assert x.grad.dtype == dtype


@pytest.mark.parametrize("index", [slice(1, 3), (..., 0), (1, slice(0, 4, 2)), (2, 1)])
def test_parts_are_added_to_what_is_there(index: Any) -> None:
    x = Tensor(np.ones((4, 5)), requires_grad=True)
    (x * 2.0).sum().backward()
    (x.sum() + x[index].sum() * 3.0 + x[index].sum()).backward()
    right = np.full((4, 5), 3.0)
    right[index] += 4.0
    np.testing.assert_array_equal(x.grad.data, right)
