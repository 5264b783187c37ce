"""Hooks of nodes, hooks that go wrong, and passes inside of hooks."""

import numpy as np
import pytest

from autograd_lib.engine.function import Function
from autograd_lib.engine.leaves.grad_mode import enable_grad
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor


def leaf(data=3.0, **kind):
    return Tensor(data, requires_grad=True, **kind)


def test_hooks_that_could_never_be_called_are_refused():
    with pytest.raises(RuntimeError, match="register_hook: this tensor needs no grad"):
        Tensor(1.0).register_hook(print)
    with pytest.raises(RuntimeError, match="node of a leaf, which has no rules"):
        leaf().node.register_hook(print)
    first, _ = Halves.apply(leaf([1.0, 2.0]))
    with pytest.raises(RuntimeError, match="a gradient for each of several outputs"):
        first.grad_fn.parents[0].register_prehook(print)


class Halves(Function):
    @staticmethod
    def forward(ctx, x):
        return Tensor(x.detach()[:1].numpy()), Tensor(x.detach()[1:].numpy())

    @staticmethod
    def backward(ctx, first, second):
        return Tensor([first.item(), second.item()])


def test_operations_with_several_outputs_have_hooks():
    x, seen = leaf([1.0, 2.0]), []
    first, second = Halves.apply(x)
    second.register_hook(lambda g: g * 5.0)
    first.grad_fn.parents[0].register_hook(lambda gs, g: seen.append((gs, g)))
    (first * 3.0 + second).backward()
    ((toward,), given) = seen[0]
    assert toward.tolist() == [3.0, 5.0]
    assert [g.tolist() for g in given] == [[3.0], [5.0]]
    assert x.grad.tolist() == [3.0, 5.0]


@pytest.mark.parametrize("what", [1.0, np.ones(2), Tensor([1.0]), Tensor([1, 1]), ()])
@pytest.mark.parametrize("where", ["tensor", "before", "after"])
def test_what_cannot_be_a_gradient_is_refused_and_changes_nothing(what, where):
    x, w = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    y = x * w

    def wrong(*gradients):
        return (what, what) if where == "after" else what

    register = {
        "tensor": y.register_hook,
        "before": y.grad_fn.register_prehook,
        "after": y.grad_fn.register_hook,
    }[where]
    handle = register(wrong)
    with pytest.raises(RuntimeError, match=r"wrong returned .* of shape \(2,\)"):
        y.sum().backward(retain_graph=True)
    assert (x.grad, w.grad) == (None, None)
    handle.remove()
    (x * w).sum().backward()
    assert (x.grad.tolist(), w.grad.tolist()) == ([3.0, 4.0], [1.0, 2.0])


@pytest.mark.parametrize("what", [Tensor(1.0), (Tensor(1.0),), [Tensor(1.0)] * 2])
def test_a_hook_after_returns_one_gradient_for_each_parent(what):
    y = leaf() * leaf()
    y.grad_fn.register_hook(lambda gs, g: what)
    with pytest.raises(RuntimeError, match="None or a tuple of 2 gradients, got"):
        y.backward()


def test_hooks_before_and_after_the_rules():
    x, w, seen = leaf(), leaf(2.0), []
    y = x * w
    y.grad_fn.register_prehook(lambda g: g * 10.0)
    y.grad_fn.register_hook(lambda gs, g: seen.append((*gs, g)))
    y.grad_fn.register_hook(lambda gs, g: (gs[0] + 1.0, None))
    y.backward()
    assert [g.item() for g in seen[0]] == [20.0, 30.0, 10.0]
    assert x.grad.item() == 21.0
    assert w.grad is None


def test_a_hook_after_sees_a_gradient_for_each_input_that_needs_one():
    x, b, seen = leaf([1.0, 2.0]), leaf(5.0), []
    y = 3.0 * x + b  # the sum over the copies of b is done before the hook
    for node in (y.grad_fn, y.grad_fn.parents[0]):
        node.register_hook(lambda gs, g: seen.append([t.tolist() for t in (*gs, g)]))
    y.sum().backward()
    assert seen == [[[1.0, 1.0], 2.0, [1.0, 1.0]], [[3.0, 3.0], [1.0, 1.0]]]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("where", ["leaf", "tensor", "before", "after"])
@pytest.mark.parametrize("retain_graph", [True, False])
def test_an_exception_in_a_hook_leaves_every_gradient_as_it_was(
    where, error, retain_graph
):
    def fails(*gradients):
        raise error("planned")

    x, w = leaf(), leaf(2.0)
    y = x * w
    out = w * 5.0 + y * y
    out.backward(retain_graph=True)
    before = x.grad, w.grad
    register = {
        "leaf": x.register_hook,
        "tensor": y.register_hook,
        "before": y.grad_fn.register_prehook,
        "after": y.grad_fn.register_hook,
    }[where]
    handle = register(fails)
    with pytest.raises(error, match="planned"):
        grad(out, x, retain_graph=True)
    with pytest.raises(error, match="planned"):
        out.backward(retain_graph=retain_graph)
    assert (x.grad, w.grad) == before
    handle.remove()
    if retain_graph:
        out.backward()
        assert (x.grad.item(), w.grad.item()) == (48.0, 82.0)
    else:
        with pytest.raises(RuntimeError, match="freed"):
            out.backward()


@pytest.mark.parametrize("shared", ["leaf", "middle"])
@pytest.mark.parametrize("first", [True, False])
def test_a_pass_inside_a_hook_adds_what_it_finds(shared, first):
    x = leaf()
    y = x * 2.0

    def walks_back(gradient):
        handle.remove()
        with enable_grad():
            inner = (x if shared == "leaf" else y) * 5.0
        inner.backward(retain_graph=True)
        assert x.grad.item() == (5.0 if shared == "leaf" else 10.0)

    handle = y.register_hook(walks_back)
    (x + y * y if first else y * y + x).backward(retain_graph=True)
    assert x.grad.item() == 25.0 + (5.0 if shared == "leaf" else 10.0)


def test_a_pass_inside_a_hook_for_one_gradient_touches_nothing():
    x, found = leaf(), []
    y = x * 2.0

    def asks(gradient):
        with enable_grad():
            found.append(grad(x * x + y, x, retain_graph=True)[0].item())

    handle = y.register_hook(lambda g: handle.remove() or asks(g))
    (x + y * y + x).backward(retain_graph=True)
    assert found == [8.0]
    assert x.grad.item() == 26.0
