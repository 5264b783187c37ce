"""Cells that add to a page's engine run inside it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from autograd_lib.book.show import Show
from autograd_lib.small import choices, leaves, number, order
from autograd_lib.small.accidents.asked import STEPS
from autograd_lib.small.accidents.trial import examine
from autograd_lib.small.cells import add, begin
from autograd_lib.small.cut import sections


@pytest.fixture(autouse=True)
def without_engine() -> Iterator[None]:
    sys.modules.pop("engine", None)
    yield
    sys.modules.pop("engine", None)


@pytest.mark.parametrize("step", STEPS)
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
    assert "            for hook in v.hooks:" in shown and "..." in shown
    assert "grads[parent]" not in shown and "def backward" in shown
    shown = Show(order, since=number).source
    assert "class Number" not in shown and "Number.__init__ = numbered" in shown
    assert "from itertools import count\n" in shown and "\nclock = count()\n" in shown
