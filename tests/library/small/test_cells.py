"""Cells that add to a page's engine run inside it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from autograd_lib.book.show import Show
from autograd_lib.small import choices, copies, leaves, number, order, tensor
from autograd_lib.small.accidents.asked import STEPS
from autograd_lib.small.accidents.bench import ACCIDENTS
from autograd_lib.small.accidents.trial import examine
from autograd_lib.small.cells import SWITCH, add, after, begin
from autograd_lib.small.cut import cut, sections

SOME = "graph", "tensor", "gpt"
SEND_BACK = "\n\nsend_back = print  # which the file keeps for earlier pages\n"


@pytest.fixture(autouse=True)
def without_engine() -> Iterator[None]:
    sys.modules.pop("engine", None)
    yield
    sys.modules.pop("engine", None)


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(step, marks=[pytest.mark.exhaustive] * (step not in SOME))
        for step in STEPS
    ],
)
def test_a_page_begins_with_the_step_before_and_ends_with_its_own(step: str) -> None:
    engine = begin(step)
    (section,) = [s for s in sections() if s.name == step]
    before = [o for o in examine(engine, step) if o.status == "passed"]
    add(section.source)
    after = examine(engine, step)
    assert len([o for o in after if o.status == "passed"]) > len(before)
    assert [str(o) for o in after if o.status == "failed"] == []


def test_the_old_functions_find_the_new_ones() -> None:
    engine = begin("copies")
    add("def walk(y):\n    return {y: 7.0}")
    x = engine.Number(1.0)
    engine.backward(x)
    assert x.grad == 7.0


def test_what_was_added_can_be_shown_and_has_its_lines_in_a_traceback() -> None:
    engine = begin("number")
    add("def half(x):\n    return x / 2")
    assert "return x / 2" in Show(engine.half).source
    with pytest.raises(ZeroDivisionError) as caught:
        add("def broken():\n    return 1 / 0\n\n\nbroken()")
    assert str(caught.traceback[-1].statement).strip() == "return 1 / 0"


def test_a_notebook_knows_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {}
    shell = SimpleNamespace(
        register_magic_function=lambda f, kind, name: known.update({(kind, name): f})
    )
    monkeypatch.setitem(
        sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell)
    )
    engine = begin("graph")
    known["cell", "engine"]("", "answer = 42\n")
    assert engine.answer == 42
    with pytest.raises(ValueError, match="takes nothing on its line, got 'now'"):
        known["cell", "engine"]("now", "answer = 43\n")


def test_mistakes_say_what_to_write() -> None:
    with pytest.raises(RuntimeError, match=r'write engine = begin\("order"\) first'):
        add("x = 1")
    with pytest.raises(ValueError, match="begin: no step is called 'ordr': number, or"):
        begin("ordr")


def test_show_has_the_lines_that_are_new() -> None:
    shown = Show(leaves, since=choices).source
    assert "def backward" in shown and "x.node if recording and" in shown
    assert "grads[parent]" not in shown and "def walk" not in shown
    shown = Show(tensor, since=copies).source
    assert "    grads = {y.node: alike(" in shown and "..." in shown
    assert "class Tensor" in shown and "def latest_first" not in shown
    shown = Show(order, since=number).source
    assert "class Number" not in shown and "Number.__init__ = numbered" in shown
    assert "from itertools import count\n" in shown and "\nclock = count()\n" in shown


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(SWITCH, raising=False)
    return tmp_path


def write_mine(folder: Path, source: str) -> None:
    (folder / "mine.py").write_text(source, encoding="utf-8")


def test_the_readers_engine_takes_the_place_of_the_books(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_mine(folder, f"{cut('graph')}{SEND_BACK}\n\nmine = True\n")
    engine = begin("graph")
    said = capsys.readouterr().out
    coming = sum(STEPS.index(a.step) > STEPS.index("graph") for a in ACCIDENTS)
    assert said == f"engine: yours, 11 of 11; {coming} to come\n"
    assert engine.mine is True
    add("mine = False")  # of the page, which is not run in it
    assert engine.mine is True


def test_a_page_that_adds_nothing_asks_for_what_stands_before_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not hasattr(after("order"), "walk")
    assert hasattr(after("graph"), "walk")
    assert capsys.readouterr().out == ""
    write_mine(folder, f"{cut('graph')}\n\nmine = True\n")
    assert begin("copies").__name__ == "engine"
    assert capsys.readouterr().out.startswith("engine: the book's; yours, 11 of 14")
    assert after("graph").mine is True
    assert capsys.readouterr().out.startswith("engine: yours, 11 of 11; ")
    with pytest.raises(ValueError, match="after: no step is called 'grap': number, or"):
        after("grap")


def test_until_then_its_first_accident_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_mine(folder, cut("number").replace("v.grad += g", "v.grad = g"))
    engine = begin("order")
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("engine: the book's; yours, 0 of 7; ")
    assert said[1].startswith("✗ number.two paths: Got 5, right is 8. Slopes multiply")
    add("answer = 42")
    assert engine.answer == 42


def test_a_file_that_is_no_engine_does_no_harm(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_mine(folder, "raise KeyError('no engine')\n")
    assert begin("order").Number(2.0).data == 2.0
    said = capsys.readouterr().out
    assert said == "engine: the book's: mine.py stops with KeyError: 'no engine'\n"
    write_mine(folder, "")
    assert begin("number").__name__ == "engine"
    said = capsys.readouterr().out
    assert (
        " to come\n· number.two paths: the page “Start here” asks for Number(" in said
    )
    write_mine(folder, "raise SystemExit(3)\n")
    assert begin("order").Number(2.0).data == 2.0
    assert "stops with SystemExit: 3" in capsys.readouterr().out


def test_nothing_is_to_come_on_the_last_page(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_mine(folder, cut("gpt"))
    begin("gpt")
    assert re.fullmatch(r"engine: yours, (\d+) of \1\n", capsys.readouterr().out)


def test_in_colab_a_line_says_how_a_file_gets_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    uploaded = []
    colab = ModuleType("google.colab")
    colab.files = SimpleNamespace(upload_file=uploaded.append)  # type: ignore[attr-defined]
    begin("order")
    assert capsys.readouterr().out == ""
    monkeypatch.setitem(sys.modules, "google.colab", colab)
    monkeypatch.setitem(sys.modules, "google", ModuleType("google"))
    begin("order")
    said = capsys.readouterr().out
    assert said.startswith("engine: the book's; for yours, run this, then")
    exec(said.splitlines()[1], {})
    assert uploaded == ["mine.py"]
    monkeypatch.setenv(SWITCH, "0")
    begin("order")
    assert capsys.readouterr().out == ""


def test_notebooks_are_executed_without_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_mine(folder, "raise SystemExit\n")
    monkeypatch.setenv(SWITCH, "0")
    assert begin("order").__name__ == "engine"
    assert capsys.readouterr().out == ""
