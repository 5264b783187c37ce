"""Each problem set can be graded, and its keys refuse the wrong ways that are known."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="grading needs a POSIX system")

from course.judge.find import answers
from course.judge.gate import in_place, wrong_answers
from course.judge.judge import Judge
from course.sets.create import created
from course.sets.handout import handout
from course.sets.questions import read_set
from tests.course.judge.test_course_exercises import unbound

SETS = [f"ps{i}" for i in range(1, 7)]
FEWEST = 5  # wrong ways to each exercise, found by trying


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a private repository, as it is written for a class."""
    made = tmp_path_factory.mktemp("private")
    created(made)
    return made


@pytest.fixture(scope="module", params=SETS)
def judge(folder: Path, request: pytest.FixtureRequest) -> Iterator[Judge]:
    """Return the judge of a set, which has judged every solution to be right."""
    path = folder / "masters" / f"{request.param}.ipynb"
    made = Judge(read_set(path), "a seed of the tests")
    yield made
    made.close()


def test_an_untouched_handout_is_untouched_and_names_what_it_has(judge: Judge) -> None:
    asked = judge.asked
    given = handout(asked.notebook, asked.name)
    assert unbound(asked, asked.notebook) == unbound(asked, given) == {}
    found = answers(given, asked)
    statuses = {judge.verdict(q, found[q.label]).status for q in asked.questions}
    assert statuses == {"untouched"}


def test_no_known_wrong_way_gets_full_points(
    judge: Judge, folder: Path, request: pytest.FixtureRequest
) -> None:
    """One of each question, and weekly all of them."""
    all_of_them = request.config.getoption("--exhaustive")
    known = wrong_answers(folder, judge.asked.name)
    assert {q.label for q in judge.asked.questions} == known.keys()
    for question in judge.asked.questions:
        assert len(known[question.label]) >= FEWEST, question.label
        several = known[question.label]
        for source in several if all_of_them else several[:1]:
            found = judge.verdict(question, in_place(question, source))
            assert found.status != "right", source
