"""The private repository that `make course` writes can be used as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

pytest.importorskip("resource", reason="grading needs a POSIX system")

from tools.course.create import created, main
from tools.course.gate import main as gate
from tools.course.places import masters
from tools.course.questions import read_set
from tools.course.written import questions


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("private")
    created(folder)
    return folder


def test_every_set_holds(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [path.stem for path in masters(course)]
    assert names == [f"ps{i}" for i in range(1, 7)]
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
