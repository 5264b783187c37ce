"""Leaves: what they are, what they collect, and what they refuse."""

import numpy as np
import pytest

from autograd_lib.engine.leaves.grad_mode import no_grad
from autograd_lib.engine.numpy.coercion import from_numpy
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor


def leaf(data=3.0, **kind):
    return Tensor(data, requires_grad=True, **kind)


def test_what_is_a_leaf():
    x, c = leaf(), Tensor(2.0)
    y = x * c
    described = [(t.is_leaf, t.requires_grad, t.grad_fn is None) for t in (x, c, y)]
    assert described == [(True, True, True), (True, False, True), (False, True, False)]
    assert (c * c).is_leaf
    assert y.detach().is_leaf
    assert x.detach() is not x


def test_a_result_under_the_same_name_is_no_leaf():
    w = leaf(2.0)
    w = w - 0.1
    (w * w).backward()
    assert not w.is_leaf
    assert w.grad is None


@pytest.mark.parametrize("way", [Tensor.requires_grad_, "attribute"])
def test_a_constant_becomes_a_leaf(way):
    x = Tensor(3.0)
    before = x * x
    if way == "attribute":
        x.requires_grad = True
    else:
        assert x.requires_grad_() is x
    assert not before.requires_grad
    (x * x + before).backward()
    assert x.grad.item() == 6.0


def test_asking_a_leaf_or_a_result_again_changes_nothing():
    x = leaf()
    y = x * x
    nodes = x.node, y.node
    assert x.requires_grad_() is x
    assert y.requires_grad_() is y
    assert (x.node, y.node) == nodes


def test_a_result_cannot_be_made_a_constant():
    y = leaf() * 2.0
    for turn_off in (
        lambda: y.requires_grad_(False),
        lambda: setattr(y, "requires_grad", False),
    ):
        with pytest.raises(ValueError, match=r"operation made this tensor.*detach\(\)"):
            turn_off()
    assert y.requires_grad


def test_a_leaf_that_is_frozen_keeps_its_gradient_hooks_and_graphs():
    x, seen = leaf(), []
    x.register_hook(lambda g: seen.append(g.item()))
    (x * x).backward()
    y, z = x * x, x * 5.0
    x.requires_grad_(False)
    assert (x.requires_grad, x.is_leaf, x.grad.item()) == (False, True, 6.0)
    assert not (x * x).requires_grad
    z.backward()
    assert x.grad.item() == 6.0  # a pass adds nothing meanwhile
    x.requires_grad_(True)
    y.backward()
    assert x.grad.item() == 12.0
    assert seen == [6.0, 5.0, 6.0]
    x.requires_grad_(False)
    del x.grad
    assert x.grad is None


def test_a_pass_leaves_nothing_in_a_leaf_that_is_frozen():
    for hooks in ([], [lambda g: None]):
        x = leaf()
        for hook in hooks:
            x.register_hook(hook)
        y = x * 5.0
        x.requires_grad_(False)
        y.backward()
        assert (x.grad, x._frozen.grad) == (None, None)


def test_a_frozen_leaf_may_be_written_into_and_is_watched_all_the_same():
    x = leaf()
    y = x * x
    x.requires_grad_(False)
    x += 1.0
    x.requires_grad_(True)
    with pytest.raises(RuntimeError, match="written into since"):
        y.backward()
    (x * x).backward()
    assert x.grad.item() == 8.0


@pytest.mark.parametrize("data", [3, [1, 2], True, np.arange(3, dtype=np.uint8)])
def test_whole_numbers_are_constants(data):
    constant = Tensor(data)
    x = leaf(2.0)
    (x * constant).sum().backward()
    assert x.grad.item() == np.sum(data)
    assert not constant.requires_grad


def test_passes_add_up_in_leaves_and_nowhere_else():
    a = leaf()
    b = a * a
    c = b * 2.0
    c.backward(retain_graph=True)
    assert a.grad.item() == 12.0
    c.backward()
    assert a.grad.item() == 24.0  # 36 if b had kept the first pass's gradient
    assert b.grad is None
    assert c.grad is None


@pytest.mark.parametrize("way", ["None", "del", "zeros"])
def test_a_leaf_begins_anew(way):
    a = leaf()
    (a * a * a).backward()
    if way == "del":
        del a.grad
    else:
        a.grad = None if way == "None" else Tensor(0.0)
    (a * a * a).backward()
    assert a.grad.item() == 27.0


@pytest.mark.filterwarnings("ignore:.*met one of float32")
@pytest.mark.parametrize("kind", ["f2", "f4", "f8"])
def test_a_gradient_has_its_leafs_type_over_all_passes(kind):
    x = leaf([1.0, 2.0], dtype=kind)
    for n in (1, 2, 3):
        (x * np.array([0.5, 0.25])).sum().backward()
        assert type(x.grad) is Tensor
        assert (x.grad.dtype, x.grad.shape) == (np.dtype(kind), (2,))
        assert x.grad.tolist() == [n * 0.5, n * 0.25]
        assert x.grad.is_leaf
        assert not x.grad.requires_grad
    assert grad(x.sum(), x)[0].dtype == np.dtype(kind)


def test_a_gradient_is_nobody_elses_array():
    a, b = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    seed = np.array([1.0, 1.0])
    seed_tensor = from_numpy(seed)
    (a + b).backward(seed_tensor)
    first = a.grad
    (a + b).backward(seed_tensor)
    with no_grad():
        a.grad[...] = 100.0
    assert (first.tolist(), b.grad.tolist()) == ([1.0, 1.0], [2.0, 2.0])
    assert seed.tolist() == [1.0, 1.0]


def test_a_gradient_that_is_assigned_is_added_to_and_not_written_into():
    x, given = leaf([1.0, 2.0]), Tensor([10.0, 20.0])
    x.grad = given
    assert x.grad is given
    (x * x).sum().backward()
    assert x.grad.tolist() == [12.0, 24.0]
    assert given.tolist() == [10.0, 20.0]


def test_a_gradient_is_recorded_only_on_request():
    x = leaf()
    (x * x * x).backward(create_graph=True)
    assert x.grad.requires_grad
    (x * x * x).backward()
    assert x.grad.item() == 54.0
    assert not x.grad.requires_grad


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        (0.0, TypeError, "takes a tensor or None, got 0.0"),
        (np.zeros(2), TypeError, "takes a tensor or None, got array"),
        (Tensor(0.0), ValueError, r"shape \(2,\) and float64 .* shape \(\) and"),
        (Tensor([0, 0]), ValueError, r"got one of shape \(2,\) and int64"),
        (Tensor([0.0, 0.0], dtype="f4"), ValueError, "and float32"),
        ("itself", ValueError, "cannot be its own gradient"),
    ],
)
def test_what_is_no_gradient_of_the_leaf_is_refused(given, error, text):
    x = leaf([1.0, 2.0])
    x.grad = Tensor([5.0, 6.0])
    with pytest.raises(error, match=f"grad: .*{text}"):
        x.grad = x if isinstance(given, str) else given
    assert x.grad.tolist() == [5.0, 6.0]


@pytest.mark.parametrize("make", [lambda: Tensor(1.0), lambda: leaf() * 2.0])
def test_what_collects_no_gradient_takes_none(make):
    with pytest.raises(TypeError, match="only a leaf that requires a gradient"):
        make().grad = Tensor(1.0)


def test_detach_is_a_constant_with_the_same_array():
    x = leaf([2.0, 3.0])
    h = x * x
    d = h.detach()
    assert (d.requires_grad, d.is_leaf) == (False, True)
    (h * d).sum().backward()  # with respect to one of two uses
    assert x.grad.tolist() == [2 * 2.0**3, 2 * 3.0**3]
    with no_grad():
        h[0] = 7.0
    assert d.tolist() == [7.0, 9.0]
    y = (x * x).sum()
    x.detach()[0] = 5.0  # a write that the engine sees
    assert x.tolist() == [5.0, 3.0]
    with pytest.raises(RuntimeError, match="multiply saved an array that was written"):
        y.backward()


def test_a_pass_from_a_leaf_is_one():
    x = leaf([1.0, 2.0])
    given = Tensor([3.0, 4.0])
    x.backward(given)
    x.backward(given)
    assert x.grad.tolist() == [6.0, 8.0]
    assert grad(x, x, grad_outputs=given)[0].tolist() == [3.0, 4.0]


def test_grad_leaves_what_was_collected_alone():
    x, w = leaf(), leaf(2.0)
    y = x * w
    y.retain_grad()
    (y * y).backward(retain_graph=True)
    kept = x.grad, w.grad, y.grad
    assert grad(y * y, [x, y])[1].item() == 12.0
    assert (x.grad, w.grad, y.grad) == kept
