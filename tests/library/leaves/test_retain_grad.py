"""retain_grad: the gradient of a tensor in the middle of a graph, kept."""

import pytest

from autograd_lib.engine.leaves.grad_mode import no_grad
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor


def leaf(data=3.0, **kind):
    return Tensor(data, requires_grad=True, **kind)


def test_it_adds_up_as_a_leafs_does():
    x = leaf()
    y = x * 2.0
    z = y * y
    assert y.retain_grad() is None
    y.retain_grad()
    z.backward(retain_graph=True)
    assert y.grad.item() == 12.0
    z.backward(retain_graph=True)
    assert (y.grad.item(), x.grad.item()) == (24.0, 48.0)
    y.grad = None
    z.backward()
    assert y.grad.item() == 12.0


def test_it_comes_after_all_hooks_of_the_tensor_and_before_those_of_the_node():
    x = leaf()
    y = x * 2.0
    y.grad_fn.register_prehook(lambda g: g * 7.0)
    y.register_hook(lambda g: g * 3.0)
    y.retain_grad()
    y.register_hook(lambda g: g * 5.0)
    (y * 1.0).backward()
    assert y.grad.item() == 15.0
    assert x.grad.item() == 15.0 * 7.0 * 2.0


def test_it_holds_for_the_result_a_pass_begins_at_and_changes_nothing_in_a_leaf():
    x = leaf()
    y = x * 2.0
    y.retain_grad()
    x.retain_grad()
    y.backward()
    assert (y.grad.item(), x.grad.item()) == (1.0, 2.0)


def test_it_is_none_until_a_pass_comes_by():
    x = leaf()
    y, z = x * 2.0, x * 3.0
    y.retain_grad()
    z.backward()
    assert y.grad is None


@pytest.mark.filterwarnings("ignore:.*met one of float32")
def test_it_is_an_array_of_its_own_and_of_its_tensors_type():
    x, b = leaf([1.0, 2.0], dtype="f4"), leaf([0.0, 0.0])
    y = x * 2.0
    y.retain_grad()
    z = y + b  # hands the same array to both
    z.retain_grad()
    z.sum().backward()
    with no_grad():
        y.grad[...] = 9.0
    assert (z.grad.tolist(), b.grad.tolist()) == ([1.0, 1.0], [1.0, 1.0])
    assert [t.grad.dtype.name for t in (x, y, z)] == ["float32", "float32", "float64"]


def test_it_is_recorded_with_create_graph():
    x = leaf()
    y = x * x
    y.retain_grad()
    (y * y).backward(create_graph=True)
    assert grad(y.grad, x)[0].item() == 12.0  # 2 x² differentiated


def test_it_follows_its_tensor_through_a_write():
    x = leaf([1.0, 2.0])
    y = x * 2.0
    y.retain_grad()
    (y * 1.0).sum().backward(retain_graph=True)
    assert y.grad.tolist() == [1.0, 1.0]
    y *= 3.0
    y[0] = 4.0
    assert y.grad.tolist() == [1.0, 1.0]
    (y * 5.0).sum().backward()
    assert y.grad.tolist() == [6.0, 6.0]
    assert x.grad.tolist() == [2.0 + 0.0, 2.0 + 30.0]


def test_a_pass_that_fails_leaves_it_as_it_was():
    x = leaf()

    def fails(gradient):
        raise ValueError("planned")

    h = x * 1.0
    y = h * 2.0
    y.retain_grad()
    y.backward(retain_graph=True)
    h.register_hook(fails)
    with pytest.raises(ValueError, match="planned"):
        y.backward()
    assert (y.grad.item(), x.grad.item()) == (1.0, 2.0)


def test_a_constant_has_none_to_keep():
    with pytest.raises(RuntimeError, match="retain_grad: this tensor needs no gradi"):
        Tensor(1.0).retain_grad()
