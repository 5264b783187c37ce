"""A page is solved in the browser and downloaded, and the judge grades what comes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="grading needs a POSIX system")

from course.judge.find import answers, which
from course.judge.judge import Judge
from course.sets.questions import read_set
from notebooks.notebook import chapter_paths
from tests.browser.helpers.live_site import LivePage, browsing, opened, serving

ASKED = read_set(chapter_paths()[0])


@pytest.fixture(scope="module")
def live() -> Iterator[LivePage]:
    with serving() as site, browsing() as context:
        live = opened(context, f"{site.address}chapters/{ASKED.name}.html")
        yield live.start()
        assert live.problems == []


def number_of(live: LivePage, name: str) -> int:
    """Return the number of the exercise's cell that asks for a name."""
    script = (
        "name => [...document.querySelectorAll('div.cell')].findIndex(e => "
        "e.classList.contains('tag_exercise') && e.textContent.includes(name)) + 1"
    )
    return int(live.page.evaluate(script, f"def {name}("))


@pytest.mark.exhaustive  # the judge is tried always
def test_what_is_downloaded_is_graded(live: LivePage, tmp_path: Path) -> None:
    right, wrong, *rest = ASKED.questions
    exercise = right.exercise
    for question, code in (
        (right, exercise.solved()),
        (wrong, wrong.exercise.stub.replace("...", "return 42.0", 1)),
    ):
        live.run(number_of(live, question.name), code)
    notebook = live.notebook(tmp_path)
    assert which(notebook, [ASKED]) is ASKED
    found = answers(notebook, ASKED)
    assert [a.note for a in found.values()] == [""] * len(ASKED.questions)
    judge = Judge(ASKED, "seed")
    try:
        got = [judge.verdict(q, found[q.label]).status for q in ASKED.questions]
    finally:
        judge.close()
    assert got == ["right", "wrong", *["untouched"] * len(rest)]
