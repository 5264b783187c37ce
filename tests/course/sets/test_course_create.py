"""The private repository that `make course` writes can be used as it stands."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
import yaml

pytest.importorskip("resource", reason="grading needs a POSIX system")

from course.desk.free_response import questions
from course.judge.gate import main as gate
from course.sets.create import created, main
from course.sets.questions import read_set
from course.sets.selection import masters
from notebooks.further import whole
from notebooks.notebook import ROOT, chapter_paths, read
from tools.budget import budget


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("private")
    created(folder)
    return folder


def test_every_set_holds(
    course: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    """What is published is searched for all sets in `test_course_leaks.py`."""
    monkeypatch.setattr("course.judge.gate.published", list)
    names = [path.stem for path in masters(course)]
    assert names == [f"ps{i}" for i in range(1, 7)]
    if not request.config.getoption("--exhaustive"):
        names = names[:1]  # the gate changes each solution in all small ways
    assert gate([*names, "--course", str(course)]) == 0, capsys.readouterr().out


def test_its_table_says_what_the_sets_are_worth(course: Path) -> None:
    text = (course / "README.md").read_text(encoding="utf-8")
    said = re.findall(r"(?m)^\| (ps\d) \|.*\| (\d+), and (\d+) in words \|$", text)
    sets = {path.stem: read_set(path) for path in masters(course)}
    worth = [
        (name, f"{sum(q.points for q in s.questions):g}",
         str(sum(w.points for w in questions(s))))
        for name, s in sets.items()
    ]  # fmt: skip
    assert said == worth


def minutes_of_chapters() -> dict[str, int]:
    """Return how long each chapter takes, by its own first lines."""
    found = {}
    for path in chapter_paths():
        text = "\n".join(cell.source for cell in read(path).cells[:3])
        found[path.stem[:2]] = int(re.findall(r"\*\*Time:\*\* (\d+) minutes", text)[0])
    return found


@pytest.mark.parametrize("weeks", [6, 12])
def test_a_plan_has_the_minutes_that_chapters_name(course: Path, weeks: int) -> None:
    text = (course / f"syllabus-{weeks}.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| (\d+) \| (.+?) \| ([\d; ]+) \| (.+?) \| .+ \|$", text)
    assert [int(week) for week, *_ in rows] == list(range(1, weeks + 1))
    minutes, met = minutes_of_chapters(), list[str]()
    for week, sessions, said, goals in rows:
        read_before = [re.findall(r"\d\d", one) for one in sessions.split(";")]
        sums = [sum(minutes[n] for n in one) for one in read_before if one]
        assert said == "; ".join(map(str, sums)), week
        assert len(goals.split("; ")) == 2, week
        met += [n for one in read_before for n in one]
    left_out = re.findall(r"\b\d\d\b", text.partition("Left out:")[2].split("\n")[0])
    assert sorted([*met, *left_out]) == [*minutes]
    assert met == [n for n in minutes if n in met]


def hours_of(course: Path, weeks: int) -> list[tuple[str, str, float]]:
    """Return a plan's sessions, sets and hours by week, counted from the pages."""
    chapters = {p.stem[:2]: budget(whole(p)).minutes / 60 for p in chapter_paths()}
    texts = {
        p.stem: "\n".join(c.source for c in read(p).cells) for p in masters(course)
    }
    words = {"two": 2, "three": 3, "four": 4}
    due = {
        name: words[re.findall(r"About (\w+) hours\.", text)[0]]
        for name, text in texts.items()
    }
    plan = (course / f"syllabus-{weeks}.md").read_text(encoding="utf-8")
    found = []
    for sessions, row in re.findall(r"(?m)^\| \d+ \| (.+?) \| [\d; ]+ \|(.+)$", plan):
        sets = re.findall(r"\bps\d\b", row)
        hours = sum(chapters[n] for n in re.findall(r"\d\d", sessions))
        hours += 3 + sum(due[name] for name in sets)
        found.append((sessions, ", ".join(sets), hours))
    return found


@pytest.mark.parametrize(("weeks", "columns"), [(6, (1, 2, 3)), (12, (4, 5, 6))])
def test_the_guide_s_syllabus_says_its_hours(
    course: Path, weeks: int, columns: tuple[int, int, int]
) -> None:
    """To half an hour, and their sum."""
    guide = (ROOT / "pages" / "instructors.md").read_text(encoding="utf-8")
    table = guide.partition("| in twelve weeks |")[2].partition("\n\n")[0]
    rows = [re.split(r" *\| *", row)[1:8] for row in table.splitlines()[2:]]
    said = [[row[i] for i in columns] for row in rows[:weeks]]
    counted = hours_of(course, weeks)
    assert [(s, sets) for s, sets, _ in said] == [(s, sets) for s, sets, _ in counted]
    hours = [float(one) for _, _, one in said]
    assert all(abs(h - c) <= 0.5 for h, (*_, c) in zip(hours, counted, strict=True)), (
        counted
    )
    assert float(rows[12][columns[2]]) == sum(hours)
    plan = (course / f"syllabus-{weeks}.md").read_text(encoding="utf-8")
    fewest, most = re.findall(r"a week is (\d+) to (\d+) hours of work", plan)[0]
    assert (int(fewest), int(most)) == (int(min(hours)), math.ceil(max(hours)))


def test_a_session_lasts_ninety_minutes(course: Path) -> None:
    text = (course / "syllabus-6.md").read_text(encoding="utf-8")
    assert sum(map(int, re.findall(r"(?m)^\| (\d\d) \| ", text))) == 90


def test_the_rubric_has_a_reason_for_each_question_in_words(course: Path) -> None:
    text = (course / "rubric.md").read_text(encoding="utf-8")
    asked = [w.label for p in masters(course) for w in questions(read_set(p))]
    assert re.findall(r"(?m)^\| (\d\.\d) \| ", text) == asked


def test_what_is_there_is_left_alone(course: Path, tmp_path: Path) -> None:
    assert created(course) == []
    (tmp_path / "masters").mkdir()
    (tmp_path / "masters" / "ps1.ipynb").write_text("mine")
    assert main([str(tmp_path)]) == 0
    assert (tmp_path / "masters" / "ps1.ipynb").read_text() == "mine"


def test_the_workflow_is_one_and_links_lead_somewhere(course: Path) -> None:
    flow = yaml.safe_load((course / ".github" / "workflows" / "grade.yml").read_text())
    assert flow["jobs"]["grade"]["steps"][0]["with"] == {"persist-credentials": False}
    assert "grades/" in (course / ".gitignore").read_text()
    for page in course.glob("*.md"):
        for target in re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
            assert (course / target).is_file(), (page.name, target)


def spelled(chapter: str, numbers: list[int]) -> str:
    """Return exercises as the guide's tables have them: 2.1–2.7, or 10.1, 10.2."""
    runs: list[list[int]] = []
    for n in numbers:
        if runs and n == runs[-1][-1] + 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    parts = [[run] if len(run) > 2 else [[n] for n in run] for run in runs]
    said = [
        "–".join(f"{int(chapter)}.{n}" for n in dict.fromkeys((run[0], run[-1])))
        for part in parts
        for run in part
    ]
    return ", ".join(said)


def test_the_guide_has_a_row_for_each_chapter_with_its_exercises() -> None:
    guide = (ROOT / "pages" / "instructors.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| \[(\d\d)\]\(.+?\) \| .+ \| (.+?) \|$", guide)
    found = []
    for path in chapter_paths():
        text = "\n".join(cell.source for cell in whole(path).cells)
        asked = {int(n) for n in re.findall(r"\*\*Exercise \d+\.(\d+)\.\*\*", text)}
        found.append((path.stem[:2], spelled(path.stem[:2], sorted(asked))))
    assert rows == found
