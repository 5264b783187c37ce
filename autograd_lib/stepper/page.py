"""A graph to step through, forward and backward, one node at a time (chapter 00).

Python prepares all steps, so that no kernel is needed to look at them: on a page, or in
a notebook that was executed elsewhere. The scripts next to this file show and hide the
steps, and calculate them again when a reader changes an input. Without scripts there is
the finished drawing, and below it every step in words.

A graph is drawn from left to right everywhere. One that is wider or taller than its
frame scrolls to the node at work, so that the node and the buttons share the window.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from autograd_lib.book.collapse import inputs_first
from autograd_lib.book.draw import description
from autograd_lib.book.picture import Picture
from autograd_lib.stepper.code import Code, code_of
from autograd_lib.stepper.drawing import drawing, image, table
from autograd_lib.stepper.handed import Entry
from autograd_lib.stepper.nodes import label_of, operation_of, parents_of
from autograd_lib.stepper.numbers import marked
from autograd_lib.stepper.steps import Trace, joined

SCRIPTS = (
    *("numbers", "operations", "view", "travel"),
    *("inputs", "predict", "controls"),
)

INFINITY = "\ue000"
"""A character that no label contains, to mark infinities, which JSON does not have."""
LIMIT = 60
"""How many nodes a graph may have."""


def step(
    root: Any,
    alt: str = "",
    code: str | Callable[..., Any] | None = None,
    log: Iterable[Entry] | None = None,
) -> Stepper:
    """Show the steps in which `root` is calculated, and then its gradients.

    A node is any object with `parents`, a sequence of nodes; `label`, a string; and a
    number, its `data` or itself. One with parents also has `slopes`, its derivative
    with respect to each of them, or a string that says why a use was not recorded: no
    gradient goes back there, and a node that none reaches has the gradient None.

    Args:
        root: the node whose history is shown.
        alt: a description for readers who cannot see the drawing; by default one is
            made from the graph.
        code: the code that made the graph, as text or as a function, which is shown
            next to it with the present line marked; by default the lines before the
            call, as far as names lead to them. "" shows none.
        log: the hand-overs of another backward pass than the right one, in order: for
            each the label of the giver, that of the receiver, and the amount.

    Raises:
        TypeError: if a node lacks an attribute; the message says which.
        ValueError: if there are more than 60 nodes, if a node doesn't have one slope
            for each parent or was made from itself, if `log` does not fit the graph, or
            if `code` cannot be parsed or has no two lines that made nodes.
    """
    nodes = inputs_first(root, parents_of)
    if len(nodes) > LIMIT:
        raise ValueError(
            f"step: the graph has {len(nodes)} nodes, more than {LIMIT}; "
            f"step through a part of it, or draw it: draw(…, max_nodes={len(nodes)})"
        )
    trace = Trace(nodes, log)
    stepper = Stepper(trace, drawing(trace), alt or description(nodes[::-1], 0))
    stepper.code = code_of(nodes, sys._getframe(1), code)
    return stepper


def side_by_side(**steppers: Stepper) -> SideBySide:
    """Show several steppers with one control, each under its name.

    Args:
        steppers: the steppers, by name.

    Raises:
        ValueError: if there are fewer than two.
        TypeError: if one isn't a stepper.

    >>> from autograd_lib.scalar.value import Value
    >>> x = Value(2.0, "x")
    >>> pair = side_by_side(square=step(x * x), cube=step(x * x * x))
    >>> list(pair.steppers)
    ['square', 'cube']
    """
    if len(steppers) < 2:
        raise ValueError(f"side_by_side: takes two or more, got {len(steppers)}")
    for name, stepper in steppers.items():
        if not isinstance(stepper, Stepper):
            raise TypeError(
                f"side_by_side: {name} is {stepper!r}; give it what `step` returns"
            )
    return SideBySide(steppers)


class Stepper:
    """The steps through a graph, as a notebook output.

    Args:
        trace: the steps.
        svg: the finished drawing, with black text and lines; None if nothing that could
            draw it is installed.
        alt: a description of the graph.

    Attributes:
        code: the lines that made the graph, if they are known.
        written: for each step the indices of the lines that appear in it, if they do.
    """

    def __init__(self, trace: Trace, svg: str | None, alt: str) -> None:
        self.trace = trace
        self.picture = Picture(svg, alt, repr(self)) if svg else None
        self.code: Code | None = None
        self.written: list[list[int]] | None = None

    def __repr__(self) -> str:
        lines = [
            f"{i:>3}. {s.title}: {self.trace.text(s.sentence)}"
            for i, s in enumerate(self.trace.steps)
        ]
        return "\n".join([f"{len(lines) - 1} steps through a graph", *lines])

    def _repr_svg_(self) -> str | None:
        return self.picture.svg if self.picture else None

    def _repr_html_(self) -> str:
        return whole(self.name, self.view(), self.in_words())

    @property
    def name(self) -> str:
        """The name for screen readers."""
        if self.trace.name:
            return self.trace.name
        nodes, leaves = self.trace.nodes, self.trace.leaves
        few = len(leaves) <= 6
        start = joined([label_of(nodes[i]) for i in leaves]) if few else "its inputs"
        return f"Steps from {start} to {label_of(nodes[-1])}"

    def view(self, name: str = "") -> str:
        """Return the graph as HTML, with the data of its steps."""
        graph = image(self.picture) if self.picture else table(self.trace)
        title = f'<p class="stepper-name">{escape(name)}</p>\n' if name else ""
        data = attribute(self.data(is_one_of_many=bool(name)))
        label = f"Graph: {escape(name)}" if name else "Graph"
        frame = f'role="group" aria-label="{label}" tabindex="0"'
        return (
            f"<div class=\"stepper-view\" data-trace='{data}'>\n"
            f'{title}<div class="stepper-graph" {frame}>{graph}</div>\n</div>\n'
        )

    def in_words(self, name: str = "") -> str:
        """Return all steps in words, as folded HTML."""
        trace = self.trace
        items = "".join(
            f"<li><b>{s.title}.</b> {marked(s.sentence, trace.numbers)}</li>\n"
            for s in trace.steps
        )
        of = f": {escape(name)}" if name else ""
        return (
            f"<details><summary>All steps in words{of}</summary>\n"
            f'<ol start="0">\n{items}</ol></details>\n'
        )

    def data(self, is_one_of_many: bool) -> dict[str, Any]:
        """Return the data that the scripts need to show and recalculate any step."""
        trace = self.trace
        return {
            "steps": [[s.title, s.node, s.lines, s.asks] for s in trace.steps],
            "nodes": [
                [label_of(node), operation_of(node) if node.parents else "", value]
                for node, value in zip(trace.nodes, trace.values, strict=True)
            ],
            "edges": trace.edges,
            "handed": [one for handed in trace.rounds for one in handed],
            "code": None if is_one_of_many else self.code,
            **({"written": self.written} if self.written else {}),
            **({"dial": trace.dial} if trace.dial else {}),
        }


class SideBySide:
    """Several steppers with one control, as a notebook output.

    Args:
        steppers: the steppers, by name.
    """

    def __init__(self, steppers: dict[str, Stepper]) -> None:
        self.steppers = steppers

    def __repr__(self) -> str:
        return "\n\n".join(f"{name}: {s!r}" for name, s in self.steppers.items())

    def _repr_html_(self) -> str:
        both = self.steppers.items()
        views = "".join(stepper.view(name) for name, stepper in both)
        words = "".join(stepper.in_words(name) for name, stepper in both)
        return whole(f"Side by side: {joined([*self.steppers])}", views, words, True)


def whole(name: str, views: str, words: str, several: bool = False) -> str:
    """Return a stepper as HTML, with its styles and scripts."""
    function, code = assets()
    # Several scroll on a phone, and by keyboard.
    reached = ' tabindex="0" role="group" aria-label="The graphs"' if several else ""
    return (
        f"{code}\n"
        f'<div class="autograd-stepper {function}" role="group" '
        f'aria-label="{escape(name)}">\n'
        f'<div class="stepper-views"{reached}>\n{views}</div>\n{words}'
        "</div>\n"
        f"<script>{function}()</script>"
    )


def attribute(data: Any) -> str:
    """Return data as JSON for an HTML attribute in single quotes.

    JSON has no infinity, but parsers read a number beyond all floats as one.
    """
    text = json.dumps(plain(data), ensure_ascii=False, separators=(",", ":"))
    text = re.sub(f'"(-?){INFINITY}"', r"\g<1>1e999", text)
    return escape(text, quote=False).replace("'", "&#x27;")


def plain(data: Any) -> Any:
    """Return data with infinities and NaN replaced, for JSON."""
    if isinstance(data, float) and not math.isfinite(data):
        return None if math.isnan(data) else f"{'-' * (data < 0)}{INFINITY}"
    if isinstance(data, dict):
        return {key: plain(value) for key, value in data.items()}
    return [plain(part) for part in data] if isinstance(data, list | tuple) else data


@cache
def assets() -> tuple[str, str]:
    """Return the name of the scripts' one function, and the style and the scripts.

    The name is a hash of the content, so that outputs saved by different versions of
    this library can be in one notebook. Indentation and comments are removed, because
    every output contains this text: it may be alone in its frame.
    """
    folder = files("autograd_lib.stepper")
    css = folder.joinpath("page.css").read_text("utf-8")
    js = "\n".join(folder.joinpath(f"{s}.js").read_text("utf-8") for s in SCRIPTS)
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    js = re.sub(r"(?m)^\s*//.*", "", js)
    css, js = (re.sub(r"\n\s*", "\n", text).strip() for text in (css, js))
    name = f"autogradStepper_{sha256((css + js).encode()).hexdigest()[:8]}"
    js = f"window.{name} ??= () => {{\n{js}\nstartAll('{name}');\n}};"
    return name, f"<style>\n{css}\n</style>\n<script>\n{js}\n</script>"
