"""Dot: a sum of products as one node, and what a pass does with it."""

from __future__ import annotations

import gc
import math
import operator
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograd_lib.book.draw import draw
from autograd_lib.graph import topological_order
from autograd_lib.scalar.dot import Dot, Vector
from autograd_lib.scalar.float_var import float_var
from autograd_lib.scalar.value import Value, node
from autograd_lib.stepper.page import step
from autograd_lib.stepper.steps import Trace

INF, NAN = math.inf, math.nan

# A step makes a vector of three earlier numbers and then a dot of two vectors, with or
# without relu; a place counts back from the newest. With four steps, and inputs of at
# most 3, all are whole numbers below 2**53: sums are exact, in whatever order.
place = st.integers(0, 9)
steps = st.tuples(st.tuples(place, place, place), place, place, st.booleans())
programs = st.lists(steps, min_size=1, max_size=4)
points = st.lists(st.integers(-3, 3), min_size=3, max_size=3)


def plain(weights: list[Any], inputs: list[Any], relu: bool) -> Value:
    total = sum(map(operator.mul, weights, inputs), Value(0.0))
    return total.relu() if relu else total


def run(
    program: Any, point: list[int], vector: Any = Vector, dot: Any = Dot
) -> tuple[list[Value], list[Value], Value]:
    """Return the inputs, the dots, and the sum of the dots."""
    inputs = [Value(v) for v in point]
    numbers: list[Any] = [*inputs, -2.0]
    vectors: list[Any] = []
    for places, w, x, relu in program:
        vectors.append(vector([numbers[-1 - p % len(numbers)] for p in places]))
        weights, others = (vectors[-1 - i % len(vectors)] for i in (w, x))
        numbers.append(dot(weights, others, relu))
    dots = numbers[4:]
    return inputs, dots, sum(dots, Value(0.0))


def unsettled(root: Value) -> list[Any]:
    nodes = topological_order(root)
    dots = [v for v in nodes if isinstance(v, Dot)]
    vectors = [vector for v in dots for vector in (v._weights, v._inputs)]
    return [v for v in [*nodes, *vectors] if v._pending]


def grads(numbers: Sequence[Value]) -> list[float]:
    return [v.grad for v in numbers]


@settings(max_examples=500)
@given(programs, points)
def test_a_dot_is_a_sum_of_products(program: Any, point: list[int]) -> None:
    inputs, dots, out = run(program, point)
    others, sums, total = run(program, point, list, plain)
    out.backward()
    total.backward()
    assert [v.data for v in dots] == [v.data for v in sums]
    assert (grads(inputs), grads(dots)) == (grads(others), grads(sums))
    assert unsettled(out) == []
    out.backward()
    assert grads(inputs) == [2 * grad for grad in grads(others)]
    assert grads(dots) == grads(sums)


@given(programs, points)
def test_a_pass_follows_the_slopes(program: Any, point: list[int]) -> None:
    _, _, out = run(program, point)
    order = topological_order(out)
    out.backward()
    expected = {id(v): 0.0 for v in order} | {id(out): 1.0}
    for v in reversed(order):
        for parent, slope in zip(v.parents, v.slopes, strict=True):
            expected[id(parent)] += expected[id(v)] * slope
    assert grads(order) == [expected[id(v)] for v in order]
    assert Trace(order).gradients == grads(order)


def test_leaves_add_up_and_what_is_between_does_not() -> None:
    a = Value(3.0)
    b = Dot([a], (a,))
    c = Dot(Vector([b]), [2.0])
    for total in (12.0, 24.0):
        c.backward()
        assert (a.grad, b.grad, c.grad) == (total, 2.0, 1.0)
    a.grad = 0
    Dot(iter([b]), Vector([a])).backward()
    assert a.grad == 27.0


def test_one_number_can_be_everywhere_at_once() -> None:
    x = Value(3.0)
    v = Vector([x, x])
    y = Dot(v, v)
    y.backward()
    assert (y.data, x.grad) == (18.0, 12.0)
    assert (y.parents, y.slopes) == ((x,) * 4, (3.0,) * 4)


def test_plain_numbers_are_constants() -> None:
    x = Value(4.0)
    kinds: list[Any] = [1, 2.0, np.float64(3.0), np.float32(4.0), np.array(5.0), x]
    y = Dot(Vector(kinds), Vector(range(6)))
    y.backward()
    assert (y.data, y.parents, y.slopes, x.grad) == (60.0, (x,), (5.0,), 5.0)
    assert type(y.data) is float
    alone = Dot([2.0], Vector([3]))
    alone.backward()
    assert (alone.data, alone.grad, alone.parents, alone.slopes) == (6.0, 1.0, (), ())


@pytest.mark.parametrize("weight", [-1.0, 0.0, -0.0, -INF])
def test_where_relu_is_off_nothing_is_handed_over(weight: float) -> None:
    w, x, constant = Value(weight), Value(2.0), Value(1.0)
    inner = x * 1.0
    off = Dot(Vector([w]), Vector([inner]), relu=True)
    w.grad, x.grad = 7.0, 8.0
    Dot(Vector([off, 1.0]), Vector([INF, constant])).backward()
    assert repr(off.data) == "0.0"
    assert off.slopes == (0.0, 0.0)
    assert grads([off, w, inner, x, constant]) == [INF, 7.0, 0.0, 8.0, 1.0]


def test_infinities_and_nan_pass_where_relu_does_not_stop_them() -> None:
    x = Value(1.0)
    shared, rows = Vector([x]), [Vector([v]) for v in (INF, -INF, NAN)]
    sum((Dot(shared, v, relu=True) for v in rows[:2]), Dot(shared, shared)).backward()
    assert x.grad == INF
    Dot(shared, rows[2]).backward()
    assert math.isnan(x.grad)


def test_a_dot_can_be_printed_ordered_drawn_and_stepped_through() -> None:
    b, w, x = (Value(v, name) for v, name in ((1.0, "b"), (2.0, "w"), (5.0, "x")))
    y = Dot(Vector([b, w]), Vector([1.0, x]), relu=True)
    y.backward()
    assert (repr(y), y._prev) == ("Value(data=11.0, grad=1.0)", {b, w, x})
    assert (y._op, Dot(Vector([b]), Vector([w])).label) == ("relu dot", "dot")
    assert {v.label for v in topological_order(y)[:3]} == {"b", "w", "x"}
    assert 'label="relu dot\n11\ngrad 1"' in repr(draw(y))
    assert "slopes are 1 for b, 5 for w and 2 for x" in repr(step(y))


def test_read_takes_new_numbers_and_earlier_dots_keep_theirs() -> None:
    w, x = Value(2.0), Value(5.0)
    weights, inputs = Vector([w, 1.0]), Vector([x, 1.0])
    old = Dot(weights, inputs)
    w.data, x.data = 20.0, 50.0
    assert Dot(weights, inputs).data == old.data == 11.0
    weights.read()
    inputs.read()
    new = Dot(weights, inputs)
    assert (new.data, new.slopes, old.slopes) == (1001.0, (50.0, 20.0), (5.0, 2.0))
    (new + old).backward()
    assert (w.grad, x.grad) == (50.0 + 5.0, 20.0 + 2.0)


def test_an_operation_of_ones_own_is_a_call_of_node() -> None:
    x, y = Value(2.0), Value(3.0)
    (node(12.0, "x²y", x, 12.0, y, 4.0) * node(8.0, "cube", x, 12.0)).backward()
    assert (x.grad, y.grad) == (12.0 * 8 + 12.0 * 12, 4.0 * 8)


def test_a_chain_of_twenty_thousand_is_freed_without_the_collector() -> None:
    def alive() -> int:
        return sum(type(v) in (Dot, Value, Vector, list) for v in gc.get_objects())

    x, w = Value(1.0), Value(1.0)
    weights = Vector([w])
    gc.disable()
    try:
        before = alive()
        y: Value = x
        for _ in range(20_000):
            y = Dot(weights, Vector([y]), relu=True)
        held = alive()
        y.backward()
        assert (y.data, x.grad, w.grad) == (1.0, 1.0, 20_000.0)
        assert alive() == held
        del y
        assert alive() == before < held
    finally:
        gc.enable()


class Interrupting(float):
    """A slope at which the user presses the interrupt key."""

    def __rmul__(self, other: Any) -> Any:
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        (lambda g: (g.w, "grad", None), "NoneType"),
        (lambda g: (g.inner, "_x_row", [3.0, Interrupting(1.0)]), "^$"),
        (lambda g: (g.top, "items", (g.inner, g.out)), "made from itself"),
        (lambda g: (g.weights, "items", (g.w, g.inner)), "made from itself"),
    ],
)
def test_a_pass_after_a_failed_one_is_right(
    monkeypatch: pytest.MonkeyPatch, broken: Callable[[Any], Any], problem: str
) -> None:
    g = SimpleNamespace(x=Value(3.0), w=Value(2.0))
    g.weights = Vector([g.w, g.x])
    g.inner = Dot(g.weights, Vector([g.x, 1.0]), relu=True)
    g.top = Vector([g.inner, g.x])
    g.out = Dot(g.weights, g.top)
    g.x.grad, g.w.grad = 10.0, 20.0
    with monkeypatch.context() as patch:
        patch.setattr(*broken(g))
        with pytest.raises((TypeError, KeyboardInterrupt, ValueError), match=problem):
            g.out.backward()
        assert g.w.grad in (None, 20.0)
        assert g.x.grad == 10.0
    assert unsettled(g.out) == []
    g.x.grad = g.w.grad = 0.0
    g.out.backward()
    # out = w (w x + x) + x² = w² x + w x + x²
    assert (g.x.grad, g.w.grad) == (4.0 + 2.0 + 6.0, 12.0 + 3.0)


def test_what_does_not_fit_is_refused() -> None:
    no_number: dict[str, Any] = {
        r"Vector: an item must be one real number, got 'a'; convert text with": "a",
        r"got \[1.0\]; .* take the elements of a list or an array one by": [1.0],
        r"an item is a float_var, whose gradient .* a Value of it": float_var(1.0),
    }
    for message, item in no_number.items():
        with pytest.raises(TypeError, match=message):
            Vector([1.0, item])
    with pytest.raises(ValueError, match="Dot: there are 2 weights and 3 inputs; give"):
        Dot(Vector([1.0, Value(2.0)]), [1.0] * 3)
