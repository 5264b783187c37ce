"""A source without what never runs: comments, docstrings and the layout of lines.

Versions of Python agree on the text, which those of `ast.dump` do not.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from functools import cache

# Where a name is read or written follows from the rest of the tree.
LEFT_OUT = ("ctx", "kind", "type_comment", "type_ignores")
WITH_BODY = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@cache
def running(source: str, cell: bool = False) -> str:
    """Return a text that is the same for all sources that do the same.

    Args:
        source: Python source.
        cell: whether it is a cell of a notebook, which shows its last expression even
            if that is a string.
    """
    tree = ast.parse(source)
    return "".join(pieces(tree if not cell else ast.Interactive(tree.body)))


def pieces(node: object) -> Iterator[str]:
    """Yield the text of a tree, piece by piece."""
    if isinstance(node, ast.AST):
        yield f"{type(node).__name__}("
        for name, value in ast.iter_fields(node):
            if value is None or value == [] or name in LEFT_OUT:
                continue
            if name == "body" and isinstance(node, WITH_BODY):
                value = [one for one in value if not is_text(one)]
            if isinstance(node, ast.JoinedStr):  # Python 3.12 adds empty strings
                value = [one for one in value if not is_empty(one)]
            yield f"{name}="
            yield from pieces(value)
        yield ")"
    elif isinstance(node, list):
        yield "["
        for one in node:
            yield from pieces(one)
        yield "]"
    else:
        yield f"{node!a},"


def is_text(statement: ast.stmt) -> bool:
    """Whether a statement is a string, such as a docstring, which does nothing."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def is_empty(part: ast.expr) -> bool:
    """Whether a part of an f-string is an empty string."""
    return isinstance(part, ast.Constant) and part.value == ""


@cache
def definitions(source: str) -> dict[str, list[str]]:
    """Return the text of each function and class, decorators included, by name."""
    lines = source.splitlines()
    found: dict[str, list[str]] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, Definition):
            first = min(part.lineno for part in [node, *node.decorator_list])
            text = "\n".join(lines[first - 1 : node.end_lineno])
            found.setdefault(node.name, []).append(text)
    return found


@cache
def without_docstrings(source: str) -> str:
    """Return the lines of a source, without those that a docstring is on."""
    lines = textwrap.dedent(source).splitlines()
    for node in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(node, WITH_BODY):
            for text in filter(is_text, node.body):
                for line in range(text.lineno - 1, text.end_lineno or text.lineno):
                    lines[line] = ""
    return "\n".join(filter(str.strip, lines))
