"""What a page is given to step through a graph: a drawing, data, words and code."""

import configparser
import json
import re
import sys
import xml.etree.ElementTree as ET
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import pytest

from autograd_lib.scalar.value import Value
from autograd_lib.stepper import drawing
from autograd_lib.stepper.page import assets, step

ROOT = Path(__file__).parents[3]


def example():
    """Return y = x·w + x at x = 3, w = -2, where x is used twice."""
    x, w = Value(3.0, "x"), Value(-2.0, "w")
    y = x * w + x
    y.label = "y"
    return y


def texts(svg):
    """Return the lines of text of each part of a drawing, by its name."""
    found = {}
    for group in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}g"):
        kind, _, name = group.get("class", "").partition(" ")
        lines = [t.text for t in group.iter("{http://www.w3.org/2000/svg}text")]
        if kind == "node":
            found[name] = lines
    return found


def test_the_drawing_is_the_finished_one():
    drawn = texts(step(example())._repr_svg_())
    assert drawn == {
        "n0": ["x", "3", "grad -1"],
        "n1": ["w", "-2", "grad 3"],
        "n2": ["*", "-6", "grad 1"],
        "n3": ["y: +", "-3", "grad 1"],
        "e0": ["× (-2)", "= -2"],
        "e1": ["× 3", "= 3"],
        "e2": ["× 1", "= 1"],
        "e3": ["× 1", "= 1"],
    }


def test_the_drawing_is_described():
    assert step(example()).picture.alt.startswith("A graph of 4 nodes: * -6 from x 3")
    assert 'aria-label="Mine."' in step(example(), alt="Mine.")._repr_html_()


def test_outputs_are_the_same_each_time_and_bring_no_ids():
    first, second = (step(example()) for _ in range(2))
    assert first._repr_html_() == second._repr_html_()
    assert " id=" not in first._repr_html_()


def test_the_data_of_a_page_are_the_steps():
    stepper = step(example())
    text = re.search(r"data-trace='([^']*)'", stepper._repr_html_())[1]
    data = json.loads(unescape(text))
    assert data["steps"] == json.loads(
        json.dumps([[s.title, s.node, s.lines, s.asks] for s in stepper.trace.steps])
    )
    assert data["nodes"] == [
        ["x", "", 3],
        ["w", "", -2],
        ["*", "*", -6],
        ["y", "+", -3],
    ]
    assert data["edges"] == [[2, 0, -2], [2, 1, 3], [3, 2, 1], [3, 0, 1]]


def test_every_output_begins_with_the_same_code_and_ends_by_calling_it():
    name, code = assets()
    for root in (example(), Value(1.0)):
        html = step(root)._repr_html_()
        assert html.startswith(code)
        assert html.endswith(f"<script>{name}()</script>")
        assert html.count(code) == 1
    assert f"window.{name} ??=" in code
    assert "STEPPER" not in code


def test_the_code_is_small():
    assert len(assets()[1].encode()) < 30_000


def test_a_graph_goes_from_left_to_right():
    svg = ET.fromstring(step(example())._repr_svg_())
    width, height = (float(svg.get(side)[:-2]) for side in ("width", "height"))
    assert width > 2 * height


@pytest.mark.parametrize("label", ['"', "'", "<b>&amp;</b>", "\\N", "two\nlines", ""])
def test_any_label_is_shown_as_it_is(label):
    x = SimpleNamespace(label=label, parents=(), data=1.0)
    stepper = step(SimpleNamespace(label="y", parents=(x,), slopes=(2.0,), data=2.0))
    lines = label.split("\n") if label else []
    assert texts(stepper._repr_svg_())["n0"] == [*lines, "1", "grad 2"]
    html = stepper._repr_html_()
    words = ET.fromstring(re.search(r"(?s)<details>.*</details>", html)[0])
    named = f"The input is {' '.join(label.split()) or 'a number'} = 1."
    assert "".join(words.find(".//li").itertext()) == f"Start. {named}"


class LooseText(HTMLParser):
    """The text that is left where a host drops style, script and unknown tags."""

    def __init__(self):
        super().__init__()
        self.inside, self.text = [], ""

    def handle_starttag(self, tag, attrs):
        if tag in ("style", "script", "details"):
            self.inside.append(tag)

    def handle_endtag(self, tag):
        if tag in self.inside:
            self.inside.remove(tag)

    def handle_data(self, data):
        if not self.inside:
            self.text += data.strip()


def test_a_host_that_strips_scripts_and_drawings_is_left_no_loose_text():
    parser = LooseText()
    parser.feed(step(example())._repr_html_())
    assert parser.text == ""
    parser.feed("<p>loose</p>")
    assert parser.text == "loose"


def test_nbval_sees_the_geometry_of_a_page_and_leaves_it_out():
    config = configparser.ConfigParser(interpolation=None)
    config.read(ROOT / "chapters" / "nbval_sanitize.cfg", encoding="utf-8")
    html = re.sub(config["svg"]["regex"], "<svg/>", step(example())._repr_html_())
    assert html.count("<svg/>") == 1
    assert not re.search(r"\d+(\.\d+)?pt|viewBox|points=", html)


def undrawn(monkeypatch):
    monkeypatch.setattr(drawing, "render", lambda dot: None)


def test_without_a_renderer_there_is_a_table_of_the_finished_graph(monkeypatch):
    drawn = repr(step(example()))
    undrawn(monkeypatch)
    stepper = step(example())
    assert stepper._repr_svg_() is None
    assert repr(stepper) == drawn
    table = ET.fromstring(re.search(r"(?s)<table>.*</table>", stepper._repr_html_())[0])
    rows = {
        row.get("data-part"): [cell.text for cell in row]
        for row in table.iter("tr")
        if row.get("data-part")
    }
    assert rows == {
        "n0": ["x", None, "3", "grad -1"],
        "n1": ["w", None, "-2", "grad 3"],
        "n2": ["*", "x × (-2), w × 3", "-6", "grad 1"],
        "n3": ["y", "* × 1, x × 1", "-3", "grad 1"],
    }


def test_without_the_graphviz_package_there_is_the_table_too(monkeypatch):
    monkeypatch.setitem(sys.modules, "graphviz", None)
    assert "<table>" in step(example())._repr_html_()
