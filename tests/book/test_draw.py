"""Drawings of anything with parents and a label, whatever can or cannot draw them."""

import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from importlib.resources import files
from types import SimpleNamespace

import pytest

from autograd_lib.book import ready
from autograd_lib.book.draw import (
    COLOURS,
    MISSING,
    TALLEST,
    Undrawn,
    draw,
    silenced,
)
from autograd_lib.book.picture import Picture, mixed
from autograd_lib.scalar.float_var import float_var, sin
from autograd_lib.scalar.multivariate import mul, multi_var, neg
from autograd_lib.scalar.value import Value

ODD = ['say "x"', "a\\b", "\\", "\\N", "<b>", "two\nlines", "a|b", "{x}", "x̄ é ∂", ""]


def node(label, *parents, **more):
    return SimpleNamespace(label=label, parents=parents, **more)


def texts(picture):
    """Return the lines of text of each node in a drawing."""
    svg = "{http://www.w3.org/2000/svg}"
    groups = ET.fromstring(picture.svg).iter(f"{svg}g")
    nodes = (g for g in groups if g.get("class", "").split()[:1] == ["node"])
    return [[t.text for t in g.iter(f"{svg}text")] for g in nodes]


def test_a_small_graph_has_this_dot_source():
    x = multi_var(3.0, label="x")
    out = neg(mul(x, x))
    out.backprop()
    assert repr(draw(out)) == (
        "digraph {\n"
        '\tgraph [bgcolor=transparent margin=0.02 rankdir=LR size="200,6.5"]\n'
        '\tnode [fontname="Helvetica,Arial,sans-serif" fontsize=12 height=0.3 '
        'margin="0.12,0.06" shape=box style=rounded]\n'
        "\tedge [arrowsize=0.6]\n"
        '\tn0 [label="neg\n-9\ngrad 1" class="value gradient"]\n'
        '\tn1 [label="mul\n9\ngrad -1" class="value gradient"]\n'
        '\tn2 [label="x\n3\ngrad -6" class="value gradient"]\n'
        "\tn2 -> n1\n"
        "\tn2 -> n1\n"
        "\tn1 -> n0\n"
        "}\n"
    )


def test_the_direction_is_written_into_the_graph():
    assert "rankdir=BT" in repr(draw(node("x"), direction="BT"))


@pytest.mark.parametrize("label", ODD)
def test_any_label_is_drawn_as_it_is(label):
    picture = draw(node(label, node("plain")))
    expected = label.split("\n") if label else ["SimpleNamespace"]
    assert sorted(texts(picture)) == sorted([expected, ["plain"]])


def test_a_box_shows_label_value_and_gradient_as_far_as_there_are_any():
    boxes = [
        node("a", data=1 / 3, grad=-2.0),
        node("b", data=None, grad=None),
        node("c", data=[1.0]),
        node("", data=2),
        float_var(0.5),
    ]
    assert sorted(texts(draw(node("root", *boxes)))) == sorted(
        [["root"], ["a", "0.3333", "grad -2"], ["b"], ["c"], ["2"], ["0.5"]]
    )


def fills(picture):
    """Return each line of text in a drawing with its colour."""
    svg = "{http://www.w3.org/2000/svg}"
    return {
        t.text: t.get("fill") for t in ET.fromstring(picture.svg).iter(f"{svg}text")
    }


def test_values_and_gradients_have_the_stepper_s_colours():
    picture = draw(node("root", node("a", data=1.0, grad=-2.0), node("", data=2)))
    blue, vermillion = COLOURS.values()
    assert fills(picture) == {
        "root": None,
        "a": None,
        "1": blue,
        "grad -2": vermillion,
        "2": blue,
    }
    css = files("autograd_lib.stepper").joinpath("page.css").read_text("utf-8")
    for colour in COLOURS.values():
        assert mixed(colour).replace(",", ", ") in css
        assert mixed(colour) in picture.svg


def test_a_named_node_shows_its_operation_too():
    x = Value(2.0, label="x")
    y = x * 3.0
    assert ["*", "6", "grad 0"] in texts(draw(y))
    y.label = "y"
    assert ["y: *", "6", "grad 0"] in texts(draw(y))
    assert ["x", "2", "grad 0"] in texts(draw(y))


def inches(picture):
    """Return how wide and how tall a drawing is."""
    size = re.search(r'width="(\d+)pt" height="(\d+)pt"', picture.svg)
    return int(size[1]) / 72, int(size[2]) / 72


def chain(length):
    last = node("v")
    for _ in range(length):
        last = node("v", last, data=1.0, grad=1.0)
    return last


@pytest.mark.parametrize("direction", ["LR", "BT"])
@pytest.mark.parametrize(
    "root", [chain(8), chain(50), node("sum", *(node("x") for _ in range(50)))]
)
def test_no_drawing_is_taller_than_a_screen(root, direction):
    assert inches(draw(root, direction=direction))[1] <= TALLEST + 0.1


def test_what_would_be_far_too_tall_is_laid_out_the_other_way():
    wide = node("sum", *(node("x") for _ in range(50)))
    assert "rankdir=BT" in repr(draw(wide))
    assert "rankdir=LR" in repr(draw(chain(50), direction="BT"))
    assert "rankdir=BT" in repr(draw(chain(8), direction="BT"))


def test_a_cycle_made_by_hand_is_drawn():
    a = node("a")
    b = node("b", a)
    a.parents = (b,)
    assert sorted(texts(draw(a))) == [["a"], ["b"]]


def test_a_graph_too_large_is_drawn_around_its_root_and_says_so():
    chain = [node("v0")]
    for i in range(1, 100):
        chain.append(node(f"v{i}", chain[-1]))
    drawn = [label for [label] in texts(draw(chain[-1], max_nodes=3))]
    assert sorted(drawn) == ["97 more nodes not drawn", "v97", "v98", "v99"]
    assert draw(chain[-1]).alt == "A graph of 100 nodes, drawn from inputs to result."


def test_the_description_says_what_was_made_from_what():
    x, y = multi_var(3.0, "x"), multi_var(4.0, "y")
    assert draw(mul(x, y)).alt == "A graph of 3 nodes: mul 12 from x 3 and y 4."
    assert draw(x).alt == "A graph of 1 node: x 3."
    assert draw(x, alt="One number.").alt == "One number."


def test_a_drawing_is_the_same_each_time_and_brings_no_names_to_the_page():
    first, second = (draw(sin(float_var(1.0, "x"))).svg for _ in range(2))
    assert first == second
    assert " id=" not in first
    assert "<title>" not in first


def test_text_and_lines_take_the_colour_of_the_page():
    svg = draw(sin(float_var(1.0, "x"))).svg
    assert 'stroke="currentColor"' in svg
    assert "black" not in svg


def without(monkeypatch, *modules):
    for name in modules:
        monkeypatch.setitem(sys.modules, name, None)


def test_the_program_dot_draws_where_pygraphviz_is_missing(monkeypatch):
    def run(command, **options):
        assert command == ["/somewhere/dot", "-Tsvg"]
        return subprocess.CompletedProcess(command, 0, f"<svg>{options['input']}</svg>")

    without(monkeypatch, "pygraphviz")
    monkeypatch.setattr(shutil, "which", lambda name: f"/somewhere/{name}")
    monkeypatch.setattr(subprocess, "run", run)
    picture = draw(node("x"))
    assert isinstance(picture, Picture)
    assert "label=x" in picture.svg


def test_the_program_dot_draws_where_pygraphviz_fails(monkeypatch):
    def fail(*args, **options):
        raise ValueError("Program dot not found in path.")

    done = subprocess.CompletedProcess([], 0, "<svg>drawn</svg>")
    monkeypatch.setattr("pygraphviz.AGraph.draw", fail)
    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(subprocess, "run", lambda *args, **options: done)
    assert "drawn" in draw(node("x")).svg


@pytest.mark.parametrize(
    ("program", "reply"),
    [(None, (0, "<svg></svg>")), ("dot", (1, "<svg></svg>")), ("dot", (0, ""))],
    ids=["no program", "one that fails", "one that draws nothing"],
)
def test_without_a_working_renderer_the_dot_source_and_one_line_stand_in(
    monkeypatch, program, reply
):
    dot = repr(draw(node("x")))
    without(monkeypatch, "pygraphviz")
    done = subprocess.CompletedProcess([], *reply)
    monkeypatch.setattr(shutil, "which", lambda name: program)
    monkeypatch.setattr(subprocess, "run", lambda *args, **options: done)
    undrawn = draw(node("x"))
    assert isinstance(undrawn, Undrawn)
    assert repr(undrawn) == f"{dot}\n{MISSING}"


def test_without_graphviz_a_description_and_one_line_stand_in(monkeypatch):
    without(monkeypatch, "graphviz")
    assert repr(draw(node("x"))) == f"A graph of 1 node: x.\n{MISSING}"
    rows = ready().rows
    assert [row[0] for row in rows] == ["✓", "✓", "✓", "✓", "✗"]
    assert rows[-1][-1] == "pip install graphviz pygraphviz"


def test_what_a_renderer_writes_to_file_descriptor_2_goes_nowhere(capfd):
    with silenced():
        os.write(2, b"inside")
    os.write(2, b"outside")
    assert capfd.readouterr().err == "outside"


def test_drawing_writes_nothing_even_where_no_fonts_are_configured(tmp_path):
    code = (
        "from types import SimpleNamespace as N\n"
        "from autograd_lib.book import draw\n"
        "print(draw(N(label='x', parents=()))._repr_svg_())"
    )
    nowhere = {"FONTCONFIG_FILE": str(tmp_path / "none"), "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | nowhere | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.startswith("<svg")
    assert done.stderr == ""


@pytest.mark.parametrize("root", [3.0, "x", None, SimpleNamespace(label="x")])
def test_what_has_no_parents_is_refused(root):
    with pytest.raises(TypeError, match=r"draw: .* has no parents; a node to draw"):
        draw(root)


def test_a_parent_without_a_label_is_refused():
    with pytest.raises(TypeError, match=r"draw: .* has no label; a node to draw needs"):
        draw(node("x", SimpleNamespace(parents=())))


def test_other_directions_and_no_nodes_are_refused():
    with pytest.raises(ValueError, match="direction must be 'LR' or 'BT', got 'TB'"):
        draw(node("x"), direction="TB")
    with pytest.raises(ValueError, match="max_nodes must be at least 1, got 0"):
        draw(node("x"), max_nodes=0)
