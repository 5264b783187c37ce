"""Answers that are the same but for names, in the files of different students.

They are reported, not judged: short answers are alike because there is one way.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress

from course.sets.pieces import NO_PYTHON

SHORT = 25  # nodes of the syntax; of fewer, everybody writes the same


class Renamed(ast.NodeTransformer):
    """Replace names by numbers, in order of appearance."""

    def __init__(self) -> None:
        self.numbers: dict[str, str] = {}

    def number(self, name: str) -> str:
        """Return the replacement of a name; names of Python's builtins stay."""
        if hasattr(builtins, name):
            return name
        return self.numbers.setdefault(name, f"n{len(self.numbers)}")

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """Rename a variable."""
        return ast.Name(self.number(node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        """Rename a parameter, and drop its annotation."""
        return ast.arg(self.number(node.arg))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Rename a function."""
        node.name, node.returns = self.number(node.name), None
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        """Drop a statement that is only a constant, such as a docstring."""
        return (
            None if isinstance(node.value, ast.Constant) else self.generic_visit(node)
        )


def print_of(source: str, name: str) -> str:
    """Return a fingerprint of what defines a name, empty for a short or broken one."""
    with suppress(*NO_PYTHON):
        return print_of_tree(ast.parse(source), name)
    return ""


def print_of_tree(tree: ast.Module, name: str) -> str:
    """Return a fingerprint of what defines a name in a tree."""
    kept = [
        s
        for s in tree.body
        if getattr(s, "name", "") == name
        or (isinstance(s, ast.Assign) and name in map(ast.unparse, s.targets))
    ]
    whole = ast.Module(kept, [])
    if sum(1 for _ in ast.walk(whole)) < SHORT:
        return ""
    return hashlib.sha256(ast.unparse(Renamed().visit(whole)).encode()).hexdigest()


def alike(prints: Mapping[str, Mapping[str, str]]) -> list[tuple[str, list[str]]]:
    """Return the labels with the students whose answers are the same.

    `prints` has fingerprints by student and label.
    """
    groups: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for student, by_label in sorted(prints.items()):
        for label, fingerprint in by_label.items():
            if fingerprint:
                groups[label, fingerprint].append(student)
    return [(label, who) for (label, _), who in sorted(groups.items()) if len(who) > 1]


def shared_by_few(
    groups: Iterable[tuple[str, list[str]]], students: int
) -> list[tuple[str, list[str]]]:
    """Leave out answers that a quarter of the class shares: they are the usual way."""
    return [(label, who) for label, who in groups if len(who) <= max(3, students // 4)]
