"""Notebooks as students hand them in: solved, broken, and meant to break the judge."""

from __future__ import annotations

import copy
from collections.abc import Callable

from nbformat import NotebookNode

from course.sets.handout import handout
from course.sets.questions import Question, Set


def blank(asked: Set) -> NotebookNode:
    """Return what a student gets."""
    return handout(asked.notebook, asked.name)


def answered(asked: Set, answer: Callable[[Question], str]) -> NotebookNode:
    """Return a handout whose exercises' cells hold what `answer` returns."""
    made = blank(asked)
    for question in asked.questions:
        for cell in made.cells:
            if cell.id == question.cell_id:
                cell.source = answer(question)
    return made


def solved(asked: Set) -> NotebookNode:
    """Return a handout with all solutions in it."""
    return answered(asked, lambda question: question.exercise.solved())


def with_code(asked: Set, code: str) -> NotebookNode:
    """Return a handout whose every answer runs a piece of code, where it is defined."""
    body = "\n".join(f"    {line}" for line in code.strip().splitlines())
    return answered(
        asked, lambda q: f"def {q.name}(*args):\n    return 0\n\nclass Run:\n{body}\n"
    )


def changed(
    notebook: NotebookNode, change: Callable[[NotebookNode], None]
) -> NotebookNode:
    """Return a copy with each cell changed."""
    made = copy.deepcopy(notebook)
    for cell in made.cells:
        change(cell)
    return made
