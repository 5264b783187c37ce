"""Write a set as an assignment of nbgrader's, for departments that require it.

    python -m course.systems.nbgrader ps1 --course ../autograd-course --into ../nbgrader

`source/ps1/ps1.ipynb` has the solutions between nbgrader's marks, and hidden tests
with the key's inputs. nbgrader runs these in the kernel of the student's code, so it
does not hold what the judge holds: `pages/instructors.md` says what was measured.
"""

from __future__ import annotations

import argparse
import ast
import copy
import secrets
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from course.desk import free_response
from course.judge.key import Expected, keys
from course.sets.handout import KEPT_BACK
from course.sets.page import played
from course.sets.questions import Question, Set, calls_of_check
from course.sets.selection import chosen
from notebooks.notebook import place_setup_cell, tags
from notebooks.repository import address

JUDGED = """\
### BEGIN HIDDEN TESTS
from autograd_lib.book.exercise import Compared


def judged(attempt, expected, inputs, why, via=None, tolerance=1e-6, parts=()):
    answers = [expected(*args) for args in inputs]
    sign, message = Compared(attempt, via, tolerance, parts).verdict(inputs, answers, 9)
    assert sign == "✓", why or message


{around}

{call}
### END HIDDEN TESTS"""
CONFIG = """\
c = get_config()  # noqa: F821
c.ClearSolutions.code_stub = {"python": "# Your answer."}
c.ClearSolutions.enforce_metadata = False
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the assignment that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m course.systems.nbgrader")
    parser.add_argument("set", help="a chapter, 05, or a master, ps1")
    parser.add_argument("--course", type=Path, help="the folder with the masters")
    parser.add_argument("--into", type=Path, required=True, help="nbgrader's folder")
    parser.add_argument("--seed", default="", help="which inputs the tests have")
    options = parser.parse_args(arguments)
    try:
        (asked,) = chosen([options.set], options.course)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    place = options.into / "source" / asked.name / f"{asked.name}.ipynb"
    place.parent.mkdir(parents=True, exist_ok=True)
    made = assignment(asked, options.seed or secrets.token_hex(8))
    place.write_text(nbformat.writes(made) + "\n", encoding="utf-8", newline="\n")
    config = options.into / "nbgrader_config.py"
    if not config.exists():
        config.write_text(CONFIG, encoding="utf-8")
    print(place)
    return 0


def assignment(asked: Set, seed: str) -> NotebookNode:
    """Return the assignment's notebook, with solutions and hidden tests."""
    expected = keys(asked.questions, played(asked.steps()), seed)
    by_id = {q.cell_id: q for q in asked.questions}
    in_words = {q.cell_id: q for q in free_response.questions(asked)}
    made = copy.deepcopy(asked.notebook)
    place_setup_cell(made, address())
    cells: list[NotebookNode] = []
    for cell, original in zip(made.cells, asked.notebook.cells, strict=True):
        if question := by_id.get(original.id):
            cells += cells_of(question, expected[question.label])
        elif question_in_words := in_words.get(original.id):
            name = f"written-{question_in_words.label}"
            cells.append(marked(cell, name, True, question_in_words.points))
        elif not KEPT_BACK & {*tags(cell)}:
            cells.append(cell)
    made.cells = cells
    return made


def cells_of(
    question: Question, expected: Sequence[Expected]
) -> Iterator[NotebookNode]:
    """Yield the cells of a question: its answer, the check, and the hidden tests."""
    attempt, around, checks = pieces(question)
    solution = f"### BEGIN SOLUTION\n{question.exercise.solution}\n### END SOLUTION"
    name = f"exercise-{question.label}"
    yield marked(new_code_cell(f"{attempt}\n\n\n{solution}"), name, True)
    own = f"{around[0]}\n\n{ast.unparse(checks[0])}".strip()
    yield marked(new_code_cell(own), f"{name}-check", False)
    for i, (check, call, drawn) in enumerate(
        zip(question.checks, checks, expected, strict=True)
    ):
        if check.points:
            judged = copy.deepcopy(call)
            judged.func = ast.Name("judged")
            inputs = ast.parse(repr(drawn.inputs), mode="eval").body
            judged.args = [*call.args[:2], inputs, ast.Constant(check.because)]
            test = JUDGED.format(around="\n".join(around), call=ast.unparse(judged))
            yield marked(new_code_cell(test), f"{name}-{i}", False, check.points)


def pieces(question: Question) -> tuple[str, list[str], list[ast.Call]]:
    """Return the definition of the answer, the code around it, and the checks.

    What stands around comes in two parts: the page's, and the key's.
    """
    stub, key = (ast.parse(s).body for s in (question.exercise.stub, question.key))
    own = [s for s in stub if getattr(s, "name", "") == question.name]
    calls = calls_of_check([*stub, *key])
    around = [
        "\n\n\n".join(
            ast.unparse(s)
            for s in part
            if s not in own and not (isinstance(s, ast.Expr) and s.value in calls)
        )
        for part in (stub, key)
    ]
    return "\n".join(map(ast.unparse, own)), around, calls


def marked(
    cell: NotebookNode, name: str, is_answer: bool, points: float = 0
) -> NotebookNode:
    """Give a cell nbgrader's metadata, by its schema 3."""
    cell.metadata["nbgrader"] = {
        "schema_version": 3,
        "grade_id": name.replace(".", "-"),  # letters, digits, - and _ alone
        "solution": is_answer,
        "grade": points > 0,
        "locked": not is_answer,
        "task": False,
        **({"points": points} if points else {}),
    }
    return cell


if __name__ == "__main__":
    sys.exit(main())
