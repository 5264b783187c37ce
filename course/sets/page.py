"""Run what exercises need of a notebook, and keep the names that each one finds."""

from __future__ import annotations

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
from course.sets.needed import needed
from tools.notebooks import python_source, tags

CLOSED = {"setup", "key"}  # cells that are not run for an exercise's sake


@dataclass(frozen=True)
class Step:
    """A cell to run; an exercise's is one before which the names are kept."""

    position: int
    source: str
    is_exercise: bool = False
    may_fail: bool = False


def steps(notebook: NotebookNode, asked: Mapping[int, str]) -> list[Step]:
    """Return the cells that make what exercises name, in order.

    Args:
        notebook: the page.
        asked: by the position of an exercise, code that may stand in its place.
    """
    cells = notebook.cells
    sources = [
        ""
        if cell.cell_type != "code" or CLOSED & {*tags(cell)}
        else python_source(cell)
        for cell in cells
    ]
    return [
        Step(i, sources[i], i in asked, "raises-exception" in tags(cells[i]))
        for i in needed(sources, asked)
    ]


def played(
    page: Iterable[Step], names: dict[str, Any] | None = None
) -> dict[int, dict[str, Any]]:
    """Run cells; return the names before each exercise. Nothing is shown.

    `names` is where they run, if the caller wants to have that.
    """
    matplotlib.use("Agg")
    names = {} if names is None else names
    names["__name__"] = "__main__"
    before = {}
    with check_replaced(silent), contextlib.redirect_stdout(io.StringIO()):
        for step in page:
            if step.is_exercise:
                before[step.position] = dict(names)
            code = compile(step.source, f"cell {step.position}", "exec")
            with contextlib.suppress(*([Exception] if step.may_fail else [])):
                exec(code, names)
    return before


def silent(*_: Any, **__: Any) -> Verdict:
    """Stand in for `check` where nobody asks for a verdict."""
    return Verdict("○", "")


@contextlib.contextmanager
def check_replaced(stand_in: Any) -> Iterator[None]:
    """Let cells that import `check` get something else."""
    real = autograd_lib.book.check
    vars(sys.modules["autograd_lib.book"])["check"] = stand_in
    try:
        yield
    finally:
        vars(sys.modules["autograd_lib.book"])["check"] = real
