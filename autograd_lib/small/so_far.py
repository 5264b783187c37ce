"""How long your engine is by now, and how many accidents it passes (chapter 00)."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from autograd_lib.small.accidents.trial import examine
from autograd_lib.small.cut import cut


def so_far(engine: Any, step: str) -> str:
    """Return a line with the length of an engine and the accidents that it passes.

    Args:
        engine: the book's as a page made it, or a file of the reader's as a module.
        step: what the page added, such as "graph".

    Raises:
        KeyError: if there is no such step.
    """
    file = getattr(engine, "__file__", None)
    source = Path(file).read_text(encoding="utf-8") if file else cut(step)
    outcomes = examine(engine, step)
    passed = sum(outcome.status == "passed" for outcome in outcomes)
    of = f"{passed} of {len(outcomes)} accidents passed"
    return f"Your engine: {lines(source)} lines, {of}"


def lines(source: str) -> int:
    """Return how many lines of code there are, without comments and docstrings.

    >>> lines("x = 1  # a number\\n\\n# and its double:\\ny = x + x")
    2
    """
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    told: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            first = node.body[0]
            told |= {*range(first.lineno, (first.end_lineno or first.lineno) + 1)}
    numbered = enumerate(source.splitlines(), 1)
    code = {n for n, line in numbered if line.strip() and line.strip()[0] != "#"}
    return len(code - told)
