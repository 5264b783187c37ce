"""Hooks: what they see, in which order, what they may return, and when they fail."""

import numpy as np
import pytest

from autograd_lib.engine.leaves.grad_mode import is_grad_enabled, no_grad
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.record import unary
from autograd_lib.engine.tape.tensor import Tensor


def leaf(data=3.0, **kind):
    return Tensor(data, requires_grad=True, **kind)


def noting(seen, name=None):
    """Return a hook that writes down what it sees, by name if it has one."""

    def hook(*gradients):
        numbers = [g.tolist() if isinstance(g, Tensor) else g for g in gradients]
        seen.append(name or (numbers[0] if len(numbers) == 1 else numbers))

    return hook


@pytest.mark.parametrize("where", ["leaf", "middle", "root"])
def test_a_hook_sees_the_complete_gradient_once(where):
    x, seen = leaf(), []
    y = x * x
    z = y * 3.0 + y * y + y
    watched = {"leaf": x, "middle": y, "root": z}[where]
    watched.register_hook(noting(seen))
    z.backward()
    assert seen == [{"leaf": 22.0 * 6.0, "middle": 22.0, "root": 1.0}[where]]


def test_a_hook_sees_each_pass_and_not_their_sum():
    x, seen = leaf(), []
    x.register_hook(noting(seen))
    for _ in range(2):
        (x * x).backward()
    assert seen == [6.0, 6.0]
    assert x.grad.item() == 12.0


@pytest.mark.filterwarnings("ignore:.*met one of float32")
def test_a_hook_sees_tensors_of_its_own_tensors_type():
    x, seen = leaf([1.0, 2.0], dtype="f4"), []
    y = x * 2.0
    for t in (x, y):
        t.register_hook(seen.append)
    (y * np.array([1.0, 3.0])).sum().backward()
    assert [(type(g), g.dtype.name, g.shape) for g in seen] == [
        (Tensor, "float32", (2,))
    ] * 2


def test_hooks_come_in_the_order_of_their_registration_and_go_on_from_each_other():
    x = leaf(1.0)
    x.register_hook(lambda g: g + 1.0)
    x.register_hook(lambda g: None)
    x.register_hook(lambda g: g * 10.0)
    x.backward()
    assert x.grad.item() == 20.0


def test_the_tensors_hooks_come_before_the_nodes_and_these_before_the_parents():
    x, seen = leaf(), []
    y = x * 2.0
    y.grad_fn.register_hook(noting(seen, "after"))
    y.grad_fn.register_prehook(noting(seen, "before"))
    x.register_hook(noting(seen, "leaf"))
    y.register_hook(noting(seen, "tensor"))
    y.backward()
    assert seen == ["tensor", "before", "after", "leaf"]


def test_what_a_hook_returns_is_used_in_its_place():
    x, w = leaf([3.0, -4.0]), leaf([1.0, 1.0])
    y = x * w
    y.register_hook(lambda g: g * 0.5)
    w.register_hook(lambda g: g * 100.0)
    (y * y).sum().backward()
    assert x.grad.tolist() == [3.0, -4.0]
    assert w.grad.tolist() == [900.0, 1600.0]


def test_a_pass_that_is_asked_for_one_gradient_calls_the_hooks_on_its_way():
    x, w, seen = leaf(), leaf(), []
    y, z = x * 2.0, w * 2.0
    z.register_hook(noting(seen, "not on the way"))
    y.register_hook(lambda g: g * 10.0)
    x.register_hook(lambda g: g + 1.0)
    y.grad_fn.register_prehook(lambda g: g * 7.0)
    out = y + z
    assert grad(out, y, retain_graph=True)[0].item() == 10.0
    assert grad(out, x)[0].item() == 141.0
    assert seen == []
    assert x.grad is None


def test_a_hook_of_what_gets_no_gradient_is_not_called():
    x, w, seen = leaf(), leaf(), []
    w.register_hook(noting(seen))
    (x * 2.0).backward()
    assert seen == []


def test_a_hook_that_is_removed_is_not_called_and_may_be_removed_again():
    x, seen = leaf(), []
    first, second = (x.register_hook(noting(seen, name)) for name in "ab")
    (x * x).backward()
    first.remove()
    first.remove()
    (x * x).backward()
    second.remove()
    (x * x).backward()
    assert seen == ["a", "b", "b"]


def test_a_hook_may_remove_or_add_hooks_which_holds_from_the_next_pass_on():
    x, seen = leaf(1.0), []

    def changing(gradient):
        seen.append("a")
        last.remove()
        x.register_hook(noting(seen, "c"))
        own.remove()

    own, last = x.register_hook(changing), x.register_hook(noting(seen, "b"))
    x.backward()
    assert seen == ["a", "b"]
    x.backward()
    assert seen == ["a", "b", "c"]


@pytest.mark.parametrize("hook", [None, 3, "f"])
def test_a_hook_is_a_function(hook):
    x = leaf()
    for register in (x.register_hook, (x * 2.0).grad_fn.register_hook):
        with pytest.raises(TypeError, match="register_hook: a hook is a function"):
            register(hook)


def test_with_create_graph_hooks_get_and_return_recorded_gradients():
    x, seen = leaf(2.0), []
    y = x * x
    handles = [
        y.register_hook(lambda g: seen.append(g.requires_grad) or g * x),
        y.grad_fn.register_hook(lambda gs, g: tuple(d * x for d in gs)),
    ]
    (slope,) = grad(y * y, x, create_graph=True)
    assert seen == [True]
    assert slope.item() == 4 * 2.0**5  # (2 y · x) · x · x for each of two arrows
    # 4 y x³ again: 12 y x² and, through y, the hooks once more, 4 x³ · x · 2 x · x.
    assert grad(slope, x, retain_graph=True)[0].item() == 12 * 2.0**4 + 8 * 2.0**6
    for handle in handles:
        handle.remove()
    assert grad(slope, x)[0].item() == 20 * 2.0**4


def test_without_create_graph_hooks_get_constants():
    x, seen = leaf(2.0), []
    y = x * x
    y.register_hook(lambda g: seen.append((g.requires_grad, is_grad_enabled())))
    y.register_hook(lambda g: g * x)
    y.backward()
    assert seen == [(False, False)]
    assert (x.grad.item(), x.grad.requires_grad) == (8.0, False)


def test_what_a_hook_keeps_stays_as_it_was():
    x, kept = leaf([1.0, 2.0]), []
    y = x * 1.0
    y.register_hook(kept.append)
    (y + x * x + x).backward(Tensor([1.0, 1.0]))
    with no_grad():
        x.grad[...] = 9.0
    assert kept[0].tolist() == [1.0, 1.0]


@pytest.mark.parametrize("create_graph", [False, True])
def test_a_hook_after_a_part_sees_that_part_alone(create_graph):
    x, seen = leaf([1.0, 2.0, 3.0]), []
    y = x * 1.0
    part, other = y[1:], y * 10.0
    part.grad_fn.register_hook(lambda gs, g: seen.append(gs[0].tolist()))
    (part * other[1:]).sum().backward(create_graph=create_graph)
    assert seen == [[0.0, 20.0, 30.0]]
    assert x.grad.tolist() == [0.0, 40.0, 60.0]


@pytest.mark.parametrize("create_graph", [False, True])
def test_a_node_with_a_hook_may_have_saved_its_result_and_more(create_graph):
    x, w = leaf([1.0, 4.0]), leaf([3.0, 5.0])
    for f, slopes in (
        (lambda: np.sqrt(x), ([0.5, 0.25], None)),  # saves its own result
        (lambda: x * w, ([3.0, 5.0], [1.0, 4.0])),  # tensors
        (lambda: x / w, ([1 / 3, 1 / 5], [-1 / 9, -4 / 25])),  # several at once
    ):
        x.grad = w.grad = None
        y = f()
        y.grad_fn.register_hook(lambda *_: None)
        y.sum().backward(create_graph=create_graph)
        for t, slope in zip((x, w), slopes, strict=True):
            assert (t.grad is None) == (slope is None)
            if slope is not None:
                np.testing.assert_allclose(t.grad.data, slope, rtol=1e-15)


def test_a_rule_that_returns_none_is_an_error_where_a_hook_waits():
    x = leaf([1.0])
    y = unary(np.negative, x, lambda g, _: None, None)
    y.retain_grad()
    with pytest.raises(RuntimeError, match=r"<lambda> .* returned None"):
        y.sum().backward()
    assert (x.grad, y.grad) == (None, None)


def test_a_hook_stays_with_a_view_when_another_tensor_is_written_into():
    x, seen = leaf([1.0, 2.0, 3.0]), []
    y = x * 1.0
    part = y[1:]
    part.register_hook(lambda g: seen.append(("part", g.tolist())))
    y.register_hook(lambda g: seen.append(("whole", g.tolist())))
    y[0] = 5.0
    (part * 2.0).sum().backward()
    assert seen == [("part", [2.0, 2.0]), ("whole", [0.0, 2.0, 2.0])]


def gradient_with_a_hook(x, look):
    v = x * 1.0
    part = v[:1]
    part.register_hook(lambda g: g * 100.0)
    u = (part * 3.0).sum()
    v *= 2.0
    look(part)
    return grad(u + v.sum(), x)[0].tolist()


def kept_by_retain_grad(x, look):
    v = x * 1.0
    part = v[:1]
    part.retain_grad()
    part *= 2.0
    look(part)
    v.sum().backward()
    return part.grad


def kept_where_both_were_used(x, look):
    v = x * 1.0
    part = v[:1]
    part.retain_grad()
    u = (part * 3.0).sum()
    v *= 2.0
    look(part)
    (u + (part * 5.0).sum() + v.sum()).backward()
    return part.grad.tolist()


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (gradient_with_a_hook, [302.0, 2.0]),
        (kept_by_retain_grad, None),
        (kept_where_both_were_used, [5.0]),
    ],
)
def test_to_look_at_a_view_after_a_write_changes_nothing(f, expected):
    """As in PyTorch, but that there a look can take what `retain_grad` keeps."""
    for look in (lambda t: None, repr, lambda t: t.requires_grad, lambda t: t.grad_fn):
        assert f(leaf([1.4, 0.4]), look) == expected


def test_the_hook_of_a_tensor_that_is_written_into_sees_the_gradient_before():
    """As in PyTorch: it is about the numbers that the tensor had."""
    x, seen = leaf([1.0, 2.0, 3.0]), []
    y = x * 1.0
    y.register_hook(noting(seen))
    y[0] = 5.0
    (y * 2.0).sum().backward()
    part = (x * 1.0)[1:]
    part.register_hook(noting(seen))
    part *= 3.0
    (part * 2.0).sum().backward()
    assert seen == [[0.0, 2.0, 2.0], [6.0, 6.0]]


def test_a_handle_takes_a_hook_away_after_a_write_too():
    x, seen = leaf([1.0, 2.0]), []
    y = x * 1.0
    part = y[1:]
    handle = part.register_hook(noting(seen, "part"))
    y[0] = 5.0
    assert part.requires_grad
    handle.remove()
    part.sum().backward()
    assert seen == []
