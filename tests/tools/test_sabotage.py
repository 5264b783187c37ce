"""What is broken as a whole is noticed by the tests that claim to be about it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograd_lib.check.plant import find
from notebooks.notebook import ROOT
from tests.faults.broken import SABOTAGE, Sabotage
from tests.faults.sabotage import (
    reasons,
    survivors,
    unexplained,
)

HOOKS = next(one for one in SABOTAGE if one.name == "hooks are not called")
FILE = "tests/library/leaves/test_hooks.py"
RAN = {f"{FILE}::test_a[1]", f"{FILE}::test_a[2]", "test_sums.py::test_b"}


@pytest.mark.parametrize("one", SABOTAGE, ids=lambda one: one.name)
def test_each_can_be_planted_and_is_taken_out_again(one: Sabotage) -> None:
    places = {where: find(where).__code__ for where, _, _ in one.edits}
    with one.planted():
        assert all(find(where).__code__ is not code for where, code in places.items())
    assert all(find(where).__code__ is code for where, code in places.items())


def test_a_test_that_claims_to_be_about_it_and_passes_needs_a_reason() -> None:
    passed = f"{FILE}::test_a[2]"
    failed = {f"{FILE}::test_a[1]"}
    assert unexplained(HOOKS, RAN, failed, {}) == [passed]
    for name in (passed, f"{FILE}::test_a", FILE):
        assert unexplained(HOOKS, RAN, failed, {name: "why"}) == []
    assert unexplained(HOOKS, RAN, RAN, {}) == []


def test_a_function_of_which_no_test_ever_fails_is_listed() -> None:
    assert survivors(RAN, {f"{FILE}::test_a[2]"}) == ["test_sums.py::test_b"]
    assert survivors(RAN, RAN) == []


def test_reasons_are_of_tests_that_exist_and_say_something() -> None:
    known = reasons()
    assert known.keys() <= {one.name for one in SABOTAGE}
    for name, reason in [pair for table in known.values() for pair in table.items()]:
        file, _, function = name.partition("::")
        source = (ROOT / file).read_text(encoding="utf-8")
        function = function.partition("[")[0].rpartition("::")[2]
        assert re.search(rf"def {function}\(", source) or not function, name
        assert len(reason.split()) > 2, name


@pytest.mark.skipif(not hasattr(os, "fork"), reason="sabotage is planted in forks")
def test_the_command_names_what_passes_and_what_never_fails(tmp_path: Path) -> None:
    file = tmp_path / "test_hooks.py"
    file.write_text(
        "from autograd_lib.engine.tape.tensor import Tensor\n\n\n"
        "def seen():\n"
        "    x, found = Tensor(1.0, True), []\n"
        "    x.register_hook(lambda g: found.append(g.item()))\n"
        "    (x * 2.0).backward()\n"
        "    return found\n\n\n"
        "def test_a_strong_hook():\n"
        "    assert seen() == [2.0]\n\n\n"
        "def test_a_weak_hook():\n"
        "    assert set(seen()) <= {2.0}\n"
    )
    command = [
        sys.executable,
        "-m",
        "tests.faults.sabotage",
        "--only",
        "hooks",
        "--tests",
    ]
    done = subprocess.run(
        [*command, str(file)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 1, done.stderr
    assert "1 fail: hooks are not called" in done.stdout
    assert "test_a_weak_hook, 1 times" in done.stdout
    assert "test_a_strong_hook" not in done.stdout
