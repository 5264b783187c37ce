"""Which tensors collect gradients, and how: `grad`, `retain_grad`, and the switch."""

from __future__ import annotations

import numpy as np
import pytest

from autograd_lib.engine.leaves.grad_mode import enable_grad, is_grad_enabled, no_grad
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor


def needing(*numbers: float) -> Tensor:
    return Tensor(list(numbers), requires_grad=True)


def test_requires_grad_can_be_changed_in_leaves_only() -> None:
    x = Tensor([1.0])
    x.requires_grad = True
    node = x.node
    assert x.requires_grad_() is x
    assert x.node is node
    y = x * 2
    assert y.requires_grad_() is y
    assert (y.is_leaf, x.is_leaf) == (False, True)
    with pytest.raises(
        ValueError, match=r"a recorded operation made this tensor.*t.detach\(\)"
    ):
        y.requires_grad = False
    x.requires_grad = False
    assert x.node is None
    y.backward([1.0])


def test_grad_takes_a_tensor_of_the_shape_or_none() -> None:
    x = needing(1.0, 2.0)
    x.grad = Tensor([5.0, 5.0])
    (x * 3).sum().backward()
    assert x.grad.tolist() == [8.0, 8.0]
    x.grad = None
    for bad, error in [
        (0, TypeError),
        (np.ones(2), TypeError),
        (Tensor(0.0), ValueError),
    ]:
        with pytest.raises(error, match=r"^grad: .*takes a (tensor|gradient)"):
            x.grad = bad
    for t in (x * 2, Tensor(1.0)):
        with pytest.raises(TypeError, match="only a leaf that requires a gradient"):
            t.grad = Tensor(0.0)


def test_the_switch() -> None:
    x = needing(2.0)

    @no_grad()
    def square() -> Tensor:
        assert not is_grad_enabled()
        with enable_grad():
            assert (x * x).requires_grad
        return x * x

    assert not square().requires_grad
    with pytest.raises(KeyError), no_grad():
        raise KeyError
    assert is_grad_enabled()
    with no_grad():
        y = x * x
        assert not (-x).requires_grad
        x *= 10
    assert (y.tolist(), x.tolist(), x.is_leaf) == ([4.0], [20.0], True)
    with pytest.raises(RuntimeError, match="or it was made under no_grad or by detach"):
        grad(y, x)


def test_a_hook_may_keep_what_it_sees() -> None:
    x, kept = needing(1.0, 2.0), []
    y = x * 3
    y.register_hook(lambda g: kept.append(g))
    x.register_hook(lambda g: kept.append(g))
    (y + x).sum().backward()
    assert [g.tolist() for g in kept] == [[1.0, 1.0], [4.0, 4.0]]
    assert not np.shares_memory(x.grad.data, kept[1].data)


def test_retained_gradients_are_of_their_own() -> None:
    x = needing(1.0, 2.0)
    y = x * 3
    z = y + y
    y.retain_grad()
    z.retain_grad()
    y.register_hook(lambda g: g * 10)
    z.sum().backward(retain_graph=True)
    assert [t.grad.tolist() for t in (x, y, z)] == [[60.0] * 2, [20.0] * 2, [1.0] * 2]
    y.grad.data[...] = 0.0
    z.sum().backward(retain_graph=True)
    assert (x.grad.tolist(), y.grad.tolist()) == ([120.0] * 2, [20.0] * 2)
    z.grad.data[...] = 5.0
    grad(z.sum(), x)
    assert z.grad.tolist() == [5.0, 5.0]
