"""Operations of one's own, written as `Function`: their calls, and their mistakes."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest

from autograd_lib.engine.function import Function
from autograd_lib.engine.joint import JointEdge
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.node import Saved, new_node
from autograd_lib.engine.tape.tensor import Tensor, constant


def leaf(data: Any, dtype: Any = float) -> Tensor:
    return Tensor(data, requires_grad=True, dtype=dtype)


class Affine(Function):
    """x·w + n, for a plain number n; it notes how it is called."""

    calls: ClassVar[list[tuple[bool, ...]]] = []

    @staticmethod
    def forward(ctx: Any, x: Any, w: Any, n: float) -> Any:
        ctx.save_for_backward(x, w)
        return x * w + n

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        Affine.calls.append(ctx.needs_input_grad)
        x, w = ctx.saved_tensors
        return g * w, g * x, None


@pytest.mark.parametrize("needs", [(True, True), (True, False), (False, True)])
@pytest.mark.parametrize("create_graph", [False, True])
def test_inputs_that_need_a_gradient_get_it_in_one_call(
    needs: tuple[bool, bool], create_graph: bool
) -> None:
    x, w = (Tensor([2.0, 3.0], needs[0]), Tensor([5.0, 7.0], needs[1]))
    Affine.calls.clear()
    y = Affine.apply(x, w, 1.0)
    assert y.tolist() == [11.0, 22.0]
    y.backward(Tensor([1.0, 10.0]), create_graph=create_graph)
    assert Affine.calls == [(*needs, False)]
    assert x.grad is None if not needs[0] else x.grad.tolist() == [5.0, 70.0]
    assert w.grad is None if not needs[1] else w.grad.tolist() == [2.0, 30.0]


def test_one_of_several_inputs_may_be_asked_for() -> None:
    x, w = leaf([2.0, 3.0]), leaf([5.0, 7.0])
    (slope,) = grad(Affine.apply(x, w, 0.0).sum(), w)
    assert slope is not None
    assert slope.tolist() == [2.0, 3.0]
    assert (x.grad, w.grad) == (None, None)


def test_where_nothing_needs_a_gradient_nothing_is_recorded() -> None:
    y = Affine.apply(Tensor([2.0]), Tensor([3.0]), 4.0)
    assert (y.tolist(), y.requires_grad) == ([10.0], False)


def test_a_backward_made_of_operations_has_derivatives_of_its_own() -> None:
    x, w = leaf(2.0), leaf(5.0)
    y = Affine.apply(x, w, 1.0)
    (slope,) = grad(y * y, x, create_graph=True)  # 2·(x·w + 1)·w
    assert slope is not None
    seconds = grad(slope, [x, w])
    assert [t.item() for t in seconds if t is not None] == [50.0, 42.0]


class Parts(Function):
    """Twice x, three times x, and whole numbers."""

    got: ClassVar[list[Any]] = []

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        return x * 2.0, (x * y)[:1], Tensor([1, 2])

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        Parts.got.append(gradients)
        a, b, _ = gradients
        return a * 2.0 + b.sum(), None


@pytest.mark.parametrize("create_graph", [False, True])
def test_an_output_that_nothing_uses_gets_zeros(create_graph: bool) -> None:
    x, y = leaf([1.0, 2.0], np.float32), leaf([3.0, 4.0], np.float32)
    first, second, whole = Parts.apply(x, y)
    assert (second.tolist(), whole.requires_grad) == ([3.0], False)
    Parts.got.clear()
    first.backward(Tensor([5.0, 6.0], dtype=np.float32), create_graph=create_graph)
    ((a, b, c),) = Parts.got
    assert [t.tolist() for t in (a, b, c)] == [[5.0, 6.0], [0.0], [0, 0]]
    assert [t.dtype for t in (a, b)] == [np.float32, np.float32]
    assert x.grad is not None and x.grad.tolist() == [10.0, 12.0]
    assert y.grad is None


def test_all_outputs_are_handed_back_in_one_call() -> None:
    x, y = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    first, second, _ = Parts.apply(x, y)
    Parts.got.clear()
    (first.sum() + (first * second).sum() * 10.0).backward()
    assert len(Parts.got) == 1
    a, b, _ = Parts.got[0]
    assert (a.tolist(), b.tolist()) == ([31.0, 31.0], [60.0])


def returning(*gradients: Any) -> type[Function]:
    """Return a function of two inputs whose backward returns this."""

    class Returning(Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            return x * y

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return gradients if len(gradients) != 1 else gradients[0]

    return Returning


def test_none_goes_on_through_a_function_of_several_inputs() -> None:
    x, w = leaf([2.0]), leaf([3.0])
    Affine.calls.clear()
    returning(None, None).apply(Affine.apply(x, w, 0.0), x).backward()
    assert (x.grad, w.grad, Affine.calls) == (None, None, [])


PAIR = Tensor([1.0, 2.0])


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (returning(PAIR), "returned 1 gradients for 2 inputs"),
        (returning(PAIR, PAIR, PAIR), "returned 3 gradients for 2 inputs"),
        (returning(), "returned 0 gradients for 2 inputs"),
        (returning(Tensor(1.0), PAIR), r"an array of shape \(\).* shape, \(2,\)"),
        (returning(PAIR, "1"), "returned str"),
    ],
)
def test_what_backward_may_not_return_is_named(
    function: type[Function], words: str
) -> None:
    x, y = leaf([2.0, 3.0]), leaf([5.0, 7.0])
    product = function.apply(x, y).sum()
    with pytest.raises(RuntimeError, match=rf"the rule Returning\.backward .*{words}"):
        product.backward()
    assert (x.grad, y.grad) == (None, None)


def joint(x: Tensor, y: Tensor, rule: Any, saved: Any) -> Tensor:
    """Return x·y, with one edge that leads to the nodes of both."""
    z = constant(x.data * y.data)
    z.node = new_node((((x.node, y.node), rule, saved),), z.shape, 0, JointEdge())
    return z


@pytest.mark.parametrize("create_graph", [False, True])
def test_a_rule_for_several_inputs_gets_what_was_saved(create_graph: bool) -> None:
    def rule(g: Any, saved: Any) -> Any:
        a, b = saved
        return g * b, g * a

    x, y = leaf([2.0, 3.0]), leaf([5.0, 7.0])
    z = joint(x, y, rule, Saved(x, y))
    slopes = grad(z.sum(), [x, y], create_graph=create_graph)
    assert [t.tolist() for t in slopes if t is not None] == [[5.0, 7.0], [2.0, 3.0]]
    assert [t.requires_grad for t in slopes if t is not None] == [create_graph] * 2


def test_a_rule_for_several_inputs_must_return_several() -> None:
    x, y = leaf([2.0, 3.0]), leaf([5.0, 7.0])
    for rule, got in ((lambda g, _: g, "ndarray"), (lambda g, _: [g], "1")):
        with pytest.raises(RuntimeError, match=f"returned {got} gradients for 2"):
            joint(x, y, rule, None).sum().backward()
    assert (x.grad, y.grad) == (None, None)
