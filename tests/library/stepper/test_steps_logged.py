"""Passes in another order than the right one, from a log of what was handed over."""

import json
import re
from html import unescape
from types import SimpleNamespace

import pytest

from autograd_lib.scalar.value import Value
from autograd_lib.stepper import side_by_side, step


def example():
    """Return a and c = (b + a) b with b = a a, where going on too early shows."""
    a = Value(1.0, "a")
    b = a * a
    s = b + a
    c = s * b
    b.label, s.label, c.label = "b", "s", "c"
    return a, c


def logged(walk):
    """Return c and what a backward pass, called with a function, hands over."""
    a, c = example()
    log = []

    def hand_over(v, parent, slope):
        parent.grad += slope * v.grad
        log.append((v.label, parent.label, slope * v.grad))

    c.grad = 1.0
    walk(c, hand_over)
    return a.grad, step(c, log=log).trace


def naive(v, hand_over):
    for parent, slope in zip(v.parents, v.slopes, strict=True):
        hand_over(v, parent, slope)
    for parent in v.parents:
        naive(parent, hand_over)


def eager(v, hand_over):
    for parent, slope in zip(v.parents, v.slopes, strict=True):
        hand_over(v, parent, slope)
        eager(parent, hand_over)


def in_order(c, hand_over):
    for v in reversed(step(c).trace.nodes):
        for parent, slope in zip(v.parents, v.slopes or (), strict=True):
            hand_over(v, parent, slope)


def sentences(trace):
    return [trace.text(s.sentence) for s in trace.steps if s.title == "Backward"]


@pytest.mark.parametrize("walk", [naive, eager, in_order])
def test_a_log_is_replayed(walk):
    gradient, trace = logged(walk)
    assert trace.gradients[0] == gradient


def test_the_log_of_the_right_pass_gives_its_steps():
    _, trace = logged(in_order)
    right = step(example()[1]).trace
    assert [s.lines for s in trace.steps] == [s.lines for s in right.steps]
    assert [*map(str, sentences(trace))] == sentences(right)


def test_steps_say_what_goes_on_too_early_and_what_again():
    _, trace = logged(eager)
    assert sentences(trace)[3:] == [
        "b has gradient 1 so far and passes 1 × 1 = 1 to a and 1 × 1 = 1 to a. "
        "a has 1 + 1 = 2 so far.",
        "s has gradient 1 and passes 1 × 1 = 1 to a. a has 2 + 1 = 3 in all.",
        "c has gradient 1 and passes 1 × 2 = 2 to b. b has 1 + 2 = 3 in all.",
        "b has gradient 3 and passes again 3 × 1 = 3 to a and 3 × 1 = 3 to a. "
        "a has 3 + 3 + 3 = 9 now.",
    ]
    assert trace.text(trace.steps[-1].sentence) == (
        "In the end a has 9, and the derivative of c with respect to it is 7."
    )


def test_amounts_may_replace_each_other_as_in_chapter_03():
    x = SimpleNamespace(label="x", parents=(), data=3.0)
    y = SimpleNamespace(label="y", parents=(x,), slopes=(6.0,), data=9.0)
    z = SimpleNamespace(label="z", parents=(y, y), slopes=(1.0, 1.0), data=18.0)
    log = [("z", "y", 1.0), ("y", "x", 6.0)] * 2
    trace = step(z, log=log).trace
    assert trace.gradients == [6.0, 1.0, 1.0]
    assert trace.numbers["r0"] == 12.0


@pytest.mark.parametrize(
    "log",
    [[("c", "s", 2.0)], [("c", "a", 1.0)], [("s", "b", 1.0)], [("c", "s", 1.0)] * 2],
)
def test_a_log_that_does_not_fit_is_refused(log):
    log = [*log, ("s", "b", 7.0)]
    with pytest.raises(ValueError, match="step: the log does not fit the graph: no ar"):
        step(example()[1], log=log)


def test_two_stand_side_by_side_under_their_names():
    pair = side_by_side(one=step(example()[1]), two=step(example()[1]))
    html = pair._repr_html_()
    assert 'aria-label="Side by side: one and two"' in html
    assert html.count("data-trace=") == 2
    assert html.count('<p class="stepper-name">') == 2
    assert repr(pair).startswith("one: 8 steps through a graph\n")


def test_what_cannot_stand_side_by_side_is_named():
    with pytest.raises(ValueError, match="side_by_side: takes two or more, got 1"):
        side_by_side(one=step(example()[1]))
    with pytest.raises(TypeError, match="side_by_side: b is 2; give it what `step`"):
        side_by_side(a=step(example()[1]), b=2)


def test_names_of_numbers_in_labels_are_only_text():
    x = Value(2.0, "{v1}")
    y = x * 3.0
    y.label = "a}b{"
    stepper = step(y)
    assert "The inputs are" not in repr(stepper)
    assert "The input is {v1} = 2." in repr(stepper)
    assert "a}b{, made from {v1} = 2, is 6." in repr(stepper)


def test_infinities_and_nan_reach_the_page():
    root = Value(0.0, "x").log() * 0.0
    html = step(root)._repr_html_()
    data = unescape(re.search(r"data-trace='([^']*)'", html)[1])
    nodes = json.loads(data, parse_constant=pytest.fail)["nodes"]
    assert nodes == [["x", "", 0.0], ["log", "log", float("-inf")], ["*", "*", None]]
