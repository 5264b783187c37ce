"""Find a student's answers in a notebook, whatever an editor did to its cells.

An answer is found by the id of its cell; if that is lost, or does not define the name
that was asked for, by the name: the last cell that defines it.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from nbformat import NotebookNode

from course.sets.pieces import NO_PYTHON, parsed
from course.sets.questions import Question, Set
from notebooks.notebook import bound, code_cells, python_source

LONGEST = 50_000  # characters of a cell that is read as Python
TIMED = re.compile(r"\A\s*%%(time|capture)\b.*\n")  # runs its cell where others run
FEWEST = 1  # cells of a set that a notebook has at least, to be known as this set


@dataclass(frozen=True)
class Answer:
    """A student's cell for a question; `note` says how it was found, if not by its id.

    `source` is None where no cell was found.
    """

    source: str | None
    note: str = ""


@dataclass(frozen=True)
class Cell:
    """A code cell, read once: its source, what it gives a meaning, and its shape."""

    id: str
    source: str
    names: frozenset[str] | None
    """None where it is no Python, or too long to be an answer."""
    shape: str

    def defines(self, name: str) -> bool:
        """Whether it binds a name, or begins to, in a cell with a syntax error."""
        if self.names is not None:
            return name in self.names
        begins = (f"def {name}(", f"class {name}(", f"class {name}:", f"{name} =")
        return any(line.startswith(begins) for line in self.source.splitlines())


def cells_of(notebook: NotebookNode) -> list[Cell]:
    """Read the code cells of a notebook."""
    return [read_cell(str(c.get("id")), c) for c in code_cells(notebook)]


def read_cell(cell_id: str, cell: NotebookNode) -> Cell:
    """Read a code cell; a line such as `%%time` above its code is left out."""
    source = TIMED.sub("", str(cell.source))
    if len(source) > LONGEST:
        return Cell(cell_id, source, None, source)
    with suppress(*NO_PYTHON):
        with suppress(*NO_PYTHON):  # it takes seconds to look for magics in long cells
            return Cell(cell_id, source, *known(source))
        source = python_source(NotebookNode(cell, source=source))
        return Cell(cell_id, source, *known(source))
    return Cell(cell_id, source, None, shape(source))


@lru_cache(2048)
def known(source: str) -> tuple[frozenset[str], str]:
    """Return the names that a source binds, and its shape.

    Each file of a class repeats the cells of the page, which are read once.

    Raises:
        SyntaxError: or another of `NO_PYTHON`, if it is no Python.
    """
    return frozenset(bound(source)), dumped(source)


def shape(source: str) -> str:
    """Return what tells a source from others, whatever its layout."""
    with suppress(*NO_PYTHON):
        return dumped(source)
    return source


def dumped(source: str) -> str:
    """Return a hash of the tree of a source."""
    return hashlib.sha256(ast.dump(parsed(source)).encode()).hexdigest()


def answers(notebook: NotebookNode, asked: Set) -> dict[str, Answer]:
    """Return the answer to each question of a set, by its label."""
    ids = {q.cell_id for q in asked.questions}
    given = {c.shape for c in cells_of(asked.notebook) if c.id not in ids}
    own = [c for c in cells_of(notebook) if c.shape not in given]
    return {q.label: answer(own, q) for q in asked.questions}


def answer(cells: Sequence[Cell], question: Question) -> Answer:
    """Return the answer to one question, of the cells that the page did not have."""
    stub = shape(question.exercise.stub)
    fitting = [c for c in cells if c.defines(question.name)]
    attempted = [c for c in fitting if c.shape != stub]
    of_id = [c for c in attempted if c.id == question.cell_id]
    if len(of_id) == 1:
        return Answer(of_id[0].source)
    if attempted:
        count = f", the last of {len(attempted)}" if len(attempted) > 1 else ""
        return Answer(attempted[-1].source, f"found by its name{count}")
    if fitting:
        return Answer(fitting[-1].source)
    return Answer(None)


def which(notebook: NotebookNode, candidates: Sequence[Set]) -> Set | None:
    """Return the set that a notebook belongs to, by what is in it."""
    release = notebook.metadata.get("autograd", {})
    named = release.get("set") if isinstance(release, dict) else None
    for candidate in candidates:
        if candidate.name == named:
            return candidate
    ids = {str(cell.get("id")) for cell in notebook.cells}
    cells = cells_of(notebook)

    def likeness(candidate: Set) -> int:
        """Return how many questions of a set a notebook has, by id or by name."""
        return sum(
            10 * (q.cell_id in ids) + any(c.defines(q.name) for c in cells)
            for q in candidate.questions
        )

    best = max(candidates, key=likeness, default=None)
    return best if best and likeness(best) >= FEWEST else None
