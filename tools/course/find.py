"""Find a student's answers in a notebook, whatever an editor did to its cells.

An answer is found by the id of its cell; if that is lost, or does not define the name
that was asked for, by the name: the last cell that defines it.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from nbformat import NotebookNode

from tools.course.questions import Question, Set
from tools.needed import bound
from tools.notebooks import code_cells, python_source

FEWEST = 1  # cells of a set that a notebook has at least, to be known as this set


@dataclass(frozen=True)
class Answer:
    """A student's cell for a question; `note` says how it was found, if not by its id.

    `source` is None where no cell was found.
    """

    source: str | None
    note: str = ""


def source_of(cell: NotebookNode) -> str:
    """Return a cell as Python where it is Python, and else as it is."""
    try:
        return python_source(cell)
    except SyntaxError:
        return str(cell.source)


def defines(source: str, name: str) -> bool:
    """Whether a source gives a name a meaning, or was to, with a slip in its syntax."""
    try:
        return name in bound(source)
    except (SyntaxError, ValueError, RecursionError):
        begins = (f"def {name}(", f"class {name}(", f"class {name}:", f"{name} =")
        return any(line.startswith(begins) for line in source.splitlines())


def shape(source: str) -> str:
    """Return what does not change when a source is laid out in another way."""
    try:
        return ast.dump(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError):
        return source


def answers(notebook: NotebookNode, asked: Set) -> dict[str, Answer]:
    """Return the answer to each question of a set, by its label."""
    cells = [(str(cell.get("id")), source_of(cell)) for cell in code_cells(notebook)]
    ids = {q.cell_id for q in asked.questions}
    given = {
        shape(source_of(cell))
        for cell in code_cells(asked.notebook)
        if cell.id not in ids
    }
    own = [(i, source) for i, source in cells if shape(source) not in given]
    return {q.label: answer(own, q) for q in asked.questions}


def answer(cells: Sequence[tuple[str, str]], question: Question) -> Answer:
    """Return the answer to one question, of the cells that the page did not have."""
    stub = shape(question.exercise.stub)
    fitting = [(i, s) for i, s in cells if defines(s, question.name)]
    attempted = [(i, s) for i, s in fitting if shape(s) != stub]
    of_id = [s for i, s in attempted if i == question.cell_id]
    if len(of_id) == 1:
        return Answer(of_id[0])
    if attempted:
        count = f", the last of {len(attempted)}" if len(attempted) > 1 else ""
        return Answer(attempted[-1][1], f"found by its name{count}")
    if fitting:
        return Answer(fitting[-1][1])
    return Answer(None)


def likeness(notebook: NotebookNode, candidate: Set) -> int:
    """Return how many cells of a set's questions a notebook has, by id or by name."""
    ids = {str(cell.get("id")) for cell in notebook.cells}
    code = [source_of(cell) for cell in code_cells(notebook)]
    return sum(
        10 * (q.cell_id in ids) + any(defines(source, q.name) for source in code)
        for q in candidate.questions
    )


def which(notebook: NotebookNode, candidates: Sequence[Set]) -> Set | None:
    """Return the set that a notebook belongs to, by what is in it."""
    release = notebook.metadata.get("autograd", {})
    named = release.get("set") if isinstance(release, dict) else None
    for candidate in candidates:
        if candidate.name == named:
            return candidate
    best = max(candidates, key=lambda c: likeness(notebook, c), default=None)
    return best if best and likeness(notebook, best) >= FEWEST else None
