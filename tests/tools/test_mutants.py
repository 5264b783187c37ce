"""Wrong lines planted in the engine are noticed, by our checks and by our tests."""

from __future__ import annotations

import ast
import importlib
import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograd_lib.check.checks import dotcheck, gradcheck, gradgradcheck
from autograd_lib.check.faults import FAULTS, Fault
from autograd_lib.check.plant import find, tree_of
from autograd_lib.engine.tape.tensor import Tensor
from notebooks.notebook import ROOT
from tests.faults.more_faults import MORE_FAULTS
from tests.faults.mutants import all_mutants, changes_of, explained, mutants, wiring
from tests.faults.rules import operations, rules_and_pass
from tests.library.check import test_gradcheck
from tests.library.operations.case import Case
from tests.library.ops import test_operations

NAMED = (*FAULTS, *MORE_FAULTS)
EACH = pytest.mark.parametrize("fault", NAMED, ids=lambda fault: fault.name)
CHECKS = (gradcheck, dotcheck, gradgradcheck)


@EACH
def test_every_program_is_right_without_its_fault(fault: Fault) -> None:
    for check in CHECKS:
        check(fault.program, *fault.inputs)


@EACH
def test_every_fault_is_noticed_by_a_check_and_taken_out_again(fault: Fault) -> None:
    code = find(fault.where).__code__
    with fault.planted():
        assert find(fault.where).__code__ is not code
        with pytest.raises(Exception) as raised:
            gradgradcheck(fault.program, *fault.inputs)
        # The fault itself could be run.
        assert not isinstance(raised.value, NameError | AttributeError | LookupError)
    assert find(fault.where).__code__ is code
    with pytest.raises(KeyError), fault.planted():
        raise KeyError
    assert find(fault.where).__code__ is code


def own_first(cases: list[Case], fault: Fault) -> list[Case]:
    """Return cases, those of the file first that the fault is in: they notice soon."""
    name = fault.where.rpartition(".ops.")[2].partition(".")[0]
    try:
        own = importlib.import_module(f"tests.library.operations.cases_{name}").CASES
    except ModuleNotFoundError:
        own = []
    ids = {case.id for case in own}
    return sorted(cases, key=lambda case: case.id not in ids)


def suite(fault: Fault) -> Iterator[Callable[[], None]]:
    """Yield what `make test` does with each case of each operation."""
    of_witness = test_operations.test_gradients_are_those_of_the_witness.of_one
    for function in test_gradcheck.THROUGH_TIES.values():
        yield partial(test_gradcheck.test_through_ties, function)
    for case in own_first(test_gradcheck.SMOOTH, fault):
        yield partial(of_witness, case)
        yield partial(test_gradcheck.assert_accepted, case)


@EACH
def test_no_fault_survives_the_tests_of_the_operations(fault: Fault) -> None:
    with fault.planted(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for test in suite(fault):
            try:
                test()
            except Exception:
                return
    pytest.fail(f"{fault.name}: nobody noticed")


def test_there_are_more_than_a_dozen_in_rules_and_in_the_pass() -> None:
    assert len({fault.name for fault in NAMED}) == len(NAMED) > 12
    assert len(FAULTS) == 18  # as chapter 11 says
    assert len({fault.where.rpartition(".")[0] for fault in FAULTS}) > 8


@pytest.mark.parametrize(
    ("where", "right", "message"),
    [
        (
            "autograd_lib.engine.ops.trigonometry.by_sin",
            "np.cosine(x)",
            "is not there exactly",
        ),
        (
            "autograd_lib.engine.ops.arithmetic.by_divisor",
            "y",
            "is not there exactly once in by_divisor, but 2 times",
        ),
        ("autograd_lib.engine.ops.trigonometry.by_sine", "x", "there is no function"),
        ("autograd_lib.nowhere.by_sin", "x", "there is no function"),
        ("autograd_lib.engine.ops.trigonometry.np", "x", "there is no function"),
    ],
)
def test_a_fault_that_fits_no_more_is_an_error(
    where: str, right: str, message: str
) -> None:
    fault = Fault("made up", where, right, "y", np.sin, ())
    with pytest.raises(LookupError, match=message), fault.planted():
        pass


def test_whoever_knows_the_function_meets_the_fault() -> None:
    x = Tensor([1.0, 2.0], requires_grad=True)
    y = (x * x).sum()  # recorded before
    (fault,) = (f for f in FAULTS if f.where.endswith("arithmetic.times"))
    wrong = Fault("made up", fault.where, "g * slope", "g * 0.0", np.sin, ())
    with wrong.planted():
        y.backward()
    assert x.grad is not None and (x.grad.data == 0.0).all()


def changed(source: str, make: Any = mutants) -> list[str]:
    """Return the bodies of a function's mutants, and see that each compiles."""
    tree = tree_of(source)
    before = ast.unparse(tree)
    found = [ast.unparse(change.made(tree)) for change in make(tree).values()]
    assert ast.unparse(tree) == before and before not in found
    for text in found:
        compile(text, "mutant", "exec")
    return [text.partition(":\n")[2].strip() for text in found]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return -(g * a)", ["g * a", "-g", "-a"]),
        ("return g / a", ["g", "a / g"]),
        ("return g @ a.T", ["a.T @ g", "g @ a"]),
        ("return g.sum(axis=0)", ["g", "g.sum(axis=1)"]),
        ("return np.sum(g)", ["g"]),
        ("return spread(g, a)", ["g"]),
        ("return len(g)", []),
        ("return g if a > 2 else a", ["a if a > 2 else g", "g if a >= 2 else a"]),
        ("return g - a[1:]", ["g + a[1:]", "a[1:] - g", "g - a[2:]"]),
        ("return a is None and g", ["a is None or g", "a is not None and g"]),
        ('"""Words 1."""\n    return g', []),
        ("raise ValueError(1 + 2)", []),
    ],
)
def test_what_people_get_wrong_is_tried(body: str, expected: list[str]) -> None:
    found = changed(f"def rule(g, a):\n    {body}")
    returned = [text.removeprefix("return ") for text in found]
    assert set(expected) <= set(returned)
    assert bool(expected) == bool(returned)


def test_statements_are_changed_too() -> None:
    assert changed("def f(g, a):\n    a += g") == ["a = g", "a -= g"]
    assert changed("def f(g, a):\n    g.grad = a") == ["pass"]
    assert changed("def f(g, a):\n    if a:\n        g.append(a)") == [
        "if not a:\n        g.append(a)",
        "if a:\n        pass",
    ]


def test_operations_are_wired_wrongly() -> None:
    source = "def f(x, y):\n    return binary(h, x, r, Saved(x, y), y, s, t)"
    assert changed(source, wiring) == [
        "return binary(h, x, s, Saved(x, y), y, r, t)",
        "return binary(h, x, r, t, y, s, Saved(x, y))",
        "return binary(h, x, r, Saved(y, x), y, s, t)",
    ]


def test_rules_the_pass_and_operations_are_found() -> None:
    rules = rules_and_pass()
    assert {
        "autograd_lib.engine.ops.arithmetic.by_divisor",
        "autograd_lib.engine.ops.sums.with_axes",
        "autograd_lib.engine.tape.walk.Pass.hand_over",
        "autograd_lib.engine.ops.indexing.Scatter.add_to",
    } <= set(rules)
    assert "autograd_lib.engine.ops.arithmetic.divide" in operations()
    assert not set(rules) & set(operations())


def test_mutants_are_different_and_can_be_planted_by_name() -> None:
    found = list(all_mutants())
    assert len(set(found)) == len(found) > 100
    for mutant in found[::37]:
        code = find(mutant.where).__code__
        with mutant.planted():
            assert find(mutant.where).__code__ is not code


def test_what_is_explained_is_there_and_has_a_reason() -> None:
    known = explained()
    for where, change in known:
        assert change in changes_of(where)[1], f"{where}: {change}"
    assert all(len(reason.split()) > 3 for reason in known.values())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="mutants are planted in forks")
def test_the_command_tells_survivors_from_those_that_are_killed(tmp_path: Path) -> None:
    where = "autograd_lib.engine.ops.exponential.by_log1p"
    (tmp_path / "test_it.py").write_text(
        "from autograd_lib.engine.tape.tensor import Tensor\n"
        "def test_it():\n"
        "    x = Tensor(1.0, True)\n"
        "    x.log1p().backward()\n"
        "    assert x.grad.item() in (0.5, 2.0)\n"
    )
    command = [sys.executable, "-m", "tests.faults.mutants", "--only", where, "--tests"]
    done = subprocess.run(
        [*command, str(tmp_path / "test_it.py")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert f"survived: {where}: g / (1 + x) → (1 + x) / g" in done.stdout
    assert "1 survived" in done.stdout
    n = len(changes_of(where)[1])
    assert f"{n} planted, {n - 1} killed" in done.stdout
