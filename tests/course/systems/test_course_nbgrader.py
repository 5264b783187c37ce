"""An assignment for nbgrader: its metadata, and what its cells say of answers."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

pytest.importorskip("resource", reason="the key is drawn where grading runs")

from course.sets.questions import read_set
from course.systems.nbgrader import assignment, main
from notebooks.exercises import python_fences
from notebooks.notebook import tags
from tests.course.helpers.masters import NO_SIGN, SOLUTION, WRONG, master

FIELDS = {
    "schema_version": int,
    "grade_id": str,
    "solution": bool,
    "grade": bool,
    "locked": bool,
    "task": bool,
}
"""nbgrader's schema 3; `points` stands where `grade` is true."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> nbformat.NotebookNode:
    return assignment(read_set(master(tmp_path_factory.mktemp("course"))), "seed")


def of(made: nbformat.NotebookNode) -> dict[str, nbformat.NotebookNode]:
    """Return the cells that nbgrader knows, by their ids."""
    return {
        c.metadata.nbgrader.grade_id: c for c in made.cells if "nbgrader" in c.metadata
    }


def test_its_metadata_is_of_nbgrader_s_schema(made: nbformat.NotebookNode) -> None:
    nbformat.validate(made)
    for name, cell in of(made).items():
        known = dict(cell.metadata.nbgrader)
        assert re.fullmatch(r"[a-zA-Z0-9_-]+", known["grade_id"])
        points = known.pop("points", None)
        assert {k: type(v) for k, v in known.items()} == FIELDS, name
        assert (points is not None) == known["grade"], name
        assert known["locked"] != known["solution"], name
    assert list(of(made)) == [
        *("exercise-7-1", "exercise-7-1-check", "exercise-7-1-1", "exercise-7-1-2"),
        "written-9-2",
    ]
    points = [c.metadata.nbgrader.get("points") for c in of(made).values()]
    assert points == [None, None, 2.0, 1.0, 4]


def test_what_is_kept_back_stands_between_nbgrader_s_marks(
    made: nbformat.NotebookNode,
) -> None:
    assert not [c for c in made.cells if {"key", "solution"} & {*tags(c)}]
    cells = of(made)
    head, mark, solution = cells["exercise-7-1"].source.partition("### BEGIN SOLUTION")
    assert "..." in head
    assert mark
    assert solution.strip().endswith("### END SOLUTION")
    for name in ("exercise-7-1-1", "exercise-7-1-2"):
        assert cells[name].source.startswith("### BEGIN HIDDEN TESTS")
        assert cells[name].source.endswith("### END HIDDEN TESTS")
    seen = cells["exercise-7-1-check"].source
    assert "canary" not in head + seen


def earned(made: nbformat.NotebookNode, answer: str) -> list[float]:
    """Return the points of each test, with an answer in the answer's cell."""
    names: dict[str, Any] = {}
    exec("from autograd_lib.book import check, reals", names)
    exec(answer, names)
    got = []
    for cell in of(made).values():
        if cell.cell_type == "code" and cell.metadata.nbgrader.grade:
            with contextlib.suppress(AssertionError):
                exec(cell.source, names)
                got.append(cell.metadata.nbgrader.points)
    return got


def test_its_tests_tell_right_from_wrong(made: nbformat.NotebookNode) -> None:
    (solution,) = python_fences(SOLUTION)
    assert earned(made, solution) == [2.0, 1.0]
    assert earned(made, NO_SIGN) == []
    assert earned(made, WRONG) == []


def test_the_command_writes_a_folder_of_nbgrader_s(tmp_path: Path) -> None:
    master(tmp_path / "course")
    given = ["--course", str(tmp_path / "course"), "--into", str(tmp_path / "n")]
    assert main(["ps9", *given]) == 0
    assert (tmp_path / "n" / "source" / "ps9" / "ps9.ipynb").is_file()
    assert "code_stub" in (tmp_path / "n" / "nbgrader_config.py").read_text()
    assert main(["ps7", *given]) == 1
