"""Whoever shows a piece of memory learns of a write into it, whatever way it came."""

from __future__ import annotations

import array
import collections
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine import Tensor, from_numpy, grad, no_grad
from autograd_lib.engine.function import Function
from autograd_lib.engine.numpy.coercion import memory_of
from autograd_lib.engine.writes.versions import version_of

WRITTEN = "was written into since"


def leaf(data: Any) -> Tensor:
    return Tensor(data, requires_grad=True)


def gradient(y: Tensor, x: Tensor, retain_graph: bool = False) -> Any:
    (g,) = grad(y, x, retain_graph=retain_graph)
    assert g is not None
    return g.tolist()


@pytest.mark.parametrize(
    ("view", "written", "right"),
    [
        (np.diagonal, lambda y: y.__imul__(10.0), [[20.0, 0.0], [0.0, 20.0]]),
        (np.diag, lambda y: y.__imul__(10.0), [[20.0, 0.0], [0.0, 20.0]]),
        (
            lambda y: np.diagonal(y)[1:],
            lambda y: y.__setitem__((1, 1), 7.0),
            [[0.0, 0.0], [0.0, 0.0]],
        ),
        (
            lambda y: np.broadcast_to(y, (3, 2, 2)),
            lambda y: y.__setitem__(0, 7.0),
            [[0.0, 0.0], [6.0, 6.0]],
        ),
    ],
    ids=["diagonal", "diag", "part of a diagonal", "broadcast_to"],
)
def test_a_view_of_any_kind_learns_of_a_write(
    view: Callable[[Tensor], Tensor], written: Callable[[Tensor], Any], right: Any
) -> None:
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    y = x * 2.0
    v = view(y)
    written(y)
    assert np.array_equal(v.data, view(y).data)
    assert gradient(v.sum(), x) == right


def test_tensors_made_apart_of_one_array_share_its_version() -> None:
    x, numbers = leaf(1.0), np.ones(2)
    p, q = from_numpy(numbers), from_numpy(numbers[::-1])
    z = (x * p).sum()
    q[0] = 5.0
    with pytest.raises(RuntimeError, match=WRITTEN):
        z.backward()
    a, b = Tensor([3.0, 4.0]), Tensor([1.0, 2.0])
    b.data = a.data
    z = (x * a).sum()
    b[0] = 9.0
    with pytest.raises(RuntimeError, match=WRITTEN):
        z.backward()


def test_a_version_ends_with_its_memory() -> None:
    t = Tensor(np.zeros(3))
    t[0] = 1.0
    assert version_of(t.data) > 0
    for _ in range(50):  # arrays that may well lie where others lay before
        t = Tensor(np.zeros(3))
        assert version_of(t.data) == 0
        t[0] = 1.0


def test_arrays_that_numpy_makes_by_strides_lead_to_their_memory() -> None:
    a = np.arange(6.0)
    windows = np.lib.stride_tricks.sliding_window_view(a, 3)
    assert memory_of(windows) is a
    assert memory_of(np.frombuffer(memoryview(a))) is a
    assert memory_of(a[2:].reshape(2, 2).T) is a


@pytest.mark.parametrize("program", ["hook", "backward"])
def test_a_write_during_a_pass_is_noticed(program: str) -> None:
    x = leaf([2.0, 3.0])
    y = x * 1.0

    class Writes(Function):
        @staticmethod
        def forward(ctx: Any, t: Tensor) -> Tensor:
            return t * 1.0

        @staticmethod
        def backward(ctx: Any, g: Tensor) -> Tensor:
            with no_grad():
                y.__imul__(100.0)
            return g

    z = np.exp(y) * y
    if program == "hook":
        z.register_hook(lambda g: Writes.backward(None, g))
        total = z.sum()
    else:
        total = Writes.apply(z).sum()
    with pytest.raises(RuntimeError, match=f"multiply saved an array that {WRITTEN}"):
        total.backward()
    assert x.grad is None


SEQUENCES = [
    lambda: [0, 0, 1],
    lambda: array.array("l", [0, 0, 1]),
    lambda: collections.deque([0, 0, 1]),
    lambda: collections.UserList([0, 0, 1]),
    lambda: memoryview(np.array([0, 0, 1])),
    lambda: Tensor([0, 0, 1]),
    lambda: range(0, 3, 1),
]


@pytest.mark.parametrize("make", SEQUENCES, ids=lambda make: type(make()).__name__)
def test_an_index_of_any_kind_counts_repeats(make: Callable[[], Any]) -> None:
    x, index = leaf([1.0, 2.0, 3.0]), make()
    y = x[index]
    assert y.tolist() == np.array([1.0, 2.0, 3.0])[list(index)].tolist()
    right = np.zeros(3)
    np.add.at(right, list(index), [1.0, 10.0, 100.0])
    assert gradient((y * [1.0, 10.0, 100.0]).sum(), x) == right.tolist()
    written = x * 2.0
    written[make()] = leaf([5.0, 6.0, 7.0])[:] * 10.0
    kept = [float(i not in list(index)) * 2.0 for i in range(3)]
    assert gradient(written.sum(), x) == kept


def test_an_index_that_changes_later_has_been_copied() -> None:
    for make in SEQUENCES[1:3]:
        x, index = leaf([1.0, 2.0, 3.0]), make()
        y = x[index]
        index[0] = 2
        assert gradient(y.sum(), x) == [2.0, 1.0, 0.0]


def test_what_is_no_index_is_refused_before_anything_is_recorded() -> None:
    x = leaf([1.0, 2.0, 3.0])
    for index in (1.5, [0.5], "a", {"a": 1}):
        with pytest.raises(IndexError, match="indexing: only integers"):
            x[index]


def test_a_write_that_ends_half_way_is_a_write() -> None:
    w = leaf([1.0, 2.0])
    y = w * 2.0
    z = (y * y).sum()
    with np.errstate(divide="raise"), no_grad(), pytest.raises(FloatingPointError):
        y /= np.array([0.0, 1.0])
    with pytest.raises(RuntimeError, match=WRITTEN):
        z.backward()


def test_a_write_that_numpy_refuses_is_none() -> None:
    w = leaf([1.0, 2.0])
    y = w * 2.0
    z = (y * y).sum()
    with no_grad(), pytest.raises(ValueError, match="broadcast"):
        y += np.ones(3)
    with no_grad(), pytest.raises(IndexError):
        y[7] = 1.0
    z.backward()
    assert w.grad is not None and w.grad.tolist() == [8.0, 16.0]


def test_an_operand_that_shows_what_is_written_over_is_kept_as_it_was() -> None:
    x = leaf([1.0, 2.0])
    for operand in (lambda y: y, lambda y: y.detach(), lambda y: y.data):
        y = x * 3.0
        y *= operand(y)
        slope = 18.0 if operand(y) is y else 9.0  # of 9x², or of 3x times a constant
        assert gradient(y.sum(), x) == [slope * 1.0, slope * 2.0]


def test_a_constant_that_others_show_takes_no_values_that_need_gradients() -> None:
    u = leaf(1.0)
    t = Tensor(np.zeros(3))
    t[0] = u
    assert gradient(t.sum(), u) == 1.0
    for others in (lambda t: t.detach(), lambda t: t[1:], lambda t: t.data):
        t = Tensor(np.zeros(3))
        shown = others(t)
        with pytest.raises(RuntimeError, match="other tensors or arrays show the same"):
            t[0] = u
        assert t.tolist() == [0.0, 0.0, 0.0] and shown is not None


def test_many_views_and_many_writes_take_linear_time() -> None:
    n = 3_000
    x = leaf(np.ones(n))
    y = x * 1.0
    views = [y[i : i + 1] for i in range(n)]
    for i in range(n):  # quadratic, this is nine million nodes
        y[i] = 2.0
    views[0] *= 3.0
    assert views[0].tolist() == [6.0] and gradient(views[0], x, True) == [0.0] * n
    total = views[1].sum() + y.sum()
    assert gradient(total, x) == [0.0] * n


def test_a_view_whose_base_is_gone_keeps_its_history() -> None:
    x = leaf([1.0, 2.0])
    y = x * 2.0
    first, second = y[:1], y[1:]
    first *= 5.0
    del y
    first *= 2.0
    assert gradient(first.sum() + second.sum(), x) == [20.0, 2.0]


def test_a_view_learns_of_a_write_after_its_own_graph_was_used_up() -> None:
    x = leaf([1.0, 2.0, 3.0])
    y = x * 2.0
    v = y[1:]
    total = v.sum()
    y[1] = 5.0
    total.backward()
    assert x.grad is not None and x.grad.tolist() == [0.0, 2.0, 2.0]
    y = x * 2.0
    v = y[1:]
    y[1] = 5.0
    assert v.retain_grad() is None
    (v * v).sum().backward()
    assert v.grad is not None and v.grad.tolist() == [10.0, 12.0]


class Two(Function):
    """Two results, of which one is saved."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Any:
        y = np.exp(x)
        ctx.save_for_backward(y)
        return y, x * 1.0

    @staticmethod
    def backward(ctx: Any, g: Tensor, h: Tensor) -> Tensor:
        (y,) = ctx.saved_tensors
        return g * y + h


def test_a_saved_output_of_several_is_the_output_itself() -> None:
    x = leaf(0.5)
    y, _ = Two.apply(x)
    (slope,) = grad(y * y, x, create_graph=True)
    assert slope is not None
    # y² = e²ˣ, of which the slope is 2e²ˣ, and the slope of that 4e²ˣ; 2e²ˣ = 2y·y.
    (slope_y,) = grad(slope, y, retain_graph=True)
    (second,) = grad(slope, x)
    assert second is not None and second.item() == pytest.approx(4 * np.exp(1.0))
    assert slope_y is not None and slope_y.item() == pytest.approx(4 * np.exp(0.5))


def test_a_saved_output_that_nobody_keeps_still_leads_on() -> None:
    x = leaf(0.5)
    y, _ = Two.apply(x)
    z = y * y
    del y
    (slope,) = grad(z, x, create_graph=True)
    assert slope is not None
    (second,) = grad(slope, x)
    assert second is not None and second.item() == pytest.approx(4 * np.exp(1.0))


def test_a_backward_cannot_write_into_the_gradient_of_others() -> None:
    class Doubles(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            return x * 2.0

        @staticmethod
        def backward(ctx: Any, g: Tensor) -> Tensor:
            g *= 2.0
            return g

    for create_graph in (False, True):
        x, y, seed = leaf([1.0, 2.0]), leaf([1.0, 2.0]), Tensor([1.0, 1.0])
        with pytest.raises(ValueError, match="must not be written to"):
            (Doubles.apply(x) + y).backward(seed, create_graph=create_graph)
        assert seed.tolist() == [1.0, 1.0] and x.grad is None and y.grad is None
        h = x * 1.0
        h.register_hook(lambda g: g.__imul__(2.0))
        with pytest.raises(ValueError, match="must not be written to"):
            (h + y).backward(seed, create_graph=create_graph)
        assert seed.tolist() == [1.0, 1.0] and y.grad is None


def test_an_empty_view_is_a_view() -> None:
    x = leaf(np.ones(4))
    y = x * 2.0
    h = y[:2]
    for i in range(0, 6, 2):
        y[i : i + 2] *= 3.0  # the last part is empty
    h *= 2.0
    assert gradient(y.sum(), x) == [12.0, 12.0, 6.0, 6.0]
    x = leaf(np.ones((2, 2)))
    y = x * 2.0
    v = y[:1]
    y[0] = 5.0
    empty = y[1:1]
    empty *= 3.0
    assert gradient(v.sum() + y.sum(), x) == [[0.0, 0.0], [2.0, 2.0]]


def test_an_error_of_the_users_own_half_way_is_a_write() -> None:
    def stop(*_: Any) -> None:
        raise ValueError("mine")

    w = leaf([1.0, 2.0])
    y = w * 2.0
    z = (y * y).sum()
    before = np.seterrcall(stop)
    try:
        with (
            np.errstate(divide="call"),
            no_grad(),
            pytest.raises(ValueError, match="m"),
        ):
            y /= np.array([0.0, 1.0])
    finally:
        np.seterrcall(before)
    with pytest.raises(RuntimeError, match=WRITTEN):
        z.backward()


def test_an_input_in_the_middle_needs_no_rules_of_its_own() -> None:
    x = leaf(2.0)
    y = x * x
    y.backward()  # which frees what y was made with
    assert gradient(y * y, y) == 8.0
    y = x * x
    with no_grad():
        x += 1.0
    assert gradient(y * y, y) == 8.0


def test_tiles_are_counted_by_a_tensor_too() -> None:
    assert np.tile(np.ones(2), Tensor(2)).shape == (4,)
    assert np.tile(leaf([1.0]), Tensor([2, 3])).shape == (2, 3)
