"""A class with every attack in it is graded, and who answers right keeps the marks."""

from __future__ import annotations

import ast
import copy
import csv
import json
import os
import sys
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode

pytest.importorskip("resource", reason="grading needs a POSIX system")

from course.desk import collect
from course.desk.grade import main
from course.hold import rehearsal
from course.hold.confine import Limits
from course.sets.handout import handout
from course.sets.pieces import parsed, statements, without
from course.sets.questions import Set, read_set
from tests.course.helpers.attacks import ANSWERS, RIGHT
from tests.course.helpers.masters import master

NEED_A_KERNEL = {
    "solution of a set", "chapters", "/proc/self", "file in memory, run"
}  # fmt: skip


def with_words(notebook: NotebookNode, words: str) -> None:
    """Answer in words."""
    for cell in notebook.cells:
        if "written" in cell.metadata.get("tags", []):
            cell.source = words


def with_cells(notebook: NotebookNode, *sources: str) -> None:
    """Add code cells."""
    notebook.cells += [nbformat.v4.new_code_cell(source) for source in sources]


def without_type(notebook: NotebookNode) -> None:
    """Take a cell's type away."""
    del notebook.cells[-1]["cell_type"]


def with_tags(notebook: NotebookNode) -> None:
    """Let a cell's tags be a number."""
    notebook.cells[-1].metadata["tags"] = 7


# What is done to a file with the right answer, its status, the points, and the note.
FILES: dict[str, tuple[Callable[[NotebookNode], Any], str, str, str]] = {
    "surrogate in words": (partial(with_words, words="\ud800"), "scored", "3", ""),
    "100,000 minuses": (
        lambda n: with_cells(n, "-" * 100_000 + "1"), "scored", "3", ""
    ),
    "40,000 minuses": (lambda n: with_cells(n, "-" * 40_000 + "1"), "scored", "3", ""),
    "200,000 lines": (lambda n: with_cells(n, "x = 1\n" * 150_000), "scored", "3", ""),
    "2,000 cells": (
        lambda n: with_cells(n, *["x = 1 + 1"] * 2000), "scored", "3", ""
    ),
    "a million characters": (
        lambda n: with_cells(n, *["x = 1\n" * 8000] * 25),
        "unreadable", "", "characters",
    ),
    "no type": (without_type, "unreadable", "", "no notebook: "),
    "tags": (with_tags, "scored", "3", ""),
    "=1+1": (lambda n: None, "scored", "3", ""),
    "Ann?": (lambda n: None, "scored", "3", ""),
    "Ann!": (lambda n: None, "scored", "3", ""),
    "a picture in words": (
        partial(with_words, words="![](data:" + "x" * 2**21), "scored", "3", ""
    ),
    "html in words": (
        partial(with_words, words="</blockquote><h2>ann</h2><script>a && b"),
        "scored", "3", "",
    ),
}  # fmt: skip
LONG = RIGHT.replace("2 * x", "(x + x + 0 * x + 0 * x + 0 * x + 0 * x)")
COPIES = {
    "=copied": LONG,
    "copied with a 0": LONG.replace("    return", "    0\n    return"),
}


def notebook(asked: Set, answer: str) -> NotebookNode:
    """Return a student's file."""
    made = handout(asked.notebook, asked.name)
    for one in made.cells:
        if one.id == asked.questions[0].cell_id:
            one.source = answer
    return made


def as_bytes(made: NotebookNode) -> bytes:
    """Return a file's content, surrogates escaped as JSON does it."""
    return json.dumps(made).encode()


def handed_in(asked: Set, folder: Path) -> None:
    """Write the files of the class."""
    folder.mkdir()
    for name, (answer, *_) in ANSWERS.items():
        place = folder / name.replace("/", "_") / "a.ipynb"
        place.parent.mkdir()
        place.write_bytes(as_bytes(notebook(asked, answer)))
    for name, (change, *_) in FILES.items():
        made = copy.deepcopy(notebook(asked, RIGHT))
        change(made)
        (folder / name).mkdir()
        (folder / name / "a.ipynb").write_bytes(as_bytes(made))
    for name, answer in COPIES.items():
        (folder / f"{name}.ipynb").write_bytes(as_bytes(notebook(asked, answer)))
    right = as_bytes(notebook(asked, RIGHT))
    (folder / "doejane_2001_1_a.ipynb").write_bytes(right)
    (folder / "doejane_2002_2_a.ipynb").write_bytes(
        as_bytes(notebook(asked, asked.questions[0].exercise.stub))
    )
    Path(os.fsdecode(bytes(folder) + b"/j\xe9r.ipynb")).write_bytes(right)
    (folder / "pipe").mkdir()
    os.mkfifo(folder / "pipe" / "a.ipynb")
    (folder / "link").mkdir()
    (folder / "link" / "a.ipynb").symlink_to(asked.path)
    (folder / "pdf").mkdir()
    (folder / "pdf" / "a.pdf").write_bytes(b"%PDF")
    (folder / "pdf" / "a.py").write_text(RIGHT)
    with zipfile.ZipFile(folder / "zipped_7_8_b.zip", "w") as inner:
        inner.writestr("a.ipynb", right)


def zipped(folder: Path, asked: Set, place: Path) -> None:
    """Write the class as a zip, with members that only a zip may have."""
    right = as_bytes(notebook(asked, RIGHT))
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("damaged/a.ipynb", b"damaged" * 9)
        made.writestr("../../slip/a.ipynb", right)
        made.writestr("/tmp/absolute/a.ipynb", right)
        linked = zipfile.ZipInfo("linked/a.ipynb")
        linked.external_attr = 0o120777 << 16
        made.writestr(linked, str(asked.path))
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                name = os.fsencode(path.relative_to(folder)).decode("utf-8", "replace")
                made.writestr(name, path.read_bytes())
    data = bytearray(place.read_bytes())
    data[data.index(b"damaged/a.ipynb") + len("damaged/a.ipynb")] ^= 0xFF
    place.write_bytes(data)


Rows = dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Rows]]:
    """Grade the class; return the folder with results, and the rows by student."""
    course = tmp_path_factory.mktemp("course")
    asked = read_set(master(course))
    handed_in(asked, course / "in")
    export = 'Student,ID,ps9\n"Doe, Jane",2002,\n"Doe, Jane",2001,\n'
    (course / "export.csv").write_text(export)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("course.judge.judge.Limits", partial(Limits, seconds=6.0))
        given = ["--from", str(course / "in"), "--course", str(course), "--set", "ps9"]
        given += ["--canvas", str(course / "export.csv"), "--together", "4"]
        assert main([*given, "--container", "no", "--seed", "s"]) == 0
    with (course / "grades" / "ps9.csv").open(newline="", encoding="utf-8") as opened:
        rows = list(csv.DictReader(opened))
    yield course / "grades", {f"{r['student']} {r['number']}".strip(): r for r in rows}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_attack_gets_its_status_and_no_more(
    graded: tuple[Path, Rows], name: str
) -> None:
    if name in NEED_A_KERNEL and rehearsal.PRIVATE in rehearsal.found():
        pytest.skip(*rehearsal.sentences(rehearsal.found()))
    _, status, points, says = ANSWERS[name]
    row = graded[1][name.replace("/", "_")]
    got = row["status"], row["7.1"], float(row["points"]), says in row["notes"]
    assert got == ("scored", status, points, True), row
    assert "leaked" not in row["notes"] and len(row["notes"]) < 500
    assert (says == "") or row["notes"].startswith("7.1: ")


@pytest.mark.parametrize("name", FILES)
def test_a_file_gets_its_status_and_harms_nobody(
    graded: tuple[Path, Rows], name: str
) -> None:
    _, status, points, note = FILES[name]
    row = graded[1]["'" + name if name.startswith("=") else name]
    assert (row["status"], row["points"]) == (status, points), row
    assert note in row["notes"]


def test_two_of_one_name_have_two_marks(graded: tuple[Path, Rows]) -> None:
    folder, rows = graded
    marks = [rows[f"doejane {n}"]["points"] for n in (2001, 2002)]
    assert marks == ["3", "0"]
    canvas = (folder / "ps9-canvas.csv").read_text(encoding="utf-8").splitlines()
    assert canvas[1:] == ['"Doe, Jane",2002,0', '"Doe, Jane",2001,3']
    pages = {p.stem for p in (folder / "feedback" / "ps9").iterdir()}
    assert {"doejane _2001_", "doejane _2002_"} <= pages
    assert len(pages) == len(rows)
    assert sum(page.startswith("Ann_") for page in pages) == 2


def test_what_is_no_notebook_is_named(graded: tuple[Path, Rows]) -> None:
    rows = graded[1]
    named = {name: rows[name]["notes"] for name in ("pdf", "zipped 7")}
    said = "handed in, but no notebook: "
    assert named == {"pdf": said + "a.pdf, a.py", "zipped 7": said + "zipped_7_8_b.zip"}
    assert rows["j\\udce9r"]["points"] == "3"
    assert not {"pipe", "link"} & rows.keys()


def test_nothing_of_a_student_s_is_a_formula_or_html(
    graded: tuple[Path, Rows],
) -> None:
    folder = graded[0]
    for place in folder.glob("*.csv"):
        with place.open(newline="", encoding="utf-8") as opened:
            assert not [v for row in csv.reader(opened) for v in row if v[:1] == "="]
    words = (folder / "ps9-written-9.2.md").read_text(encoding="utf-8")
    assert "> &lt;/blockquote>&lt;h2>ann&lt;/h2>&lt;script>a &amp;&amp; b" in words
    same = (folder / "ps9-same-answers.csv").read_text(encoding="utf-8")
    assert '"\'=copied","7.1 as copied with a 0"' in same


def test_a_zip_ends_no_run_and_writes_nowhere(
    graded: tuple[Path, Rows], tmp_path: Path
) -> None:
    course = graded[0].parent
    asked = read_set(course / "masters" / "ps9.ipynb")
    zipped(course / "in", asked, tmp_path / "in.zip")
    found = {f.student: f for f in collect.files(tmp_path / "in.zip")}
    assert len(found) >= len(ANSWERS) + len(FILES)
    damaged = collect.submission(found["damaged"], [asked])
    assert damaged.problem.startswith("damaged in the zip: ")
    linked = collect.submission(found["linked"], [asked])
    assert linked.problem.startswith("no notebook: ")
    assert {found[".."].path, found["tmp"].path} == {
        "../../slip/a.ipynb", "tmp/absolute/a.ipynb"
    }  # fmt: skip
    assert [p.name for p in tmp_path.iterdir()] == ["in.zip"]


def test_reading_that_takes_too_long_is_a_problem_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(*_: Any, **__: Any) -> None:
        while True:
            try:
                while True:
                    pass
            except Exception:
                raise AssertionError("a library may catch it") from None

    monkeypatch.setattr(collect, "SECONDS", 0.1)
    monkeypatch.setattr(collect, "reads", endless)
    found = collect.submission(collect.File("ada", "", "a.ipynb", b"{}"), [])
    assert found.problem == "reading it took more than 0.1 seconds of work"


def test_a_statement_is_left_out_wherever_it_stands() -> None:
    source = (
        "a = 1; from m import x; b = 2\n@f\n@g\ndef y():\n    é = 1\nc = 3\r\nd = 4"
    )
    body = ast.parse(source).body
    assert without(source, [body[1], body[3]]) == (
        "a = 1; pass; b = 2\npass\nc = 3\nd = 4"
    )
    assert [text for _, text in statements(source)] == [
        "a = 1", "from m import x", "b = 2", "@f\n@g\ndef y():\n    é = 1", "c = 3",
        "d = 4",
    ]  # fmt: skip


class Dropped:
    """Garbage whose end is Python code, where threads take turns."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        for _ in range(200):
            pass


def test_long_sums_are_read_by_many_threads_at_once() -> None:
    """CPython 3.11 by itself refuses some 15 in 100 of these."""

    def read(source: str) -> ast.Module:
        Dropped()
        return parsed(source)

    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as pool:
            trees = list(pool.map(read, ["x = 0.0" + " + 0.0" * 1500] * 100))
    finally:
        sys.setswitchinterval(usual)
    assert {type(tree) for tree in trees} == {ast.Module}
