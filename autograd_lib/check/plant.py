"""Replace a function's code for a while, to see which tests notice (chapter 11).

Only the code inside the function changes. The function object stays the same, so the
change takes effect everywhere: in graphs, tables of rules, and other modules. The
functions of this module must not call the changed one.
"""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any


def find(where: str) -> FunctionType:
    """Return a function or a method by its dotted name, without its decorators.

    Raises:
        LookupError: if there is no function of that name.
    """
    names = where.split(".")
    for cut in range(len(names) - 1, 0, -1):
        try:
            found: Any = importlib.import_module(".".join(names[:cut]))
        except ModuleNotFoundError:
            continue
        for name in names[cut:]:
            found = getattr(found, name, None)
        found = inspect.unwrap(found) if callable(found) else found
        if isinstance(found, FunctionType):
            return found
        break
    raise LookupError(f"plant: there is no function {where}")


def source_of(function: FunctionType) -> str:
    """Return the source of a function without indentation."""
    return textwrap.dedent(inspect.getsource(function))


def tree_of(source: str) -> ast.FunctionDef:
    """Return the syntax tree of a function, from its source."""
    (tree,) = ast.parse(source).body
    if not isinstance(tree, ast.FunctionDef):
        raise LookupError(f"plant: needs a function with a def, got {source!r:.60}")
    return tree


def replaced(tree: ast.FunctionDef, right: str, wrong: str) -> ast.FunctionDef:
    """Return a copy of a function with one expression or statement replaced.

    Args:
        tree: the function.
        right: the source of the old part, compared without regard to formatting.
        wrong: the source of the new part.

    Raises:
        LookupError: if `right` does not occur exactly once.
    """
    changed = copy.deepcopy(tree)
    wanted = ast.dump(part(right))
    found = [n for n in ast.walk(changed) if ast.dump(n) == wanted]
    if len(found) != 1:
        raise LookupError(
            f"plant: {right!r} is not there exactly once in {tree.name}, but "
            f"{len(found)} times"
        )
    Replace(found[0], part(wrong)).visit(changed)
    return changed


def part(source: str) -> ast.AST:
    """Return the syntax tree of one expression or statement."""
    (statement,) = ast.parse(source).body
    return statement.value if isinstance(statement, ast.Expr) else statement


class Replace(ast.NodeTransformer):
    """Replaces one node of a syntax tree by another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, copy.deepcopy(new)

    def visit(self, node: ast.AST) -> ast.AST:
        """Return the new node in place of the old one."""
        if node is self.old:
            return ast.copy_location(self.new, node)
        visited: ast.AST = super().generic_visit(node)
        return visited


def compiled(tree: ast.FunctionDef) -> CodeType:
    """Return the code of a function from its syntax tree, without its decorators."""
    bare = ast.FunctionDef(
        tree.name, tree.args, tree.body, [], tree.returns, tree.type_comment
    )
    module = ast.Module([ast.copy_location(bare, tree)], [])
    whole = compile(ast.fix_missing_locations(module), f"<changed {tree.name}>", "exec")
    codes = [c for c in whole.co_consts if isinstance(c, CodeType)]
    (code,) = (c for c in codes if c.co_name == tree.name)
    return code


@contextmanager
def planted(function: FunctionType, tree: ast.FunctionDef) -> Iterator[None]:
    """Replace a function's code by that of a syntax tree while the block runs.

    Raises:
        ValueError: if either uses variables of an enclosing function.
    """
    before = function.__code__
    function.__code__ = compiled(tree)
    try:
        yield
    finally:
        function.__code__ = before
