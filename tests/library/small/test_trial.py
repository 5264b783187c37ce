"""What a reader sees of the accidents: what is not yet there, and what is wrong."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import autograd_lib.engine
import autograd_lib.small.gpt
import autograd_lib.small.graph
import autograd_lib.small.leaves
from autograd_lib.small.__main__ import main
from autograd_lib.small.accidents import bench
from autograd_lib.small.accidents.asked import ASKED, SCALARS, STEPS, TITLES
from autograd_lib.small.accidents.bench import ACCIDENTS, Engine, Wrong
from autograd_lib.small.accidents.trial import borrowed, examine, load, report
from autograd_lib.small.cut import HERE, cut
from notebooks.notebook import chapter_paths, read
from tests.book.helpers.contents import CONTENTS
from tests.book.helpers.engine_cells import step_of
from tests.library.small.helpers.faults import FAULTS

OPEN = {"steps.lent array", "steps.writes", "tensor.refused"}
"""What the library leaves open: it keeps NumPy's arrays, which stay writable, and a
pass frees its graph before it says that an input was not used, as PyTorch's does."""


def test_nothing_is_there_yet_in_an_empty_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text("", encoding="utf-8")
    assert main(["test", str(tmp_path / "mine.py")]) == 0
    said = capsys.readouterr().out
    asked = "the page “Start here” asks for Number(data"
    assert f"· number.two paths and 2 more: {asked}" in said
    assert f"\n· and {len(ACCIDENTS) - 3} more on later pages\n" in said
    assert said.endswith(f"0 of 0 that can run; {len(ACCIDENTS)} not yet\n")


def test_what_failed_comes_first_and_says_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = cut("leaves").replace("grads[parent] + d", "grads[parent] + d.missing")
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    line = 1 + text[: text.index("d.missing")].count("\n")
    assert main(["test", str(tmp_path / "mine.py")]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("✗ number.two paths: It stopped with AttributeError")
    assert said[0].endswith(f" (Line {line} of mine.py.)")
    marks = "".join(text[0] for text in said[:-1])
    assert marks == "".join(sorted(marks, key="✗✓·".index)) and "·" in marks


def test_the_titles_are_those_of_the_pages() -> None:
    notebooks = {path.stem: read(path) for path in chapter_paths()}
    steps = {step.name: c.notebook for c in CONTENTS if (step := step_of(c))}
    first = {step: notebooks[name].cells[0].source for step, name in steps.items()}
    assert {step: text.splitlines()[0] for step, text in first.items()} == {
        step: f"# {title}" for step, title in TITLES.items()
    }


def test_with_tensors_and_without_grad_what_needs_it_waits() -> None:
    own = ModuleType("own")
    source = cut("tensor")
    exec(source.replace("def grad(", "def later("), vars(own))
    outcomes = examine(own, "tensor")
    assert {o.status for o in outcomes if o.accident.step != "copies"} == {"not yet"}
    found = {str(o.accident): o for o in outcomes}
    assert {"number.tariff", "graph.second pass", "graph.operators"} <= {*found}
    assert not {"graph.relu", "graph.leaves keep"} & {*found}  # of later pages
    assert found["copies.sums"].status == found["copies.misfit"].status == "passed"
    bias = found["copies.bias"]
    assert (bias.status, bias.page) == ("not yet", "tensor")
    assert bias.message.startswith("the page “The engine” asks for grad(y, xs,")
    *_, last = report(outcomes)
    waiting = sum(o.status == "not yet" for o in outcomes)
    assert last.startswith(f"· number.two paths and {waiting - 1} more: the page “The")


def test_a_gradient_that_is_not_there_in_walk_is_about_the_order() -> None:
    """And of another key that is missing, nothing is said about it."""
    latest = "reverse=True"
    for step, old, new, hints in (
        ("order", latest, "reverse=False", False),  # a wrong number, and no error
        ("tensor", latest, "reverse=False", True),
        ("tensor", "    waiting, found", "    {}['turn']\n    waiting, found", False),
    ):
        own = ModuleType("own")
        exec(cut(step).replace(old, new), vars(own))
        said = {str(o.accident): o.message for o in examine(own, step)}
        about = said["tensor.middle"] if step == "tensor" else said["number.two paths"]
        assert (bench.LATEST_FIRST in about) is hints, about
        assert said["order.late"].count(bench.LATEST_FIRST) == 1
    assert said["order.late"].startswith("It stopped with KeyError: \"'turn'\". A numb")


def test_relu_of_nan_has_the_right_value_in_its_message() -> None:
    for old, new, got in (
        ("0.0 if x.data <= 0 else 1.0", "float(x.data > 0)", "[nan, 0]"),
        ("max(x.data, 0.0)", "max(0.0, x.data)", "[0, 1]"),
    ):
        own = ModuleType("own")
        source = cut("graph")
        assert old in source
        exec(source.replace(old, new), vars(own))
        (said,) = [o.message for o in examine(own, "graph") if o.status == "failed"]
        right = f"Got {got} for relu of NaN and its slope, right is [nan, 1]. "
        assert said.startswith(right)


def test_a_grad_that_is_set_on_what_is_no_leaf_says_so() -> None:
    small = autograd_lib.small.leaves
    p = small.Tensor(2.0, requires_grad=True)
    with small.no_grad():
        p = p - 0.1
    for g in (None, 1.0):
        with pytest.raises(RuntimeError, match="no leaf: requires_grad=True makes one"):
            p.grad = g


def test_a_missing_name_is_no_lesson_on_slopes() -> None:
    """Nor is an attribute of the file's own, in a call that an accident wraps."""
    for old, new, said in (
        ("in latest_first", "in order", "NameError: \"name 'order' is not defined\"."),
        ("v.made, rev", "v.born, rev", "AttributeError: \"'Number' object has no"),
    ):
        own = ModuleType("own")
        exec(cut("order").replace(old, new), vars(own))
        for outcome in examine(own, "order"):
            assert outcome.message.startswith(f"It stopped with {said}")
            assert re.search(r"'\w+'( is not defined)?\"\. \(Line \d+", outcome.message)


def test_methods_that_are_missing_are_not_yet() -> None:
    own = ModuleType("own")
    source = cut("graph").replace("Number.backward = backward", "")
    exec(source.replace(", Number.relu = power, relu", " = power"), vars(own))
    lacks = [str(o) for o in examine(own, "graph") if o.status == "not yet"]
    assert ["Number.backward = back" in lacks[0], "Number.relu = relu" in lacks[1]] == [
        True,
        True,
    ]


def test_what_a_reader_may_do_in_other_ways_is_no_accident() -> None:
    """An attribute of each tensor; a loss that is a method; scalars without walk."""
    own = ModuleType("own")
    source = cut("gpt").replace(
        "Tensor.backward, Tensor.detach =", "X, Tensor.detach ="
    )
    source = source.replace("def cross_entropy(", "def loss(")
    more = "Tensor.cross_entropy = loss\n\n\nclass Own(Tensor):\n"
    more += "    def __init__(self, *a, **k):\n        super().__init__(*a, **k)\n"
    more += "        self.backward = lambda *a, **k: backward(self, *a, **k)\n"
    exec(f"{source.replace('X, Tensor', 'unused, Tensor')}\n\n{more}", vars(own))
    engine = Engine(own)
    assert engine.has("cross_entropy") and not engine.has("Tensor.backward")
    own.Tensor = own.Own
    assert engine.has("Tensor.backward") and not engine.has("Tensor.forward")
    scalars = Engine(autograd_lib.small.graph)
    assert scalars.has("send_back") and not scalars.has("grad")


def test_checks_of_scalars_stay_when_there_are_tensors() -> None:
    names = {str(a) for a in ACCIDENTS if a.step in SCALARS}
    found = {str(o.accident) for o in examine(autograd_lib.small.gpt)}
    assert names <= found and len(found) == len(ACCIDENTS)


def test_a_whole_engine_has_no_accident(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(HERE / "gpt.py")]) == 0
    assert "not yet" in capsys.readouterr().out.splitlines()[-1]


def test_a_file_with_a_mistake_says_which(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for text, error in (
        ("class Number(:\n", "SyntaxError"),
        ("1 / 0", "ZeroDivision"),
        ("x = 1\n%%engine\n", "line 2 is %%engine: leave such lines in the notebook"),
    ):
        (tmp_path / "mine.py").write_text(text, encoding="utf-8")
        assert main(["test", str(tmp_path / "mine.py")]) == 1
        assert error in capsys.readouterr().out
    assert main(["test", str(tmp_path / "other.py")]) == 1
    assert "there is no file" in capsys.readouterr().out


def test_the_command_runs_without_the_book(tmp_path: Path) -> None:
    text = (HERE / "copies.py").read_text(encoding="utf-8")
    text += "\n\nsend_back = print  # which the file keeps for earlier pages\n"
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "autograd_lib.small", "test", "mine.py", "copies"]
    place = {"PYTHONPATH": str(HERE.parents[1]), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        command, cwd=tmp_path, env=place, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "14 of 14 that can run; 0 not yet"


def test_the_librarys_engine_has_none_but_those_of_open_arrays() -> None:
    """Its names are the same, up to the step `parts` without layers."""
    outcomes = examine(autograd_lib.engine)
    failed = {str(o.accident) for o in outcomes if o.status == "failed"}
    assert failed == OPEN
    passed = {o.accident.step for o in outcomes if o.status == "passed"}
    assert {"tensor", "numpy", "choices", "leaves", "steps", "parts"} <= passed


def test_the_number_of_the_accident_stands_before_its_page() -> None:
    """On the engine of the page before, the program runs, and is wrong."""
    (accident,) = [a for a in ACCIDENTS if str(a) == "steps.two moments"]
    with pytest.raises(
        Wrong, match=r"^Got 20.52, right is 27. A rule read two moments"
    ):
        accident.program(Engine(autograd_lib.small.leaves))


def test_every_name_that_is_asked_for_has_a_line() -> None:
    assert {name for a in ACCIDENTS for name in a.asks} <= set(ASKED)
    assert {a.step for a in ACCIDENTS} == set(STEPS)
    assert all(len(a.about.split()) > 5 and a.about[-1] == "." for a in ACCIDENTS)


def test_accidents_leave_the_switch_as_it_was() -> None:
    """So one that fails in the middle does not make the next one fail."""
    fault = next(f for f in FAULTS if f.name == "the switch stays after an error")
    engine = fault.engine()
    assert "leaves.no grad" in {str(o.accident) for o in examine(engine) if o.message}
    assert vars(engine)["recording"] is True


def test_the_librarys_engine_is_not_a_readers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text("from autograd_lib.engine import *\n", encoding="utf-8")
    assert main(["test", str(mine), "tensor"]) == 1
    said = capsys.readouterr().out
    assert said.startswith("Tensor, grad, no_grad: from autograd_lib, and not your own")
    assert {"sum_to", "Tensor"} <= {*borrowed(autograd_lib.small.gpt)}
    mine.write_bytes((HERE / "gpt.py").read_bytes())
    assert borrowed(load(mine)) == []


def test_a_step_that_is_unknown_is_refused() -> None:
    with pytest.raises(ValueError, match="no step is called 'order2': number, order"):
        examine(autograd_lib.small.gpt, "order2")


def test_two_files_of_one_name_are_two_engines(tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / "mine.py").write_text(f"n = {number}\n", encoding="utf-8")
        assert load(tmp_path / "mine.py").n == number
