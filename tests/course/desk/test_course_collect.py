"""What is handed in is read in bounded time and space, whatever it is called."""

from __future__ import annotations

import json
import socket
import zipfile
from pathlib import Path
from time import monotonic, process_time

import nbformat
import pytest

pytest.importorskip("resource", reason="grading needs a POSIX system")

from course.desk import collect
from course.desk.grade import main
from course.desk.report import CASE, feedback
from course.desk.results import SCORED, Result
from course.judge.judge import Judge
from course.sets.questions import read_set
from tests.course.helpers.attacks import RIGHT
from tests.course.helpers.masters import master
from tests.course.helpers.submissions import answered


def test_a_server_that_never_answers_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(collect, "CLONE", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        place = server.getsockname()[1]
        listing = tmp_path / "class.txt"
        listing.write_text(f"ann http://127.0.0.1:{place}/x.git\n")
        start = monotonic()
        (found,) = collect.files(listing)
    assert monotonic() - start < 20
    assert found.problem == collect.NOT_CLONED
    said = capsys.readouterr().out
    assert "it took more than 1 seconds" in said


def test_what_git_says_moves_no_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listing = tmp_path / "class.txt"
    listing.write_text("ann http://127.0.0.1:1/x\x1b[2J.git\n")
    assert [f.problem for f in collect.files(listing)] == [collect.NOT_CLONED]
    assert "\x1b" not in capsys.readouterr().out


def test_the_last_files_of_a_student_are_read(tmp_path: Path) -> None:
    for i in range(12):
        place = tmp_path / "ann" / f"try-{i}.ipynb"
        place.parent.mkdir(exist_ok=True)
        place.write_text("{}")
    found = collect.files(tmp_path)
    problems = [f.problem for f in found]
    assert problems == [collect.EARLIER] * 7 + [""] * 5
    assert found[-1].path == "ann/try-11.ipynb"


def test_all_files_of_a_student_together_have_a_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collect, "LARGEST", 1000)
    for i in range(3):
        (tmp_path / "ann").mkdir(exist_ok=True)
        (tmp_path / "ann" / f"{i}.ipynb").write_bytes(b" " * 400)
    found = collect.files(tmp_path)
    assert [f.problem for f in found] == [collect.LARGE, "", ""]


@pytest.mark.parametrize("name", ["PS1.IPYNB", "ps1.Ipynb"])
def test_a_notebook_s_ending_may_have_large_letters(tmp_path: Path, name: str) -> None:
    (tmp_path / "in" / "ann").mkdir(parents=True)
    (tmp_path / "in" / "ann" / name).write_text("{}")
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as made:
        made.writestr(f"ann/{name}", "{}")
    (tmp_path / name).write_text("{}")
    for source in (tmp_path / "in", tmp_path / "in.zip", tmp_path / name):
        (found,) = collect.files(source)
        assert (found.data, found.problem) == (b"{}", "")


def test_long_cells_of_plain_python_are_read_at_once(tmp_path: Path) -> None:
    asked = read_set(master(tmp_path))
    made = answered(asked, lambda _: RIGHT)
    made.cells += [nbformat.v4.new_code_cell(f"x = {i}\n" * 8000) for i in range(20)]
    start = process_time()
    found = collect.submission(
        collect.File("ann", "", "a.ipynb", json.dumps(made).encode()), [asked]
    )
    assert found.asked is asked
    assert process_time() - start < 8


def test_names_of_any_length_and_kind_get_their_pages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = read_set(master(tmp_path))
    right = json.dumps(answered(asked, lambda _: RIGHT)).encode()
    names = ["a" * 300, "а" * 130, "a" * 299 + "b", "x;=HYPERLINK(1)", "ann\x1b[2J",
             "ann\u202egpj"]  # fmt: skip
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as made:
        for name in names:
            made.writestr(f"{name}/a.ipynb", right)
        made.writestr("bob/![](https://example.org/x).pdf", b"")
    given = ["--from", str(tmp_path / "in.zip"), "--course", str(tmp_path)]
    assert main([*given, "--set", "ps9", "--container", "no"]) == 0
    pages = list((tmp_path / "grades" / "feedback" / "ps9").iterdir())
    assert len(pages) == len(names) + 1
    for path in filter(Path.is_file, (tmp_path / "grades").rglob("*")):
        text = path.read_text("utf-8")
        assert not {"\x1b", "\u202e"} & {*text}, path
        assert path.suffix != ".md" or "![](" not in text
    assert "x;'=HYPERLINK(1)" in (tmp_path / "grades" / "ps9.csv").read_text("utf-8")
    assert "\x1b" not in capsys.readouterr().out


def test_a_failed_check_is_told_with_its_input_and_both_answers(tmp_path: Path) -> None:
    asked = read_set(master(tmp_path))
    judge = Judge(asked, "a seed")
    (question,) = asked.questions
    try:
        wrong, failed = (
            judge.verdict(question, collect.Answer(RIGHT.replace("2 * x", other)))
            for other in ("50 + x", "1 / 0")
        )
    finally:
        judge.close()
    result = Result("ann", "", SCORED, verdicts={"7.1": wrong})
    lines = feedback(asked, result, "https://b/").splitlines()
    assert lines[4].startswith("- ✗ **7.1** `scaled`, 0 of 3: at \\(")
    assert "(https://b/chapters/02_float_var.html#a-float-with-a-memory)" in lines[4]
    told = [row.strip(" -").partition(": ")[::2] for row in lines[5:8]]
    assert [name for name, _ in told] == [*CASE]
    upstream, x = map(float, told[0][1].replace("\\", "").split(", "))
    assert float(told[1][1]) == pytest.approx((50 + x) * upstream, rel=1e-4)
    assert float(told[2][1]) == pytest.approx(2 * x * upstream, rel=1e-4)
    assert failed.case[1].startswith("ZeroDivisionError")
