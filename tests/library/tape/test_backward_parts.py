"""Gradients that are 0 but at an index are added where they belong, and only there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.tape.tensor import Tensor


def leaf(data: Any) -> Tensor:
    return Tensor(data, requires_grad=True, dtype=float)


@pytest.mark.parametrize("first", ["view", "part"])
def test_a_part_is_not_added_into_a_view_of_what_another_has(first: str) -> None:
    x, w = leaf(np.ones((2, 2))), leaf(np.ones(4))
    a = x * 2.0
    view, part = a.reshape(4) + w, a[:1] * 3.0
    terms = [(view * 1.0).sum(), part.sum()]
    (terms[0] + terms[1] if first == "part" else terms[1] + terms[0]).backward()
    assert w.grad.tolist() == [1.0, 1.0, 1.0, 1.0]
    assert x.grad.tolist() == [[8.0, 8.0], [2.0, 2.0]]


@pytest.mark.parametrize("order", ["C", "F"])
def test_parts_are_added_whatever_the_order_in_memory(order: Any) -> None:
    x = leaf(np.ones((4, 3)))
    a = x * 2.0
    weights = np.array(np.arange(12.0).reshape(4, 3), order=order)
    part = a[[3, 3, 0, 1]] * 10.0
    (part.sum() + (a * weights).sum()).backward()
    assert x.grad.tolist() == [
        [20.0, 22.0, 24.0],
        [26.0, 28.0, 30.0],
        [12.0, 14.0, 16.0],
        [58.0, 60.0, 62.0],
    ]


def test_a_truth_value_is_no_gradient() -> None:
    y = leaf(3.0) * 2.0
    with pytest.raises(TypeError, match="True as the gradient; retain_graph="):
        y.backward(True)
    y.backward(1)
