"""What a pass counts: outputs given twice, nodes in cycles, gradients of None."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.function import Function
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor


def test_an_output_that_is_given_twice_counts_twice() -> None:
    x = Tensor(3.0, requires_grad=True)
    y = x * x
    z = y * 2.0
    (slope,) = grad([z, y, y], x)
    assert slope is not None
    assert slope.item() == 12.0 + 6.0 + 6.0


def test_a_node_that_was_made_from_itself_is_an_error() -> None:
    x = Tensor(3.0, requires_grad=True)
    y = x * 2.0
    assert y.node is not None
    assert y.node.edges is not None
    ((_, rule, saved),) = y.node.edges
    y.node.edges = ((y.node, rule, saved),)
    with pytest.raises(RuntimeError, match="cycle"):
        y.backward()


@pytest.mark.parametrize("before", [1, 2, 5])
def test_a_cycle_behind_other_nodes_is_an_error(before: int) -> None:
    x = Tensor(3.0, requires_grad=True)
    a = x * 2.0
    b = a * 3.0
    y = b
    for _ in range(before):
        y = y * 1.0
    assert a.node is not None
    assert a.node.edges is not None
    ((leaf, rule, saved),) = a.node.edges
    a.node.edges = ((leaf, rule, saved), (b.node, rule, saved))
    with pytest.raises(RuntimeError, match="cycle"):
        y.backward()
    assert x.grad is None


def test_none_toward_a_result_in_the_middle_is_handed_on() -> None:
    class OnlyFirst(Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            return x + y

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g, None

    x, y = (Tensor([1.0, 2.0], requires_grad=True) for _ in range(2))
    OnlyFirst.apply(x * 3.0, y * 5.0 * 7.0).sum().backward()
    np.testing.assert_array_equal(x.grad.data, [3.0, 3.0])  # type: ignore[union-attr]
    assert y.grad is None
