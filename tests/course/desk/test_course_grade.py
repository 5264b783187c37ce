"""From what was handed in to the tables: every form, twice the same, nothing lost."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest

pytest.importorskip("resource", reason="grading needs a POSIX system")

from course.desk.alike import alike, print_of
from course.desk.canvas import filled
from course.desk.collect import NOT_CLONED, File, Submission, files
from course.desk.grade import absent, main, with_counts
from course.desk.report import feedback
from course.desk.results import Journal, Result
from course.desk.roster import Student, roster
from course.hold.safe import cell, page_name
from course.judge.verdict import Verdict
from course.sets.handout import handout
from course.sets.handout import main as hand_out
from course.sets.leaks import published
from course.sets.questions import read_set
from course.systems import gradescope
from notebooks.further import whole
from notebooks.notebook import ROOT, chapter_paths
from tests.course.helpers.masters import WRONG, master

RIGHT = "def scaled(upstream, x):\n    return 2 * x * upstream"


def notebook(course: Path, answer: str, words: str = "*Your answer.*") -> str:
    """Return a student's file of the problem set."""
    asked = read_set(course / "masters" / "ps9.ipynb")
    made = handout(asked.notebook, asked.name)
    for one in made.cells:
        if one.id == asked.questions[0].cell_id:
            one.source = answer
        if "written" in one.metadata.get("tags", []):
            one.source = words
    return nbformat.writes(made)


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Write a course with a class of four, one of whom handed nothing in."""
    master(tmp_path)
    for name, answer in (("ada", RIGHT), ("bob", WRONG), ("cyd", None)):
        place = tmp_path / "in" / name / "renamed.ipynb"
        place.parent.mkdir(parents=True)
        words = "Because of *the chain rule*." if name == "ada" else "*Your answer.*"
        text = notebook(tmp_path, answer, words) if answer else '{"cells": [{"ce'
        place.write_text(text, encoding="utf-8")
    (tmp_path / "roster.csv").write_text("student,number\nada,1\nbob,2\ncyd,3\ndot,4\n")
    return tmp_path


def run(course: Path, *more: str, source: str = "in") -> int:
    """Grade the course's files."""
    given = ["--from", str(course / source), "--course", str(course), "--set", "ps9"]
    return main([*given, "--container", "no", "--seed", "s", *more])


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as opened:
        return list(csv.DictReader(opened))


def contents(folder: Path) -> dict[str, bytes]:
    found = sorted(p for p in folder.rglob("*") if p.is_file())
    return {
        str(p.relative_to(folder)): p.read_bytes() for p in found if "in" not in p.parts
    }


def test_only_a_scored_file_has_a_number(course: Path) -> None:
    assert run(course, "--roster", str(course / "roster.csv")) == 0
    table = rows(course / "grades" / "ps9.csv")
    got = [(r["student"], r["status"], r["points"], r["7.1"]) for r in table]
    assert got == [
        ("ada", "scored", "3", "right"),
        ("bob", "scored", "0", "wrong"),
        ("cyd", "unreadable", "", ""),
        ("dot", "not handed in", "", ""),
    ]
    whole = json.loads((course / "grades" / "ps9.json").read_text(encoding="utf-8"))
    assert [r["points"] for r in whole["results"]] == [3.0, 0.0, None, None]


def test_a_page_for_a_student_has_nothing_of_the_key(course: Path) -> None:
    run(course, "--site", "https://example.org/")
    pages = course / "grades" / "feedback" / "ps9"
    page = (pages / "bob.md").read_text(encoding="utf-8")
    assert page == (
        "# ps9: bob\n\n0 of 7 points so far; 9.2 is not graded yet.\n\n"
        "- ✗ **7.1** `scaled`, 0 of 3: a rule multiplies by what arrives from above. "
        "See [A float with a memory](https://example.org/chapters/02_float_var.html"
        "#a-float-with-a-memory), chapter 02\n"
    )
    assert "was not scored: no notebook: " in (pages / "cyd.md").read_text("utf-8")
    everything = b"".join(contents(course / "grades").values())
    assert b"canary" not in everything


def test_twice_in_another_order_and_from_another_form_is_the_same(
    course: Path, tmp_path: Path
) -> None:
    run(course)
    run(course, "--into", str(tmp_path / "again"), "--together", "1")
    archive = tmp_path / "in.zip"
    with zipfile.ZipFile(archive, "w") as opened:
        for path in sorted((course / "in").rglob("*.ipynb"), reverse=True):
            opened.write(path, path.relative_to(course / "in").as_posix())
    run(course, "--into", str(tmp_path / "zip"), source="in.zip")
    first = contents(course / "grades")
    assert first == contents(tmp_path / "again") == contents(tmp_path / "zip")


def test_a_run_goes_on_where_it_stopped(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(course)
    before = contents(course / "grades")
    later = course / "in" / "eve" / "ps9.ipynb"
    later.parent.mkdir()
    later.write_text(notebook(course, RIGHT), encoding="utf-8")
    capsys.readouterr()
    run(course)
    assert "ps9: 1 to judge, 3 known." in capsys.readouterr().out
    later.unlink()
    run(course)
    after = contents(course / "grades")
    assert {k: v for k, v in after.items() if k in before} == before


def test_canvas_gets_its_own_export_back(course: Path) -> None:
    export = course / "export.csv"
    export.write_text(
        "Student,ID,SIS Login ID,Problem set 9 (77),Essay (5)\n"
        '    Points Possible,,,3,10\n"Ada, B.",1,ada,,8\n"Bob, C.",2,bob,,7\n'
        '"Dot, D.",4,dot,,\n',
        encoding="utf-8",
    )
    run(course, "--canvas", str(export), "--column", "Problem set 9")
    got = (course / "grades" / "ps9-canvas.csv").read_text(encoding="utf-8")
    assert got.splitlines() == [
        "Student,ID,SIS Login ID,Problem set 9 (77),Essay (5)",
        "    Points Possible,,,3,10",
        '"Ada, B.",1,ada,3,8',
        '"Bob, C.",2,bob,0,7',
        '"Dot, D.",4,dot,,',
    ]
    assert [p.name for p in roster(None, export)] == ["Ada, B.", "Bob, C.", "Dot, D."]
    added = filled(export, "New", [Result("ada", "", "unreadable")], 3)
    assert added.splitlines()[1:3] == [
        "    Points Possible,,,3,10,3",
        '"Ada, B.",1,ada,,8,',
    ]


@pytest.mark.parametrize(
    ("path", "student", "number"),
    [
        ("doejane_12345_678910_05_order.ipynb", "doejane", "12345"),
        ("doejane_LATE_12345_678910_05_order-1.ipynb", "doejane", "12345"),
        ("Jane Doe_4711_assignsubmission_file_/04_order.ipynb", "Jane Doe", "4711"),
        ("jane/work/04_order.ipynb", "jane", ""),
        ("jane.ipynb", "jane", ""),
    ],
)
def test_whose_a_file_is_shows_in_its_path(
    tmp_path: Path, path: str, student: str, number: str
) -> None:
    place = tmp_path / "in" / path
    place.parent.mkdir(parents=True)
    place.write_text("{}")
    (found,) = files(tmp_path / "in")
    assert (found.student, found.number) == (student, number)


def test_repositories_are_cloned_and_links_are_not_followed(tmp_path: Path) -> None:
    made = tmp_path / "theirs"
    made.mkdir()
    (made / "ps9.ipynb").write_text("{}")
    (tmp_path / "secret.ipynb").write_text("{}")
    (made / "link.ipynb").symlink_to(tmp_path / "secret.ipynb")
    git = ["git", "-C", str(made), "-c", "user.name=a", "-c", "user.email=a@b.invalid"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run([*git, *command], check=True)
    listing = tmp_path / "list.txt"
    listing.write_text(f"# who and where\nada {made}\nbob {tmp_path / 'nowhere'}\n")
    found = files(listing)
    assert [(f.student, f.path) for f in found if f.data == b"{}"] == [
        ("ada", "ada/ps9.ipynb")
    ]
    assert [f.problem for f in found if f.student == "bob"] == [NOT_CLONED]
    assert [f.path for f in files(made)] == ["ps9.ipynb"]


def test_the_last_of_several_files_counts(course: Path) -> None:
    for number, answer in (("2", WRONG), ("10", RIGHT)):
        place = course / "in" / f"fay_7_{number}_ps9.ipynb"
        place.write_text(notebook(course, answer), encoding="utf-8")
    run(course)
    assert rows(course / "grades" / "ps9.csv")[-1]["points"] == "3"


def test_which_of_several_files_was_scored_is_said(course: Path) -> None:
    sent = [
        Submission(File("ada", "7", path), read_set(course / "masters" / "ps9.ipynb"))
        for path in ("ada_7_1_a.ipynb", "ada_7_2_a.ipynb")
    ]
    (said,) = with_counts([Result("ada", "7", "scored", "ada_7_2_a.ipynb")], sent)
    assert said.note == "2 files; ada_7_2_a.ipynb was scored, the last of them"


def test_who_handed_nothing_in_is_known_by_number_and_then_by_name() -> None:
    people = [Student("Jane Doe", "1"), Student("Jane Doe", "2"), Student("Ann", "3")]
    here = [Result("janedoe", "1", "scored"), Result("ann", "", "scored")]
    assert [p.number for p in absent(people, here)] == ["2"]


def test_a_name_that_two_have_gets_no_mark_in_canvas(tmp_path: Path) -> None:
    export = tmp_path / "export.csv"
    export.write_text('Student,ID,ps\n"Doe, Jane",1,\n"Doe, Jane",2,\nAnn,3,4\n')
    verdicts = {"1.1": Verdict("right", 6.0)}
    results = [
        Result("Doe, Jane", "", "scored", verdicts=verdicts),
        Result("Doe, Jane", "9", "scored", verdicts=verdicts),
        Result("ann", "", "unreadable"),
    ]
    rows_ = filled(export, "ps", results, 6).splitlines()
    assert rows_[1:] == ['"Doe, Jane",1,', '"Doe, Jane",2,', "Ann,3,4"]


def test_another_judge_judges_again(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = read_set(course / "masters" / "ps9.ipynb")
    Journal(course, asked, "s").keep(b"", Result("ada", "1", "scored"))
    assert Journal(course, asked, "s").known(b"", ("1", ""))
    monkeypatch.setattr("course.desk.results.judge_itself", lambda: b"another")
    assert Journal(course, asked, "s").known(b"", ("1", "")) is None


def test_the_same_answer_under_other_names_is_reported() -> None:
    long = "def f(a, b):\n    c = [a * i for i in range(9)]\n    return sum(c) - b\n"
    other = "def f(x, y):\n    all = [x * k for k in range(9)]\n    return sum(all) - y"
    other = other.replace("all", "rows")
    prints = {
        "ada": {"1.1": print_of(long, "f")},
        "bob": {"1.1": print_of(other, "f")},
        "cyd": {"1.1": print_of(long.replace("sum", "max"), "f")},
        "dot": {"1.1": print_of("def f(a): return a", "f")},
    }
    assert alike(prints) == [("1.1", ["ada", "bob"])]


def test_no_text_of_a_student_s_is_a_formula_a_path_or_a_link(course: Path) -> None:
    assert cell("=HYPERLINK(1)") == "'=HYPERLINK(1)"
    assert page_name("../../etc/x") == "_.._etc_x"
    asked = read_set(course / "masters" / "ps9.ipynb")
    page = feedback(asked, Result("<b>[x](y)", "", "unreadable", "", "why"))
    assert page.startswith("# ps9: \\<b\\>\\[x\\]\\(y\\)")


def test_the_seed_is_made_once_and_nobody_else_s(course: Path) -> None:
    given = ["--from", str(course / "in"), "--course", str(course), "--set", "ps9"]
    for _ in range(2):
        main([*given, "--container", "no"])
    seed = course / "grades" / "seed"
    assert seed.stat().st_mode & 0o777 == 0o600
    assert len(seed.read_text().strip()) == 32


def test_what_cannot_be_graded_is_said_in_a_sentence(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(course, source="nowhere") == 1
    assert "There is nothing at" in capsys.readouterr().err
    assert main(["--from", str(course), "--set", "ps7", "--container", "no"]) == 1
    assert "No set is called ps7; there are: 00_start" in capsys.readouterr().err


@pytest.mark.parametrize("path", chapter_paths(), ids=lambda p: p.stem)
def test_a_handout_of_a_chapter_can_be_opened_alone(path: Path) -> None:
    made = handout(whole(path), path.stem, "https://example.org/a/b")
    nbformat.validate(made)
    asked = read_set(path)
    assert {q.cell_id for q in asked.questions} <= {c.id for c in made.cells}
    assert made.metadata.autograd["set"] == path.stem
    assert made.metadata.autograd["source_hash"] and made.metadata.autograd["release"]
    text = "\n".join(c.source for c in made.cells)
    assert 'REPOSITORY = "https://example.org/a/b"' in text
    assert "](../" not in text
    for one in made.cells:
        assert "solution" not in one.metadata.get("tags", [])


def test_make_handout_writes_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hand_out(["01", "04_order", "--into", str(tmp_path)]) == 0
    names = [p.name for p in sorted(tmp_path.iterdir())]
    assert names == ["01_derivatives.ipynb", "04_order.ipynb"]
    assert hand_out(["99", "--into", str(tmp_path)]) == 1
    assert "No set is called 99" in capsys.readouterr().err


def test_handouts_need_no_posix_and_grading_says_that_it_does() -> None:
    code = "import sys; sys.modules['resource'] = None; import course."
    command = [sys.executable, "-c"]
    subprocess.run([*command, code + "sets.handout"], check=True, cwd=ROOT)
    done = subprocess.run(
        [*command, code + "desk.grade"], capture_output=True, cwd=ROOT
    )
    assert done.returncode == 1
    assert done.stderr.startswith(b"Grading needs a system that forks and limits")


def test_gradescope_gets_all_that_judging_needs_and_what_students_may_see(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(course)
    assert gradescope.main(["ps9", "--course", str(course)]) == 0
    assert published(course) == []
    with zipfile.ZipFile(course / "autograder" / "gradescope-ps9.zip") as opened:
        names = set(opened.namelist())
        assert opened.read("set") == b"ps9"
        assert len(opened.read("seed")) == 32
    assert {"setup.sh", "run_autograder", "course/masters/ps9.ipynb"} <= names
    assert {"book/course/hold/stage.py", "book/autograd_lib/book/exercise.py"} <= names
    run(course)
    asked = read_set(course / "masters" / "ps9.ipynb")
    whole = json.loads((course / "grades" / "ps9.json").read_text("utf-8"))["results"]
    found = gradescope.as_results(asked, [whole[1]])
    assert found["tests"] == [
        {
            "name": "Exercise 7.1: scaled",
            "score": 0.0,
            "max_score": 3.0,
            "status": "failed",
            "output": "✗ a rule multiplies by what arrives from above\n"
            "See A float with a memory: "
            "chapters/02_float_var.html#a-float-with-a-memory",
        }
    ]
    nothing = gradescope.as_results(asked, [whole[2]])
    assert nothing["output"].startswith("Nothing was scored. no notebook: ")
