"""Where a use is not recorded, no gradient goes back, and the words say why."""

import json
import re
from html import unescape
from types import SimpleNamespace

import pytest

from autograd_lib.stepper.drawing import dot_source, final_lines
from autograd_lib.stepper.page import step


def node(label, data, parents=(), slopes=()):
    return SimpleNamespace(label=label, data=data, parents=parents, slopes=slopes)


def stepper(x_to_h=2.0, h_to_s=(6.0, 6.0), s_to_y=1.0):
    """Return the steps through y = s + w, s = h², h = x w, at x = 3 and w = 2."""
    x, w = node("x", 3.0), node("w", 2.0)
    h = node("h", 6.0, (x, w), (x_to_h, 3.0))
    s = node("s", 36.0, (h, h), h_to_s)
    return step(node("y", 38.0, (s, w), (s_to_y, 1.0)), code="")


def gradients(one):
    """Return what stands below each value in the end, by label."""
    final = final_lines(one.trace)
    return {n.label: final[f"n{i}"][1] for i, n in enumerate(one.trace.nodes)}


@pytest.mark.parametrize(
    ("stops", "expected"),
    [
        ({}, {"x": "24", "w": "37", "h": "12", "s": "1"}),
        ({"x_to_h": "why"}, {"x": "None", "w": "37", "h": "12", "s": "1"}),
        ({"h_to_s": (6.0, "why")}, {"x": "12", "w": "19", "h": "6", "s": "1"}),
        (
            {"h_to_s": ("why", "why"), "s_to_y": "why"},
            {"x": "None", "w": "1", "h": "None", "s": "None"},
        ),
    ],
)
def test_what_nothing_reaches_has_the_gradient_none(stops, expected):
    found = gradients(stepper(**stops))
    assert found == {name: f"grad {g}" for name, g in expected.items()} | {
        "y": "grad 1"
    }


def test_the_reason_is_said_forward_and_where_the_gradient_stops():
    steps = stepper(h_to_s=(6.0, "this use is detached")).trace.steps
    said = [(s.title, s.node) for s in steps if "this use is detached" in s.sentence]
    assert said == [("Forward", "n3"), ("Backward", "n3")]
    (back,) = [s for s in steps if s.title == "Backward" and "detached" in s.sentence]
    assert back.sentence.endswith("Nothing goes to h: this use is detached.")


def test_a_use_that_is_not_recorded_is_dotted_in_the_drawing():
    trace = stepper(x_to_h="a constant").trace
    dotted = re.findall(r"\b(e\d).*style=dotted", dot_source(trace))
    assert set(dotted) == {f"e{k}" for k in trace.stopped}
    assert len(dotted) == 2  # a half before the word, and one behind


def test_the_page_takes_no_gradient_along_it():
    """Its slope is 0 there, so that no script takes the node for its operation."""
    html = stepper(s_to_y="made under no_grad")._repr_html_()
    data = json.loads(unescape(re.search(r"data-trace='([^']*)'", html)[1]))
    ends = [data["edges"][k] for k, _ in data["handed"]]
    names = [data["nodes"][used][0] for _, used, _ in ends]
    assert names == ["w"]
    assert [slope for user, _, slope in data["edges"] if user == 4] == [0.0, 1.0]
