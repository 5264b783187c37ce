"""What the cells of pages call by name is asked for, so that no page stops at it."""

from __future__ import annotations

import importlib
from collections import defaultdict
from pathlib import Path
from types import ModuleType

import pytest

from autograd_lib.check.yours import FAULTS
from autograd_lib.small.__main__ import main
from autograd_lib.small.accidents.asked import NAMES, STEPS, USED
from autograd_lib.small.accidents.trial import lacks
from autograd_lib.small.cells import SWITCH, after, begin
from autograd_lib.small.cut import cut
from notebooks.notebook import code_cells, notebook_paths, read
from tests.library.small.helpers.used import asked, page_of, used

PLANTED = {fault.where.removeprefix("engine.") for fault in FAULTS}
SEND_BACK = "\n\ndef send_back(y, g=1.0):\n    y.grad += g\n"


def module(page: str) -> ModuleType:
    return importlib.import_module(f"autograd_lib.small.{page.split()[-1]}")


def test_a_page_that_uses_a_name_asks_for_it() -> None:
    """In a page's own cells; a listed name that no page uses any more is found, too."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in notebook_paths():
        notebook = read(path)
        if page := page_of(notebook):
            names = used(notebook)
            if any("check.yours" in cell.source for cell in code_cells(notebook)):
                names |= PLANTED - {"Tensor.__init__"}
            found[page] |= names - asked(page)
    lists = {page: tuple(sorted(names)) for page, names in found.items() if names}
    assert lists == USED


def test_each_name_has_a_line_and_the_books_engine_has_it() -> None:
    assert {name for names in USED.values() for name in names} == NAMES.keys()
    left = {page: [*lacks(module(page), page)] for page in USED}
    assert {page: names for page, names in left.items() if names} == {
        "graph": ["send_back"]  # which a file of the reader's keeps for earlier pages
    }


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(SWITCH, raising=False)
    return tmp_path


def renamed(step: str, old: str, new: str) -> str:
    assert old in cut(step)
    return cut(step).replace(old, new)


@pytest.mark.parametrize(
    ("page", "old", "new", "said"),
    [
        (
            "order",
            "latest_first",
            "ordered",
            "“A float that remembers” asks for latest",
        ),
        ("numpy", "operations", "table", "“NumPy, differentiated” asks for operations"),
        ("after numpy", "tanh_rule", "by_tanh", "after “NumPy, differentiated” asks f"),
        ("choices", ".node", ".vertex", "“Why is it NaN?” asks for Tensor.node, None"),
        ("layer", "average", "mean_so_far", "“Reading digits” asks for average(memory"),
        ("parts", "parameter", "leaf", "“Convolution” asks for parameter(array)"),
    ],
)
def test_a_name_that_is_missing_is_said_and_the_books_engine_is_there(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    page: str,
    old: str,
    new: str,
    said: str,
) -> None:
    step = page.split()[-1]
    (folder / "mine.py").write_text(renamed(step, old, new), encoding="utf-8")
    make = after if page.startswith("after") else begin
    engine = make(step)
    assert engine.__name__ == "engine"
    first, line, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("engine: the book's; yours, ")
    passed, _, of = first.split(", ")[1].split(";")[0].partition(" of ")
    assert passed == of  # since no accident knows of this name
    assert line.startswith(f"· names: the page {said}")


def test_the_command_says_it_once_for_all_pages(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = renamed("graph", "latest_first", "ordered") + SEND_BACK
    (folder / "mine.py").write_text(text, encoding="utf-8")
    assert main(["test", "mine.py"]) == 0
    said = capsys.readouterr().out
    assert said.count("asks for latest_first(y), y and all") == 1
    assert "· names: the page “A float that remembers” asks for latest_first" in said
    assert "tanh" not in said.split("· names", 1)[1].split("\n", 1)[0]


def test_an_engine_of_tensors_does_not_run_a_page_about_numbers(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "mine.py").write_text(cut("gpt"), encoding="utf-8")
    for make, step in ((begin, "order"), (after, "graph"), (after, "copies")):
        assert make(step).Number(3.0).data == 3.0
        said = "engine: the book's; yours has tensors by now, and this page works on"
        assert capsys.readouterr().out.startswith(said)


def test_a_later_engine_is_taken_on_an_earlier_page(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [page for page in USED if page.split()[-1] in STEPS[4:]]
    assert [lacks(module("gpt"), page) for page in pages] == [{}] * len(pages)
    (folder / "mine.py").write_text(cut("gpt"), encoding="utf-8")
    assert begin("tensor").__name__ != "engine"
    assert capsys.readouterr().out.startswith("engine: yours, ")
