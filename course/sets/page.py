"""Run what exercises need of a notebook, and keep the names that each one finds."""

from __future__ import annotations

import ast
import contextlib
import io
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import matplotlib
from nbformat import NotebookNode

import autograd_lib.book
from autograd_lib.book import Verdict
from autograd_lib.small.cells import MAGIC
from course.sets.needed import needed
from notebooks.notebook import python_source, tags

ADDED = """from autograd_lib.small.cells import add as _add
_add({!r}) if engine else None
"""
CLOSED = {"setup", "key"}  # cells that are not run for an exercise's sake


@dataclass(frozen=True)
class Step:
    """A cell to run; an exercise's is one before which the names are kept."""

    position: int
    source: str
    is_exercise: bool = False
    may_fail: bool = False
    adds: bool = False  # to the engine of the page, which any exercise may use


def steps(notebook: NotebookNode, asked: Mapping[int, str]) -> list[Step]:
    """Return the cells that define the names that exercises use, in order.

    The imports that a cell begins with are a step of their own: no training below them
    runs for the sake of a class that it imports.

    Args:
        notebook: the page.
        asked: by the position of an exercise, code that may stand in its place.
    """
    found = []
    for i, cell in enumerate(notebook.cells):
        if cell.cell_type == "code" and not CLOSED & {*tags(cell)}:
            source, may_fail = python_source(cell), "raises-exception" in tags(cell)
            if adds := cell.source.startswith(f"%%{MAGIC}"):
                source = ADDED.format(source)
            halves = [source] if i in asked else imports_and_rest(source)
            found += [Step(i, half, i in asked, may_fail, adds) for half in halves]
    code = {n: "" for n, step in enumerate(found) if step.adds}
    code |= {n: asked[s.position] for n, s in enumerate(found) if s.is_exercise}
    return [found[n] for n in needed([step.source for step in found], code)]


def imports_and_rest(source: str) -> list[str]:
    """Return the imports that a source begins with, and what stands below them."""
    end = 0
    for statement in ast.parse(source).body:
        if not isinstance(statement, ast.Import | ast.ImportFrom):
            break
        if getattr(statement, "module", "") == "__future__":  # it is about the rest
            return [source]
        end = statement.end_lineno or 0
    lines = source.splitlines(keepends=True)
    return ["".join(lines[:end]), "\n" * end + "".join(lines[end:])]


@dataclass
class Played:
    """A page that has run: the names that each exercise finds, by its position."""

    names: dict[str, Any]
    """Where its cells ran, and where functions that they define look names up."""
    before: dict[int, dict[str, Any]]

    def at(self, position: int) -> dict[str, Any]:
        """Return the names that an exercise finds, for the page's functions as well.

        A cell below may have bound one of them again.
        """
        self.names.clear()
        self.names.update(self.before[position])
        return dict(self.before[position])


def played(page: Iterable[Step]) -> Played:
    """Run cells, and keep the names before each exercise. Nothing is shown."""
    matplotlib.use("Agg")
    names: dict[str, Any] = {"__name__": "__main__"}
    before = {}
    with check_replaced(silent), contextlib.redirect_stdout(io.StringIO()):
        for step in page:
            if step.is_exercise:
                before[step.position] = dict(names)
            code = compile(step.source, f"cell {step.position}", "exec")
            with contextlib.suppress(*([Exception] if step.may_fail else [])):
                exec(code, names)
    return Played(names, before)


def silent(*_: Any, **__: Any) -> Verdict:
    """Replace `check` where no verdict is wanted."""
    return Verdict("○", "")


@contextlib.contextmanager
def check_replaced(stand_in: Any) -> Iterator[None]:
    """Replace `check` in the library while cells that import it run."""
    real = autograd_lib.book.check
    vars(sys.modules["autograd_lib.book"])["check"] = stand_in
    try:
        yield
    finally:
        vars(sys.modules["autograd_lib.book"])["check"] = real
