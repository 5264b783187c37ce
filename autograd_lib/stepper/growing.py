"""A program that grows out of a graph, a line at a time (chapter 22).

A line that gives a node its name appears when the node is calculated. A line that gives
its gradient, named with `_bar`, appears when that is complete.
"""

from __future__ import annotations

import ast
import textwrap
from typing import Any

from autograd_lib.stepper.code import Code
from autograd_lib.stepper.nodes import variable_of
from autograd_lib.stepper.page import Stepper, step

BAR = "_bar"
LAID_OUT = """\
<style>@container (min-width: 40rem) {
.stepper-program .stepper-view { flex-wrap: wrap; gap: 0.3rem; }
.stepper-program .stepper-graph { flex: 1 0 100%; }
.stepper-program .stepper-graph svg { min-width: 0 !important; }
.stepper-program .stepper-code { flex: 1 0 100%; max-width: 100%; }
.stepper-program .stepper-code { columns: 2; line-height: 1.25; }
}</style>
"""
"""Where there is room, the whole graph, and below it all lines, in two columns."""


class Growing(Stepper):
    """The steps through a graph, its program below it."""

    def __init__(self, plain: Stepper) -> None:
        super().__init__(plain.trace, None, "")
        self.picture = plain.picture

    def _repr_html_(self) -> str:
        return f'{LAID_OUT}<div class="stepper-program">{super()._repr_html_()}</div>'


def growing(root: Any, source: str) -> Stepper:
    """Show the steps through a graph, and beside them its program as it is written.

    Args:
        root: the result, a node as `step` takes it. Nodes have the names that they have
            in the program as their labels.
        source: the program, or a function that contains it.

    Raises:
        ValueError: if the source has no line for one of the nodes that were made.

    >>> from autograd_lib.scalar.value import Value
    >>> x = Value(3.0, "x")
    >>> y = x * x
    >>> y.label = "y"
    >>> code = '''y = x * x
    ... y_bar = 1.0
    ... x_bar = y_bar * x + y_bar * x'''
    >>> growing(y, code).written
    [[], [0], [1], [2], []]
    """
    stepper = Growing(step(root, code=""))
    trace = stepper.trace
    names = [variable_of(node) for node in trace.nodes]
    lines = textwrap.dedent(source).splitlines()
    found = targets(source)
    for i, name in enumerate(names):
        if trace.is_made(i) and name not in found:
            raise ValueError(f"growing: no line of the source gives {name!r}")
    complete: dict[str, int] = {}
    for at, one in enumerate(trace.steps):
        if one.title == "Forward":
            complete[names[int(one.node[1:])]] = at
        elif one.title == "Backward":
            # The seed of the result, and then the receivers of a gradient.
            reached = [part for part in one.lines if part[0] == "n"]
            complete |= {names[int(part[1:])] + BAR: at for part in reached}
    when = {line: complete[name] for name, line in found.items() if name in complete}
    kept = sorted(when)
    text = textwrap.dedent("\n".join(lines[line] for line in kept)).splitlines()
    stepper.written = [
        [k for k, line in enumerate(kept) if when[line] == at]
        for at in range(len(trace.steps))
    ]
    stepper.code = Code(text, [[] for _ in names])
    return stepper


def targets(source: str) -> dict[str, int]:
    """Return the line, from 0, of each name that a source assigns."""
    return {
        target.id: node.lineno - 1
        for node in ast.walk(ast.parse(textwrap.dedent(source)))
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
