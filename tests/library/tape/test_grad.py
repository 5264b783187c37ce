"""grad: derivatives of any order in anything, and no more work than needed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.record import OUTPUT, unary
from autograd_lib.engine.tape.tensor import Tensor

# Two ways of calculating the same sum of a few products differ by some roundings.
TOLERANCE = 1e-13


def leaf(data: Any) -> Tensor:
    return Tensor(data, requires_grad=True, dtype=float)


def vjp_tanh(g: Any, y: Any) -> Any:
    return g - g * y * y


def tanh(x: Any) -> Tensor:
    return unary(np.tanh, x, vjp_tanh, OUTPUT)


def test_three_derivatives() -> None:
    x = leaf([0.3, -1.2])
    t = np.tanh(x.data)
    d = 1 - t * t
    expected = [d, -2 * t * d, -2 * d * d + 4 * t * t * d]
    y = tanh(x)
    for right in expected:
        (y,) = grad(y, x, np.ones(2), create_graph=True)
        np.testing.assert_allclose(y.data, right, rtol=TOLERANCE)
    assert x.grad is None


def test_backward_thrice() -> None:
    x = leaf(2.0)
    y = x * x * x * x
    for right in (32.0, 48.0, 48.0):
        x.grad = None
        y.backward(create_graph=True)
        y = x.grad
        assert y.item() == right


def test_mixed_derivatives_through_shapes() -> None:
    """The second derivatives of (x w)·(x w) with respect to w, by hand: 2 x ⊗ x."""
    x, w = np.array([[1.0, 2.0, 3.0]]), leaf([[1.0], [1.0], [2.0]])
    y = (x @ w).sum()
    (first,) = grad(y * y, w, create_graph=True)
    rows = [
        grad(first[i].sum(), w, retain_graph=True)[0].data.ravel() for i in range(3)
    ]
    assert np.array_equal(rows, 2 * x.T @ x)


def test_broadcasting_twice() -> None:
    column, row = leaf([[1.0], [2.0]]), leaf([10.0, 20.0, 30.0])
    out = column * row * row
    (d,) = grad(out.sum(), row, create_graph=True)
    assert d.tolist() == [60.0, 120.0, 180.0]
    (mixed,) = grad(d, column, np.ones(3))
    assert mixed.tolist() == [[120.0], [120.0]]


def test_grad_reads_and_changes_no_grad() -> None:
    x, w = leaf(3.0), leaf(4.0)
    x.grad = old = Tensor(7.0)
    h = x * w
    h.retain_grad()
    assert [g.item() for g in grad(h * h, [x, w, h])] == [96.0, 72.0, 24.0]
    assert x.grad is old
    assert (old.item(), w.grad, h.grad) == (7.0, None, None)
    assert [t.node.grad for t in (x, w, h)] == [None] * 3


def test_only_what_leads_to_an_input_is_calculated() -> None:
    calls: list[str] = []

    def counted(name: str, x: Tensor) -> Tensor:
        def rule(g: Any, _: Any) -> Any:
            calls.append(name)
            return g

        return unary(np.positive, x, rule, None)

    x, w = leaf(1.0), leaf(1.0)
    h = counted("x", x)
    y = counted("top", counted("h", h) + counted("w", w))
    grad(y, x, retain_graph=True)
    assert calls == ["top", "h", "x"]
    calls.clear()
    grad(y, h, retain_graph=True)
    assert calls == ["top", "h"]
    calls.clear()
    grad(y, [h, w], retain_graph=True)
    assert sorted(calls) == ["h", "top", "w"]
    calls.clear()
    grad(y, y, retain_graph=True)
    grad(y, leaf(1.0), retain_graph=True, allow_unused=True)
    assert calls == []
    y.backward()
    assert sorted(calls) == ["h", "top", "w", "x"]


def test_many_paths_are_one_call() -> None:
    calls = []

    def rule(g: Any, _: Any) -> Any:
        calls.append(g)
        return g

    x = leaf(1.0)
    y = h = unary(np.positive, x, rule, None)
    for _ in range(30):
        y = y + y
    assert grad(y, x)[0].item() == 2.0**30
    assert len(calls) == 1
    assert h.grad_fn.edges is None


def test_inputs_in_the_middle() -> None:
    x = leaf(2.0)
    h = x * x
    y = h * h * 3
    a, b, c = grad(y, [h, x, h], retain_graph=True)
    assert [t.item() for t in (a, b, c)] == [24.0, 96.0, 24.0]
    assert grad(y, h)[0].item() == 24.0
    assert grad(h, x)[0].item() == 4.0  # nothing behind h was used up
    assert grad(x, x)[0].item() == 1.0


def test_several_outputs() -> None:
    x = leaf([1.0, 2.0])
    h = x * 3
    out = grad([h, h * h, h], x, [[1.0, 1.0], Tensor([1.0, 0.0]), np.array([0.0, 1.0])])
    assert out[0].tolist() == [21.0, 6.0]
    assert grad([x.sum(), x.sum() * 2], x)[0].tolist() == [3.0, 3.0]
    assert grad(x.sum(), x, 5.0)[0].tolist() == [5.0, 5.0]
    with pytest.raises(
        ValueError, match="grad: there are 2 outputs and 1 gradients for"
    ):
        grad([x.sum(), x.sum()], x, [1.0])


def test_unused_inputs() -> None:
    x, w = leaf(1.0), leaf(1.0)
    with pytest.raises(RuntimeError, match=r"do not depend on input 1, .*allow_unused"):
        grad(x * 2, [x, w])
    assert [t and t.item() for t in grad(x * 2, [w, x], allow_unused=True)] == [
        None,
        2.0,
    ]
    for bad in (Tensor(1.0), 1.0, x.detach(), np.ones(1)):
        with pytest.raises(
            RuntimeError, match="grad: input 1 needs no gradient; make it"
        ):
            grad(x * 2, [x, bad])
    with pytest.raises(ValueError, match=r"^grad: the result has shape \(2,\)"):
        grad(x * [1.0, 2.0], x)
    with pytest.raises(RuntimeError, match=r"^grad: this result needs no gradient"):
        grad(Tensor(1.0), x)


@pytest.mark.parametrize("where", ["hook", "rule"])
def test_a_pass_inside_a_pass(where: str) -> None:
    """Over the same graph, while the pass around it is half done."""
    x = leaf(3.0)
    square = x * x
    inner: list[float] = []

    fourth, double = square * square, square * 2

    def again() -> None:
        inner.append(grad(fourth, x, retain_graph=True)[0].item())
        inner.append(grad(double, x, retain_graph=True)[0].item())

    def rule(g: Any, _: Any) -> Any:
        again()
        return g

    tail = square * 2
    middle = tail + square
    y = unary(np.positive, middle, rule, None) if where == "rule" else middle
    if where == "hook":
        tail.register_hook(lambda g: again())
    (y + x).backward()
    assert x.grad.item() == 19.0
    assert inner == [108.0, 12.0]


def test_a_pass_inside_that_frees_too_much_is_an_error() -> None:
    for whole in (lambda y, x: y.backward(), lambda y, x: grad(y, x)):
        x = leaf(2.0)
        square = x * x
        y = square * 3 + x
        y.register_hook(lambda _, a=square, b=x: grad(a, b) and None)
        with pytest.raises(
            RuntimeError, match="has gone through this graph before and f"
        ):
            whole(y, x)
        assert x.grad is None
        y = x * x
        y.backward()
        assert x.grad.item() == 4.0


def test_a_pass_inside_that_fails_does_no_harm() -> None:
    x = leaf(2.0)
    square = x * x

    def failing(g: Any, _: Any) -> Any:
        raise ZeroDivisionError

    fails = unary(np.exp, square, failing, None)

    def hook(_: Tensor) -> None:
        with pytest.raises(ZeroDivisionError):
            grad(fails, x, retain_graph=True)

    y = square * 3
    y.register_hook(hook)
    (y + square).backward()
    assert x.grad.item() == 16.0
