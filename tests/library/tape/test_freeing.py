"""What a graph holds goes when it is used, or when nobody asks for it any more."""

from __future__ import annotations

import gc
import tracemalloc
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.function import Function
from autograd_lib.engine.leaves.grad_mode import no_grad
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.node import Saved, SavedOutput
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.graph import topological_order
from tests.library.helpers.witness_of_writes import leaf

N = 10_000
ARRAY = 8 * N  # bytes of an array of N floats
SLACK = 4_000 + ARRAY // 4  # of Python's own objects; far less than an array


@pytest.fixture(autouse=True)
def without_collector() -> Iterator[None]:
    """Let nothing be found by the garbage collector: only references count."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def bytes_left(f: Callable[[], Any]) -> int:
    """Return how many bytes more are in use while what f returned is kept."""
    f()  # what is made only once, such as caches, is made here
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = f()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del kept
    return after - before


def peak(f: Callable[[], Any]) -> int:
    """Return the most bytes in use at a time within f."""
    f()
    tracemalloc.start()
    f()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def chain(x: Any, length: int = 20) -> Any:
    """Return a result for which each step has saved an array of its own."""
    for _ in range(length):
        x = np.exp(x * 0.01)
    return x.sum()


class Cube(Function):
    """Saves its input and its result, and so is asked for both in a pass."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        y = x * x * x
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        x, _ = ctx.saved_tensors
        return 3 * g * x * x


def in_place(x: Any) -> Any:
    """Write through a view, with other views around."""
    y = x * 2.0
    parts = [y[i::3] for i in range(3)]
    parts[0] *= x[0]
    parts[1][...] = 0.5
    return (y * y).sum() + parts[2].sum()


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "a chain": chain,
    "a Function": lambda x: Cube.apply(x).sum(),
    "writes": in_place,
    "a saved result that was shown": lambda x: np.tanh(x).reshape(2, -1)[0].sum(),
    "hooks": lambda x: hooked(np.exp(x)).sum(),
}


def hooked(t: Any) -> Any:
    t.register_hook(lambda g: g * 2.0)
    t.retain_grad()
    return t


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_memory_returns_without_the_collector(program: Any) -> None:
    x = leaf(np.linspace(0.0, 1.0, N - N % 6))
    assert bytes_left(lambda: (program(x), None)[1]) < SLACK  # never gone through

    def once() -> None:
        program(x).backward()
        x.grad = None

    assert bytes_left(once) < SLACK

    def twice() -> None:
        (slope,) = grad(program(x), x, create_graph=True)
        grad((slope * slope).sum(), x)  # type: ignore[operator]

    assert bytes_left(twice) < SLACK


def test_a_result_keeps_what_was_saved_until_a_pass_frees_it() -> None:
    x = leaf(np.linspace(0.0, 1.0, N))
    assert abs(bytes_left(lambda: chain(x)) - 20 * ARRAY) < SLACK

    def walked(retain: bool) -> Any:
        y = chain(x)
        y.backward(retain_graph=retain)
        x.grad = None
        return y

    assert bytes_left(lambda: walked(False)) < SLACK
    assert abs(bytes_left(lambda: walked(True)) - 20 * ARRAY) < SLACK


def test_a_pass_frees_as_it_goes() -> None:
    """At each node, all that came after it in the calculation is gone."""
    x = leaf(np.linspace(0.0, 1.0, N))
    held: list[int] = []
    t, nodes = x, []
    for _ in range(5):
        t = np.exp(t * 0.1)
        assert t.node is not None
        nodes.append(weakref.ref(t.node.edges[0][2].array))  # type: ignore[index]
        t.register_hook(lambda _: held.append(sum(r() is not None for r in nodes)))
    total = t.sum()
    del t
    total.backward()
    assert held == [5, 4, 3, 2, 1]
    assert total.node is not None and total.node.edges is None


def test_the_peak_is_that_of_the_forward_pass() -> None:
    """Gradients take the place of what was freed: two or three arrays at a time."""
    x = leaf(np.linspace(0.0, 1.0, N))
    forward = peak(lambda: chain(x))

    def both() -> None:
        chain(x).backward()
        x.grad = None

    assert peak(both) < forward + 3 * ARRAY


def test_a_list_of_losses() -> None:
    """A loss that was gone back from keeps a number; another one keeps its graph."""
    x = leaf(np.linspace(0.0, 1.0, N))

    def losses(what: Callable[[Any], Any], walk: bool) -> list[Any]:
        kept = []
        for _ in range(10):
            y = chain(x, 2)
            if walk:
                y.backward()
                x.grad = None
            kept.append(what(y))
        return kept

    def itself(y: Any) -> Any:
        return y

    assert bytes_left(lambda: losses(itself, walk=False)) > 10 * 2 * ARRAY
    assert bytes_left(lambda: losses(itself, walk=True)) < 10 * 1_000 + SLACK
    for what in (Tensor.item, Tensor.detach):
        assert bytes_left(lambda w=what: losses(w, walk=False)) < 10 * 500 + SLACK  # type: ignore


def test_without_recording_nothing_is_kept() -> None:
    x = leaf(np.linspace(0.0, 1.0, N))
    with no_grad():
        assert bytes_left(lambda: chain(x)) < SLACK
    assert bytes_left(lambda: chain(x.detach())) < SLACK


def test_a_detached_tensor_keeps_its_array_only() -> None:
    x = leaf(np.linspace(0.0, 1.0, N))
    y = np.exp(x) * 2.0
    node, constant = weakref.ref(y.node), y.detach()
    del y
    assert node() is None
    constant += 1.0
    assert constant.node is None


def test_a_buffer_keeps_no_tensor_and_no_graph() -> None:
    y = leaf(np.ones(4)) * 2.0
    view = y[:2]
    view += 1.0
    refs = [weakref.ref(y), weakref.ref(y.node)]
    storage = view._storage
    del y, view
    assert [r() for r in refs] == [None, None]
    assert storage is not None and storage.take_sharers() == []


@pytest.mark.exhaustive
def test_a_million_views_of_one_tensor() -> None:
    t = leaf(np.zeros(3))
    for _ in range(1_000_000):
        t[:2]
    assert t._storage is not None
    assert len(t._storage._sharers) <= 2 * 8


def test_views_that_are_not_recorded_leave_nothing_behind() -> None:
    t, x = Tensor(np.zeros(3)), leaf(np.zeros(3))
    with no_grad():
        views = [t[:2], t.reshape(3, 1), x[1:]]
    assert t._storage is None and all(v._storage is None for v in views[:2])
    assert views[2]._lender() is x.node  # which no write through the view may change


def test_a_graph_holds_no_data_but_what_was_saved() -> None:
    x = leaf(np.linspace(0.0, 1.0, N))
    y = ((x + 1.0) * 2.0 - x).reshape(2, -1).sum()
    for node in topological_order(y.node):
        for _, _, saved in node.edges or ():
            for item in saved.items if isinstance(saved, Saved) else (saved,):
                assert not isinstance(item, np.ndarray | Tensor | SavedOutput)
