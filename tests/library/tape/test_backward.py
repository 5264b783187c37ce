"""What a pass adds up and where, and that one which fails changes nothing."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.leaves.grad_mode import no_grad
from autograd_lib.engine.tape import walk
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.record import OUTPUT, unary
from autograd_lib.engine.tape.tensor import Tensor

# Whole numbers and halves below 2**53: sums of them are exact, so `==` is used.


def leaf(data: Any) -> Tensor:
    return Tensor(data, requires_grad=True, dtype=float)


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_uses_add_up() -> None:
    a = leaf(1.0)
    b = a * a
    ((b + a) * b).backward()
    assert a.grad.item() == 7.0


def test_leaves_accumulate_and_what_is_in_between_does_not() -> None:
    a = leaf(3.0)
    c = a * a * 2
    c.backward(retain_graph=True)
    first = a.grad
    c.backward()
    assert (a.grad.item(), first.item()) == (24.0, 12.0)
    a.grad = None
    c = a * a * a
    c.backward(retain_graph=True)
    a.grad = Tensor(0.0)
    c.backward()
    assert a.grad.item() == 27.0


def test_a_freed_graph_is_refused_before_anything_is_calculated() -> None:
    calls = []

    def rule(g: Any, _: Any) -> Any:
        calls.append(g)
        return g

    a = leaf(3.0)
    square = a * a
    square.backward()
    later = unary(np.exp, square, rule, None) + unary(np.exp, a, rule, None)
    for attempt in (
        later.backward,
        square.backward,
        lambda: grad(later, a),
        lambda: grad(square, a, allow_unused=True),
    ):
        with pytest.raises(
            RuntimeError, match=r"has gone through this .* retain_graph"
        ):
            attempt()
    assert (a.grad.item(), calls) == (6.0, [])
    assert repr(square.grad_fn) == "<Node: freed ()>"


def test_retain_graph_follows_create_graph() -> None:
    a = leaf(2.0)
    y = a * a
    y.backward(create_graph=True)
    y.backward(create_graph=True, retain_graph=False)
    with pytest.raises(RuntimeError, match="has gone through this graph"):
        y.backward()
    assert a.grad.item() == 8.0


def test_a_cycle_made_by_hand_is_an_error() -> None:
    x = leaf(1.0)
    y = x * 2
    z = y * 3 + x
    y.node.edges = (*y.node.edges, (z.node, lambda g, _: g, None))
    for attempt in (z.backward, lambda: grad(z, x)):
        with pytest.raises(RuntimeError, match="the graph has a cycle; a node's edges"):
            attempt()
    assert (x.grad, x.node.grad) == (None, None)


def test_a_result_of_several_elements_needs_a_gradient() -> None:
    x = leaf([1.0, 2.0])
    y = x * 2
    for result in (y, x[:0], x * [[1.0], [2.0]]):
        with pytest.raises(
            ValueError, match=r"^backward: the result has shape .* sum\("
        ):
            result.backward()
    for bad in (1.0, [1.0], np.ones((2, 1)), Tensor([1.0, 2.0, 3.0])):
        with pytest.raises(ValueError, match=r"gradient has shape .* result \(2,\)"):
            y.backward(bad)
    with pytest.raises(TypeError, match="needs numbers"):
        y.backward(["a", "b"])
    assert x.grad is None
    y.backward([1, 10])
    assert x.grad.tolist() == [2.0, 20.0]
    (leaf([[3.0]]) * x.sum()).backward()
    x[:0].backward(np.ones(0))
    assert x.grad.tolist() == [5.0, 23.0]


def test_a_result_that_needs_none_is_refused() -> None:
    x = leaf(1.0)
    with no_grad():
        unrecorded = x * 2
    for y in (Tensor(1.0), unrecorded, (x * 2).detach(), Tensor(2) * 3):
        with pytest.raises(
            RuntimeError,
            match=r"backward: this result needs no gradient.* no_grad or by detach",
        ):
            y.backward()
    x.backward()
    assert x.grad.item() == 1.0


@pytest.mark.parametrize("error", [KeyError, KeyboardInterrupt, RecursionError])
@pytest.mark.parametrize("create_graph", [False, True])
def test_a_rule_that_fails_leaves_every_grad(error: Any, create_graph: bool) -> None:
    fails = True

    def rule(g: Any, _: Any) -> Any:
        if fails:
            raise error
        return g

    x, w = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    w.grad = Tensor([7.0, 7.0])
    middle = unary(np.negative, x * w, rule, None)
    y = (middle * 2 + w).sum()
    middle.retain_grad()
    with pytest.raises(error):
        y.backward(create_graph=create_graph)
    assert (x.grad, w.grad.tolist(), middle.grad) == (None, [7.0, 7.0], None)
    assert [t.node.grad for t in (x, w, middle, y)] == [None] * 4
    assert not walk._running
    fails = False
    (x * w + unary(np.negative, w, rule, None)).sum().backward()
    assert (x.grad.tolist(), w.grad.tolist()) == ([3.0, 4.0], [9.0, 10.0])
    assert not walk._running


def test_depth_and_number_of_paths_do_not_matter() -> None:
    x = y = leaf(1.0)
    for _ in range(200_000):
        y = -y
    y.backward()
    assert x.grad.item() == 1.0
    del y
    x = y = leaf(1.0)
    for _ in range(10_000):
        y = (y + y) * 0.5
    (slope,) = grad(y, x, retain_graph=True)
    y.backward()
    assert (x.grad.item(), slope.item()) == (1.0, 1.0)


@pytest.mark.usefixtures("no_collector")
def test_a_long_graph_that_nobody_walks_is_freed() -> None:
    y = leaf(1.0)
    for _ in range(200_000):
        y = y * 1.0
    node = weakref.ref(y.node)
    del y
    assert node() is None


PROGRAMS: dict[str, Callable[[Tensor], Tensor]] = {
    "products": lambda x: ((x * x + x) * x).sum(),
    "own result": lambda x: unary(np.exp, x, lambda g, y: g * y, OUTPUT).sum(),
    "matrix": lambda x: (x.reshape(2, 2) @ x.reshape(2, 2)).sum(),
    "slices": lambda x: (x[1:] * x[:-1] + x[[0, 0, 1]]).sum(),
    "broadcast": lambda x: (x.reshape(4, 1) * x).sum(axis=0).sum(),
}


@pytest.mark.usefixtures("no_collector")
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("way", ["nothing", "backward", "grad", "second"])
def test_nothing_stays_alive_after_a_pass(program: str, way: str) -> None:
    before = [o for o in gc.get_objects() if type(o).__name__ in ("Node", "Tensor")]
    x = leaf([1.0, 2.0, 3.0, 4.0])
    y = PROGRAMS[program](x)
    array = weakref.ref(y.data)
    if way == "backward":
        y.backward()
        assert x.grad is not None
        x.grad = None
    elif way == "grad":
        grad(y, x)
    elif way == "second":
        (slope,) = grad(y, x, create_graph=True)
        grad(slope.sum(), x)
        del slope
    del y
    assert array() is None
    del x
    after = [o for o in gc.get_objects() if type(o).__name__ in ("Node", "Tensor")]
    assert len(after) == len(before)


@pytest.mark.filterwarnings("ignore:multiply. an operand of float64")
def test_gradients_have_the_leafs_type() -> None:
    single = Tensor([1.0, 2.0], requires_grad=True, dtype=np.float32)
    double = leaf([3.0, 4.0])
    y = (single * double).sum()
    for k, create_graph in enumerate((True, False, True), 1):
        y.backward(create_graph=create_graph, retain_graph=True)
        assert (single.grad.dtype, double.grad.dtype) == (np.float32, np.float64)
        kinds = [g.dtype for g in grad(y, [single, double], None, True, create_graph)]
        assert kinds == [np.float32, np.float64]
        assert single.grad.tolist() == [3.0 * k, 4.0 * k]
