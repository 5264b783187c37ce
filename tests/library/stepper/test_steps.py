"""The steps through a graph: their gradients, their sentences, and what they refuse."""

import math
import re
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograd_lib.graph import topological_order
from autograd_lib.scalar.float_var import float_var, sin
from autograd_lib.scalar.value import Value
from autograd_lib.stepper.drawing import final_lines
from autograd_lib.stepper.nodes import parents_of
from autograd_lib.stepper.numbers import factor, short
from autograd_lib.stepper.page import step
from autograd_lib.stepper.steps import Trace

OPERATIONS = [
    lambda a, b: a + b,
    lambda a, b: a * b,
    lambda a, b: a - b,
    lambda a, b: a / b,
    lambda a, b: a * a,
    lambda a, b: b.tanh(),
    lambda a, b: a.relu() + 0.5,
]
DIRECTIONS = ("Forward", "Backward")


def node(label, parents=(), slopes=(), **more):
    return SimpleNamespace(label=label, parents=parents, slopes=slopes, **more)


def example():
    """Return y = x·w + x at x = 3, w = -2, where x is used twice."""
    x, w = Value(3.0, "x"), Value(-2.0, "w")
    y = x * w + x
    y.label = "y"
    return y


@st.composite
def graphs(draw):
    """Return the last of some Values that were made from any of those before."""
    numbers = st.floats(-3, 3)
    values = [Value(draw(numbers), f"x{i}") for i in range(draw(st.integers(1, 3)))]
    for _ in range(draw(st.integers(0, 12))):
        a, b = (draw(st.sampled_from(values[-4:] + values[:1])) for _ in "ab")
        values.append(draw(st.sampled_from(OPERATIONS))(a, b))
    return values[-1]


def agree(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) or (a != a and b != b)


@given(graphs())
def test_the_steps_end_at_the_gradients_of_backward(root):
    trace = Trace(topological_order(root, parents_of))
    assert all(v.grad == 0.0 for v in trace.nodes)
    root.backward()
    for v, gradient in zip(trace.nodes, trace.gradients, strict=True):
        # A sum of huge terms may depend on their order.
        huge = any(abs(e.slope) > 1e6 for e in trace.edges)
        assert huge or agree(v.grad, gradient), (v, gradient)


@given(graphs())
def test_what_the_steps_write_is_in_the_end_every_value_slope_and_gradient(root):
    trace = Trace(topological_order(root, parents_of))
    expected = {
        f"n{i}": (short(v), f"grad {short(g)}")
        for i, (v, g) in enumerate(zip(trace.values, trace.gradients, strict=True))
    }
    for k, e in enumerate(trace.edges):
        passed = short(trace.gradients[e.user] * e.slope)
        expected[f"e{k}"] = (f"× {factor(e.slope)}", f"= {passed}")
    assert final_lines(trace) == expected


@given(graphs())
def test_every_made_node_works_once_in_each_direction(root):
    trace = Trace(topological_order(root, parents_of))
    made = [f"n{i}" for i in range(len(trace.nodes)) if trace.is_made(i)]
    visits = [[s.node for s in trace.steps if s.title == t] for t in DIRECTIONS]
    seed = [f"n{len(trace.nodes) - 1}"]
    assert visits == [made, seed + made[::-1]]


def test_a_small_graph_has_these_steps():
    assert repr(step(example())) == (
        "6 steps through a graph\n"
        "  0. Start: The inputs are x = 3 and w = -2.\n"
        "  1. Forward: *, made from x = 3 and w = -2, is -6. "
        "Its slopes are -2 for x and 3 for w.\n"
        "  2. Forward: y, made from * = -6 and x = 3, is -3. "
        "Its slopes are 1 for * and 1 for x.\n"
        "  3. Backward: The gradient of y with respect to itself is 1.\n"
        "  4. Backward: y has gradient 1 and passes 1 × 1 = 1 to * and 1 × 1 = 1 to x. "
        "x has 1 so far.\n"
        "  5. Backward: * has gradient 1 and passes 1 × (-2) = -2 to x and "
        "1 × 3 = 3 to w. x has 1 + (-2) = -1 in all.\n"
        "  6. Finished: The gradient of y is -1 for x and 3 for w."
    )


def test_a_value_is_asked_for_where_all_that_it_takes_is_drawn():
    x, y = Value(2.0, "x"), Value(5.0, "y")
    s = x + y
    s.label = "s"
    trace = step(((s * x).tanh() + 5.5) ** 2).trace
    asked = [s.asks for s in trace.steps if s.title == "Forward"]
    assert [a and trace.text(f"{a[0]} {{{a[1]}}}") for a in asked] == [
        "s is made from x = 2 and y = 5 with +. What is it? 7",
        "* is made from s = 7 and x = 2. What is it? 14",
        "tanh is made from * = 14. What is it? 1",
        None,  # the 5.5 is no node
        "**2 is made from + = 6.5. What is it? 42.25",
    ]


def test_a_sum_that_is_not_complete_is_marked():
    trace = step(example()).trace
    sums = [trace.text(s.lines["n0"][1]) for s in trace.steps if "n0" in s.lines]
    assert sums == ["", "grad 1 + …", "grad -1"]


def test_a_number_used_twice_by_one_node_gets_both_shares_in_one_step():
    x = Value(3.0, "x")
    trace = step(x * x).trace
    shares = trace.steps[-2]
    assert {
        name: tuple(map(trace.text, both)) for name, both in shares.lines.items()
    } == {
        "e0": ("× 3", "= 3"),
        "e1": ("× 3", "= 3"),
        "n0": ("3", "grad 6"),
    }
    assert trace.text(shares.sentence).endswith("x has 3 + 3 = 6 in all.")


def test_names_that_are_shared_or_missing_are_told_apart_by_values():
    a, b = Value(1.0), Value(2.0)
    text = repr(step((a + b) + b))
    assert "a number = 1 and a number = 2." in text
    assert "made from + = 3 and a number = 2, is 5." in text
    assert "1 for + (3) and 1 for a number (2)." in text


def test_a_single_number_has_steps_too():
    assert [s.title for s in step(Value(2.0, "x")).trace.steps] == [
        "Start",
        "Backward",
        "Finished",
    ]


def test_inf_and_nan_are_numbers():
    trace = step(Value(0.0, "x").log() * 0.0).trace
    assert trace.gradients[-1] == 1.0
    assert math.isnan(trace.gradients[0])
    assert final_lines(trace)["n0"] == ("0", "grad nan")


def test_a_node_may_be_a_float_itself():
    x = float_var(2.0, "x")
    y = node("y", (x,), (5.0,), data=10.0)
    assert step(y).trace.gradients == [5.0, 1.0]


def test_gradients_that_a_node_has_already_are_neither_used_nor_changed():
    y = example()
    y.backward()
    x = y.parents[1]
    assert (x.grad, step(y).trace.gradients[0], x.grad) == (-1.0, -1.0, -1.0)


LEAF = node("x", data=1.0)


@pytest.mark.parametrize(
    ("root", "error", "sentence"),
    [
        (sin(float_var(1.0)), TypeError, "has no slopes, so there is nothing to"),
        (1.0, TypeError, "1.0 has no parents; a node to step through needs `parents`"),
        (SimpleNamespace(parents=()), TypeError, "has no label; a node to step"),
        (node("x"), TypeError, "has no number; a node to step through is a float"),
        (node("x", data=[1.0]), TypeError, "has no number"),
        (node("y", (LEAF,), (1.0, 2.0), data=1.0), ValueError, "1 parents and 2 slope"),
        (node("y", (LEAF,), (None,), data=1.0), TypeError, "has the slope None; a slo"),
    ],
)
def test_what_cannot_be_stepped_through_is_named(root, error, sentence):
    with pytest.raises(error, match=rf"step: .*{re.escape(sentence)}"):
        step(root)


def test_a_graph_too_large_is_refused():
    x = Value(1.0)
    for _ in range(60):
        x = x + 1
    with pytest.raises(ValueError, match="has 61 nodes, more than 60; step through a"):
        step(x)
    assert len(step(x.parents[0]).trace.nodes) == 60


def test_a_cycle_is_refused():
    y = example()
    y._x._x = y
    with pytest.raises(ValueError, match="a node is made from itself"):
        step(y)
