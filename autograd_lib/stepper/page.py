"""A graph to step through, forward and backward, one node at a time (chapter 00).

Python writes down every step beforehand, so no kernel is needed to look at them: not on
a page, not in a notebook that somebody else has run. The script, `page.js`, only shows
and hides what is already there. Without it there is the finished drawing, and below it
every step in words.
"""

from __future__ import annotations

import json
import re
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from autograd_lib.book.draw import description, heading, render
from autograd_lib.book.picture import Picture
from autograd_lib.stepper.steps import Lines, Trace, inputs_first, label_of

ON_EDGE = {
    "shape": "plaintext",
    "fontsize": "11",
    "width": "0",
    "height": "0",
    "margin": "0.04,0.02",
}
SMALLEST = 0.7
"""The smallest part of its natural size; a drawing that needs less scrolls."""


def step(
    root: Any, alt: str = "", max_nodes: int = 60, direction: str = "LR"
) -> Stepper:
    """Show the steps in which `root` is calculated, and then its gradients.

    A node is anything with `parents`, a sequence of nodes; `label`, a string; and a
    number, its `data` or itself. One with parents also has `slopes`, its derivative
    with respect to each of them.

    Args:
        root: the node whose history is shown.
        alt: a description for those who cannot see the drawing; by default one is
            made from the graph.
        max_nodes: how many nodes a graph may have.
        direction: "LR" draws inputs on the left, "BT" at the bottom.

    Raises:
        TypeError: if a node lacks something; the message says what.
        ValueError: if there are more than `max_nodes` nodes, if a node has not one
            slope for each parent or was made from itself, or if `direction` is
            another word.
    """
    if direction not in ("LR", "BT"):
        raise ValueError(f"step: direction must be 'LR' or 'BT', got {direction!r}")
    nodes = inputs_first(root)
    if len(nodes) > max_nodes:
        raise ValueError(
            f"step: the graph has {len(nodes)} nodes and max_nodes is {max_nodes!r}; "
            f"step through a part of it, or draw it: draw(…, max_nodes={len(nodes)})"
        )
    trace = Trace(nodes)
    return Stepper(trace, drawing(trace, direction), alt or description(nodes[::-1], 0))


class Stepper:
    """The steps through a graph, as a notebook output.

    Args:
        trace: the steps.
        svg: the finished drawing, its text and lines black; None where nothing that
            could draw is installed.
        alt: a description of the graph.
    """

    def __init__(self, trace: Trace, svg: str | None, alt: str) -> None:
        self.trace = trace
        self.picture = Picture(svg, alt, repr(self)) if svg else None

    def __repr__(self) -> str:
        steps = self.trace.steps
        lines = [f"{i:>3}. {s.title}: {s.sentence}" for i, s in enumerate(steps)]
        return "\n".join([f"{len(steps) - 1} steps through a graph", *lines])

    def _repr_svg_(self) -> str | None:
        return self.picture.svg if self.picture else None

    def _repr_html_(self) -> str:
        steps = self.trace.steps
        # Numbers and signs only, so nothing in it could end the attribute.
        data = json.dumps(
            [[s.title, s.node, s.lines] for s in steps],
            ensure_ascii=False,
            separators=(",", ":"),
        )
        words = "".join(
            f"<li><b>{s.title}.</b> {escape(s.sentence, quote=False)}</li>\n"
            for s in steps
        )
        graph = image(self.picture) if self.picture else table(self.trace)
        name, code = assets()
        return (
            f"{code}\n"
            f'<div class="autograd-stepper {name}" role="group" '
            f"aria-label=\"Steps through a graph\" data-steps='{data}'>\n"
            '<div class="stepper-graph" role="group" aria-label="Graph" tabindex="0">'
            f"{graph}</div>\n"
            f"<details><summary>All steps in words</summary>\n"
            f'<ol start="0">\n{words}</ol></details>\n'
            "</div>\n"
            f"<script>{name}()</script>"
        )


@cache
def assets() -> tuple[str, str]:
    """Return the name of the script's one function, and the style and the script.

    The name is made from the content, so that an output saved by another version of
    this library and a new one can stand in one notebook. Indents and comments stay at
    home: every output carries this text, since it may be alone in its frame.
    """
    folder = files("autograd_lib.stepper")
    css = folder.joinpath("page.css").read_text("utf-8")
    js = folder.joinpath("page.js").read_text("utf-8")
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    js = re.sub(r"(?m)^\s*//.*", "", js)
    css, js = (re.sub(r"\n\s*", "\n", text).strip() for text in (css, js))
    name = f"autogradStepper_{sha256((css + js).encode()).hexdigest()[:8]}"
    code = f"<style>\n{css}\n</style>\n<script>\n{js}\n</script>"
    return name, code.replace("STEPPER", name)


def final_lines(trace: Trace) -> dict[str, Lines]:
    """Return the lines of every node and edge when all steps are done."""
    return {part: lines for s in trace.steps for part, lines in s.lines.items()}


def drawing(trace: Trace, direction: str) -> str | None:
    """Return the finished graph as SVG, or None where nothing could draw it.

    Each node and edge has its name as a class.
    """
    try:
        dot = dot_source(trace, direction)
    except ImportError:
        return None
    return render(dot)


def dot_source(trace: Trace, direction: str) -> str:
    """Return the finished graph in DOT: `draw`'s boxes, and slopes on the edges."""
    from graphviz import Digraph
    from graphviz import escape as literal

    font = {"fontname": "Helvetica,Arial,sans-serif"}
    graph = Digraph(
        graph_attr={
            "rankdir": direction,
            "bgcolor": "transparent",
            "margin": "0.02",
            "ranksep": "0.22",
            "nodesep": "0.16",
        },
        node_attr={
            "shape": "box",
            "style": "rounded",
            "fontsize": "12",
            "margin": "0.12,0.06",
            **font,
        },
        edge_attr={"arrowsize": "0.6"},
    )
    final = final_lines(trace)
    for i, node in enumerate(trace.nodes):
        name = {"class": f"n{i}"}
        box = "\n".join(filter(None, [heading(node), *final[f"n{i}"]]))
        box = box.replace("&", "&amp;")  # Graphviz reads HTML's names for signs
        # A sum that is not complete yet may be longer than what it comes to.
        longest = max(len(s.lines.get(f"n{i}", "  ")[1]) for s in trace.steps)
        width = f"{longest * 0.09 + 0.24:.2f}"
        graph.node(f"n{i}", literal(box), _attributes=name, width=width)
    for k, edge in enumerate(trace.edges):
        name = {"class": f"e{k}"}
        # Graphviz writes labels over lines; a node in the middle has room of its own.
        graph.node(f"e{k}", "\n".join(final[f"e{k}"]), _attributes=name, **ON_EDGE)
        graph.edge(f"n{edge.used}", f"e{k}", _attributes=name, arrowhead="none")
        graph.edge(f"e{k}", f"n{edge.user}", _attributes=name)
    return str(graph.source)


def image(picture: Picture) -> str:
    """Return a drawing as an image that holds its own text; the script unpacks it.

    Of a drawing that stands in the HTML itself, a host that allows none, such as
    JupyterLab before a notebook is trusted, leaves the loose words. Not base64, so
    that what compares outputs can still see where the geometry is.
    """
    svg = re.sub(r'class="(?:node|edge) (\w+)"', r'data-part="\1"', picture.svg)
    width = re.search(r'<svg[^>]* width="(\d+)', svg)
    smallest = int(width[1]) * SMALLEST if width else 0
    svg = svg.replace("<svg", f'<svg style="min-width:{smallest:.0f}pt"', 1)
    for sign in "%#\n":
        svg = svg.replace(sign, f"%{ord(sign):02X}")
    svg = svg.replace("&", "&amp;").replace("'", "&#x27;")
    source = f"src='data:image/svg+xml;charset=utf-8,{svg}'"
    return f'<img alt="{escape(picture.alt)}" {source}>'


def table(trace: Trace) -> str:
    """Return the finished graph as a table, where nothing could draw it."""
    final = final_lines(trace)
    made_from = {
        i: ", ".join(
            f"{trace.names[e.used]} {final[name][0]}" for name, e in trace.edges_of(i)
        )
        for i in range(len(trace.nodes))
    }
    rows = "".join(
        f'<tr data-part="n{i}"><th scope="row">{escape(label_of(node))}</th>'
        f"<td>{escape(made_from[i])}</td><td>{value}</td><td>{gradient}</td></tr>\n"
        for i, node in enumerate(trace.nodes)
        for value, gradient in [final[f"n{i}"]]
    )
    columns = ("Node", "Made from, with slopes", "Value", "Gradient")
    head = "".join(f'<th scope="col">{column}</th>' for column in columns)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table>"
