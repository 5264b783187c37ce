"""Find the line of the reader's code that made each node (chapter 00).

Nodes don't store lines. But a line such as `s = x + y` gives its result a name, and the
name still leads to the node: as a variable where `step` is called, or as its label. A
number without a name was made in the line of the number that was made from it.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, NamedTuple

from autograd_lib.stepper.nodes import variable_of


class Code(NamedTuple):
    """Lines of code, and for each node the indices of the lines that made it."""

    text: list[str]
    made: list[list[int]]


def code_of(
    nodes: Sequence[Any], frame: FrameType, given: str | Callable[..., Any] | None
) -> Code | None:
    """Return the code that made the nodes, or None if it cannot be found.

    Args:
        nodes: the nodes, each after those that it was made from.
        frame: the frame that called `step`.
        given: the code, as text or as the function that contains it; by default the
            lines before the call. "" shows none.

    Raises:
        ValueError: if `given` cannot be parsed, or has no two lines that made nodes.
    """
    if given == "":
        return None
    try:
        source, call = source_of(frame, given)
        tree = ast.parse(source)
    except (OSError, TypeError, SyntaxError) as error:
        if given is None:  # no source, or a command of Jupyter
            return None
        raise ValueError(f"step: code cannot be read as Python: {error}") from None
    variables = {} if callable(given) else frame.f_locals
    spans = spans_of(nodes, assignments(tree, call), variables)
    if spans[-1] is None and call:
        spans[-1] = statement_at(tree, call)
    spread(nodes, spans)
    if len({span for span in spans if span}) < 2:
        if given is None:
            return None
        raise ValueError(
            "step: fewer than two lines of code made a node of the graph; a line that "
            "did assigns to the name that the node has as its label"
        )
    return shown(source.splitlines(), spans)


def source_of(
    frame: FrameType, given: str | Callable[..., Any] | None
) -> tuple[str, int]:
    """Return the source, and the line in it that calls `step`, 0 if none does."""
    if isinstance(given, str):
        return textwrap.dedent(given), 0
    if given is not None:
        return textwrap.dedent(inspect.getsource(given)), 0
    lines, first = inspect.getsourcelines(frame)
    return textwrap.dedent("".join(lines)), frame.f_lineno - max(first, 1) + 1


def assignments(tree: ast.AST, before: int) -> dict[str, range]:
    """Return the lines of the last assignment to each name."""
    found: dict[str, range] = {}
    for statement in ast.walk(tree):
        if not isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
            continue
        lines = lines_of(statement)
        if before and lines.start >= before:
            continue
        for name in ast.walk(statement):
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                known = found.get(name.id, lines)
                found[name.id] = max(known, lines, key=lambda span: span.start)
    return found


def lines_of(statement: ast.stmt) -> range:
    """Return the indices of a statement's lines, from 0."""
    return range(statement.lineno - 1, statement.end_lineno or statement.lineno)


def statement_at(tree: ast.AST, line: int) -> range | None:
    """Return the lines of the smallest statement that contains a line."""
    spans = [lines_of(part) for part in ast.walk(tree) if isinstance(part, ast.stmt)]
    around = [span for span in spans if line - 1 in span]
    return min(around, key=len, default=None)


def spans_of(
    nodes: Sequence[Any], assigned: dict[str, range], variables: dict[str, Any]
) -> list[range | None]:
    """Return the lines that first gave each node a name, or None."""
    by_variable: dict[int, list[range]] = {}
    for name, value in variables.items():
        if name in assigned:
            by_variable.setdefault(id(value), []).append(assigned[name])
    return [
        min(by_variable[id(node)], key=lambda span: span.start)
        if id(node) in by_variable
        else assigned.get(variable_of(node))
        for node in nodes
    ]


def spread(nodes: Sequence[Any], spans: list[range | None]) -> None:
    """Give each unnamed result the lines of its users, if they agree."""
    place = {id(node): i for i, node in enumerate(nodes)}
    users: dict[int, set[range | None]] = {}
    for i in reversed(range(len(nodes))):
        if spans[i] is None and nodes[i].parents and len(users.get(i, ())) == 1:
            (spans[i],) = users[i]
        for parent in nodes[i].parents:
            users.setdefault(place[id(parent)], set()).add(spans[i])


def shown(lines: list[str], spans: Sequence[range | None]) -> Code:
    """Return the lines that made nodes, without the others."""
    kept = sorted({line for span in spans if span for line in span})
    text = textwrap.dedent("\n".join(lines[line] for line in kept)).splitlines()
    made = [[kept.index(line) for line in span or ()] for span in spans]
    return Code(text, made)
