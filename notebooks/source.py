"""Source code reduced to what runs: without comments, docstrings and line breaks.

The result is the same in all versions of Python, unlike that of `ast.dump`.
"""

from __future__ import annotations

import ast
import textwrap
from collections import deque
from collections.abc import Iterator
from functools import cache

# Fields that follow from the rest of the tree, or do not run.
LEFT_OUT = ("ctx", "kind", "type_comment", "type_ignores")
WITH_BODY = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@cache
def running(source: str, cell: bool = False) -> str:
    """Return a text that is equal for sources with the same syntax tree.

    Args:
        source: Python source.
        cell: whether the source is a notebook cell, whose last expression is shown
            even if it is a string.
    """
    tree = ast.parse(source)
    parts: list[str] = []
    write(ast.Interactive(tree.body) if cell else tree, parts)
    return "".join(parts)


def write(node: object, parts: list[str]) -> None:
    """Append the parts of the text of a tree."""
    if isinstance(node, ast.AST):
        parts.append(f"{type(node).__name__}(")
        for name in node._fields:
            value = getattr(node, name, None)
            if value is None or value == [] or name in LEFT_OUT:
                continue
            if name == "body" and isinstance(node, WITH_BODY):
                value = [one for one in value if not is_text(one)]
            if isinstance(node, ast.JoinedStr):  # Python 3.12 inserts empty strings
                value = [one for one in value if not is_empty(one)]
            parts.append(f"{name}=")
            write(value, parts)
        parts.append(")")
    elif isinstance(node, list):
        parts.append("[")
        for one in node:
            write(one, parts)
        parts.append("]")
    else:
        parts.append(f"{node!a},")


def is_text(statement: ast.stmt) -> bool:
    """Return whether a statement is only a string, such as a docstring."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def is_empty(part: ast.expr) -> bool:
    """Return whether a part of an f-string is an empty string."""
    return isinstance(part, ast.Constant) and part.value == ""


BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")


def statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield all statements, at any depth, those of a level before those below it.

    Expressions are skipped: no statement is in them, and walking them takes far longer.
    """
    pending: deque[ast.AST] = deque([tree])
    while pending:
        node = pending.popleft()
        yield node
        for block in BLOCKS:
            pending.extend(getattr(node, block, ()))


@cache
def definitions(source: str) -> dict[str, list[str]]:
    """Return the source of each function and class, with decorators, by name."""
    lines = source.splitlines()
    found: dict[str, list[str]] = {}
    for node in statements(ast.parse(source)):
        if isinstance(node, Definition):
            first = min(part.lineno for part in [node, *node.decorator_list])
            text = "\n".join(lines[first - 1 : node.end_lineno])
            found.setdefault(node.name, []).append(text)
    return found


@cache
def without_docstrings(source: str) -> str:
    """Return the lines of a source that are not part of a docstring."""
    lines = textwrap.dedent(source).splitlines()
    for node in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(node, WITH_BODY):
            for text in filter(is_text, node.body):
                for line in range(text.lineno - 1, text.end_lineno or text.lineno):
                    lines[line] = ""
    return "\n".join(filter(str.strip, lines))
