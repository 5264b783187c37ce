"""Every exercise of the book is judged as its authors meant: chapter by chapter.

The judge compares as the page does, where `test_exercises` tries all answers. So here
some chapters of each part are enough, and one wrong and one other right answer to each
exercise; all chapters and all answers run weekly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

pytest.importorskip("resource", reason="grading needs a POSIX system")

from course.judge.find import Answer
from course.judge.gate import faults, in_place, made_in_the_child
from course.judge.judge import Judge
from course.sets.questions import read_set
from tests.book.helpers.other_answers import RIGHT, WRONG
from tools.notebooks import ROOT, chapter_paths

ALWAYS = ("00_", "02_", "05_", "09_", "11_", "13_", "16_", "17_", "22_", "24_")
CHAPTERS = [
    pytest.param(
        path,
        id=path.stem,
        marks=[pytest.mark.exhaustive] * (not path.stem.startswith(ALWAYS)),
    )
    for path in chapter_paths()
]


@pytest.fixture(scope="module", params=CHAPTERS)
def judge(request: pytest.FixtureRequest) -> Iterator[Judge]:
    """Return the judge of a chapter, which has judged every solution to be right."""
    made = Judge(read_set(request.param), "a seed of the tests")
    yield made
    made.close()


def test_stubs_are_untouched_and_wrong_answers_get_no_points(judge: Judge) -> None:
    for question in judge.asked.questions:
        stub = judge.verdict(question, Answer(question.exercise.stub))
        assert stub.status == "untouched", question.label
        found = judge.verdict(question, in_place(question, WRONG[question.label][0]))
        assert found.points == 0, (question.label, found)


@pytest.mark.exhaustive
def test_nothing_less_than_a_solution_gets_points(judge: Judge) -> None:
    assert list(faults(judge, WRONG)) == []


def compared_in_the_child() -> list[str]:
    """Return the labels that the instructors' guide names, whose counts must fit."""
    guide = (ROOT / "pages" / "instructors.md").read_text(encoding="utf-8")
    said = re.search(
        r"Of the book's (\d+) exercises, (\d+) are compared by value in the judge's "
        r"process, and these (\d+) in the student's: ([\d., ]+)\.",
        guide,
    )
    assert said
    labels = said[4].split(", ")
    whole = sum(len(read_set(path).questions) for path in chapter_paths())
    counts = (whole, whole - len(labels), len(labels))
    assert tuple(map(int, said.groups()[:3])) == counts
    return labels


def test_the_guide_names_what_is_compared_where_the_student_s_code_runs(
    judge: Judge,
) -> None:
    labels = {question.label for question in judge.asked.questions}
    named = [label for label in compared_in_the_child() if label in labels]
    assert made_in_the_child(judge) == named


def test_another_right_answer_is_right(judge: Judge) -> None:
    for question in judge.asked.questions:
        for source in RIGHT.get(question.label, [])[:1]:
            found = judge.verdict(question, in_place(question, source))
            assert found.status == "right", (question.label, source, found)


@pytest.mark.exhaustive
def test_all_right_answers_are_right_whatever_the_seed(judge: Judge) -> None:
    judge.draw("another seed")
    for question in judge.asked.questions:
        answers = [question.exercise.solution, *RIGHT.get(question.label, [])]
        for source in answers:
            found = judge.verdict(question, in_place(question, source))
            assert found.status == "right", (question.label, source, found)
