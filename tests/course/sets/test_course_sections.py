"""What a failed check is about has a section in the book, and feedback leads there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from docutils.nodes import make_id

pytest.importorskip("resource", reason="grading needs a POSIX system")

from course.desk.report import feedback
from course.desk.results import SCORED, Result
from course.judge.find import Answer
from course.judge.gate import in_place
from course.judge.judge import Judge
from course.sets.create import created
from course.sets.questions import Set, read_set
from course.sets.sections import of_exercises, place, title
from course.sets.selection import masters
from notebooks.conventions import headings
from notebooks.notebook import ROOT, chapter_paths
from tests.course.helpers.masters import KEY, WRONG, master

SITE = "https://example.org/book/"


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> list[Set]:
    """Return all chapters, and the problem sets as `make course` writes them."""
    folder = tmp_path_factory.mktemp("private")
    created(folder)
    return [read_set(path) for path in [*chapter_paths(), *masters(folder)]]


def test_each_check_knows_a_section_of_the_book(sets: list[Set]) -> None:
    found = [
        (f"{s.name} {q.label}", check.section)
        for s in sets
        for q in s.questions
        for check in q.checks
    ]
    assert len(found) > len(of_exercises()) > 90
    for of, section in found:
        assert section, of
        page, anchor = section.split("#")
        assert title(section) == headings(ROOT / f"chapters/{page}.ipynb")[anchor], of
        assert title(section) not in ("Summary", "Exercises", "Further reading"), of


def test_no_exercise_is_sent_to_what_comes_later(sets: list[Set]) -> None:
    """And none has a section that does not exist."""
    chapters = {q.label: s.name for s in sets for q in s.questions if s.name[0] != "p"}
    assert chapters.keys() == of_exercises().keys()
    for label, section in of_exercises().items():
        assert section.partition("#")[0] <= chapters[label], label


def test_an_anchor_is_the_one_that_sphinx_writes(sets: list[Set]) -> None:
    sections = {c.section for s in sets for q in s.questions for c in q.checks}
    for section in sections:
        path = ROOT / "chapters" / f"{section.partition('#')[0]}.ipynb"
        ids = [make_id(head) for head in headings(path).values()]
        anchor = place(section).partition("#")[2]
        assert ids.count(anchor) == 1, section
        assert make_id(title(section)) == anchor


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    made = Judge(read_set(master(tmp_path_factory.mktemp("course"))), "seed")
    yield made
    made.close()


def page_of(judge: Judge, answer: str, site: str) -> str:
    """Return the line of a student's page about an answer."""
    (question,) = judge.asked.questions
    found = judge.verdict(question, in_place(question, answer))
    result = Result("ada", "1", SCORED, verdicts={question.label: found})
    return feedback(judge.asked, result, site).splitlines()[4]


def test_a_page_links_to_what_explains_the_check_that_failed(judge: Judge) -> None:
    keeps = (
        "[A float with a memory](https://example.org/book/chapters/02_float_var.html"
    )
    line = page_of(judge, WRONG, SITE)
    assert line.endswith(f"above. See {keeps}#a-float-with-a-memory), chapter 02")
    by_hand = "See [By hand](https://example.org/book/chapters/02_float_var.html"
    once = "seen = []\n\n\ndef scaled(g, x):\n    seen.append((g, x))\n"
    once += "    return 2 * x * g * (seen[-2:-1] != [(-g, x)])\n"
    assert f"counts. {by_hand}#by-hand), chapter 02" in page_of(judge, once, SITE)


def test_without_an_address_it_names_the_page(judge: Judge) -> None:
    keeps = (
        "See *A float with a memory*, "
        "`chapters/02_float_var.html#a-float-with-a-memory`"
    )
    assert page_of(judge, WRONG, "").endswith(keeps)


def test_what_is_right_or_was_not_tried_leads_nowhere(judge: Judge) -> None:
    (question,) = judge.asked.questions
    right = judge.verdict(question, Answer(question.exercise.solved()))
    stub = judge.verdict(question, Answer(question.exercise.stub))
    assert (right.status, right.section) == ("right", "")
    assert (stub.status, stub.section) == ("untouched", "")


def test_a_section_that_the_book_has_not_is_refused(tmp_path: Path) -> None:
    line = "# see 02_float_var#a-float-with-a-memory"
    assert line in KEY
    for other in ("02_float_var#what", "77_nothing#what"):
        with pytest.raises(ValueError, match=f"the book has no section {other}"):
            read_set(master(tmp_path, KEY.replace(line, f"# see {other}")))
