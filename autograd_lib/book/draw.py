"""Draw the graph of anything that has `parents` and a `label` (chapter 00).

The graph is written as DOT by the graphviz package and drawn by whichever renderer is
there: pygraphviz, else the program `dot`. Without either, the DOT text stands for the
drawing, and without graphviz a description, with a line that says what to install.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from numbers import Real
from typing import Any

from autograd_lib.book.picture import Picture

MISSING = "To see this graph drawn: pip install graphviz pygraphviz"


class Undrawn:
    """A graph as text, where nothing is installed that could draw it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return f"{self.text}\n{MISSING}"


def draw(
    root: Any, alt: str = "", max_nodes: int = 60, direction: str = "LR"
) -> Picture | Undrawn:
    """Draw `root` and all it was made from.

    A node is anything with `parents`, a sequence of nodes, and `label`, a string. A
    node's box shows its label, its value (`data`, or the node itself where it is a
    number) and its gradient (`grad`), as far as it has them.

    Args:
        root: the node whose history is drawn.
        alt: a description for those who cannot see the drawing; by default one is
            made from the graph.
        max_nodes: how many nodes to draw, nearest to `root` first. The drawing says
            how many it leaves out.
        direction: "LR" draws inputs on the left, "BT" at the bottom.

    Raises:
        TypeError: if a node has no `parents` or no `label`.
        ValueError: if `direction` is another word, or `max_nodes` is below 1.
    """
    if direction not in ("LR", "BT"):
        raise ValueError(f"draw: direction must be 'LR' or 'BT', got {direction!r}")
    if max_nodes < 1:
        raise ValueError(f"draw: max_nodes must be at least 1, got {max_nodes!r}")
    nodes, left_out = nearest(root, max_nodes)
    alt = alt or description(nodes, left_out)
    try:
        dot = dot_source(nodes, left_out, direction)
    except ImportError:
        return Undrawn(alt)
    svg = render(dot)
    return Picture(svg, alt, dot) if svg else Undrawn(dot)


def nearest(root: Any, max_nodes: int) -> tuple[list[Any], int]:
    """Return the nodes nearest to `root`, breadth first, and how many are left out."""
    nodes, seen = [root], {id(root)}
    for node in nodes:
        for name in ("parents", "label"):
            if not hasattr(node, name):
                raise TypeError(
                    f"draw: {node!r} has no {name}; a node to draw needs "
                    "`parents`, a sequence of nodes, and `label`, a string"
                )
        for parent in node.parents:
            if id(parent) not in seen:
                seen.add(id(parent))
                nodes.append(parent)
    return nodes[:max_nodes], max(0, len(nodes) - max_nodes)


def dot_source(nodes: list[Any], left_out: int, direction: str) -> str:
    """Return the graph of `nodes` in DOT, each node labelled with `lines_of(node)`."""
    from graphviz import Digraph, escape

    graph = Digraph(
        graph_attr={"rankdir": direction, "bgcolor": "transparent", "margin": "0.02"},
        node_attr={
            "shape": "box",
            "style": "rounded",
            "fontname": "Helvetica,Arial,sans-serif",
            "fontsize": "12",
            "height": "0.3",
            "margin": "0.12,0.06",
        },
        edge_attr={"arrowsize": "0.6"},
    )
    names = {id(node): f"n{i}" for i, node in enumerate(nodes)}
    for node in nodes:
        graph.node(names[id(node)], label=escape("\n".join(lines_of(node))))
    for node in reversed(nodes):
        for parent in node.parents:
            if id(parent) in names:
                graph.edge(names[id(parent)], names[id(node)])
    if left_out:
        graph.node("rest", f"{left_out} more nodes not drawn", shape="plaintext")
    return str(graph.source)


def lines_of(node: Any) -> list[str]:
    """Return the lines of a node's box: what it has of label, value and gradient."""
    value = getattr(node, "data", node if isinstance(node, float) else None)
    grad = getattr(node, "grad", None)
    lines = [str(node.label)] if node.label else []
    if isinstance(value, Real):
        lines.append(f"{float(value):.4g}")
    if isinstance(grad, Real):
        lines.append(f"grad {float(grad):.4g}")
    return lines or [type(node).__name__]


def description(nodes: list[Any], left_out: int) -> str:
    """Describe a graph in words, naming what each node was made from."""
    total = len(nodes) + left_out
    count = "1 node" if total == 1 else f"{total} nodes"
    if total > 12:
        return f"A graph of {count}, drawn from inputs to result."
    made = [
        f"{_short(node)} from {' and '.join(_short(p) for p in node.parents)}"
        for node in reversed(nodes)
        if node.parents
    ]
    return f"A graph of {count}: {'; '.join(made) or _short(nodes[0])}."


def _short(node: Any) -> str:
    return " ".join(lines_of(node)[:2])


def render(dot: str) -> str | None:
    """Return `dot` drawn as SVG, or None where nothing that could draw is installed."""
    svg = with_pygraphviz(dot) or with_program(dot)
    # Graphviz's names for nodes would pop up over the labels, and clash in a page.
    return svg and re.sub(r'<title>.*?</title>\n?|(?<=<g) id="[^"]*"', "", svg)


def with_pygraphviz(dot: str) -> str | None:
    """Draw with the Graphviz that pygraphviz carries, if it is there and works."""
    try:
        from pygraphviz import AGraph
    except ImportError:
        return None
    try:
        with silenced():
            graph = AGraph(string=dot)
            drawn: bytes = graph.draw(format="svg", prog="dot")
    except (OSError, ValueError):  # before 2.0 it carries none and needs the program
        return None
    return drawn.decode("utf-8")


def with_program(dot: str) -> str | None:
    """Draw with the program `dot`, if it is on the path and works."""
    program = shutil.which("dot")
    if program is None:
        return None
    command = [program, "-Tsvg"]
    done = subprocess.run(
        command, input=dot, capture_output=True, encoding="utf-8", check=False
    )
    return done.stdout if done.returncode == 0 else None


@contextlib.contextmanager
def silenced() -> Iterator[None]:
    """Send what C code writes to file descriptor 2 nowhere.

    Fontconfig, inside Graphviz, warns there where no fonts are configured, and the
    warning would be saved in the notebook.
    """
    saved, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(nowhere)
