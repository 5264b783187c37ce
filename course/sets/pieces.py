"""The text of single statements of a cell.

Python's parser reads a sum of thousands of terms. What walks through its tree, such as
`ast.unparse`, or `compile` of a tree, does not.
"""

from __future__ import annotations

import ast
import re
import threading
from collections.abc import Iterator, Sequence

PARSING = threading.Lock()
NO_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What Python's own parser raises at a source that it cannot read."""


def parsed(source: str) -> ast.Module:
    """Return the tree of a source, one at a time.

    CPython 3.11 counts how deep trees are for all threads together: where two are made
    at once, a right one may end with a SystemError.
    """
    with PARSING:
        return ast.parse(source)


def lines_of(source: str) -> list[bytes]:
    """Return the lines of a source as the parser counts them."""
    return [line.encode() for line in re.split(r"\r\n|\r|\n", source)]


def place(statement: ast.stmt) -> tuple[slice, int, int | None]:
    """Return the lines of a statement, where the first begins and the last ends."""
    above = [d.lineno for d in getattr(statement, "decorator_list", [])]
    first, column = (
        (min(above), 0) if above else (statement.lineno, statement.col_offset)
    )
    return slice(first - 1, statement.end_lineno), column, statement.end_col_offset


def statements(source: str) -> Iterator[tuple[ast.stmt, str]]:
    """Yield the statements of a source, each with its text."""
    lines = lines_of(source)
    for statement in parsed(source).body:
        where, begin, end = place(statement)
        own = lines[where]
        own[-1] = own[-1][:end]
        own[0] = own[0][begin:]
        yield statement, b"\n".join(own).decode()


def without(source: str, left_out: Sequence[ast.stmt]) -> str:
    """Return a source with `pass` in the place of some of its statements."""
    lines = lines_of(source)
    for statement in reversed(left_out):
        where, begin, end = place(statement)
        own = lines[where]
        lines[where] = [own[0][:begin] + b"pass" + own[-1][end:]]
    return b"\n".join(lines).decode()
