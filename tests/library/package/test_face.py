"""`import autograd_lib as ag`: all that users need, imported when it is asked for."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

import autograd_lib as ag
from notebooks.notebook import ROOT

NAMES = [
    *("Tensor", "tensor", "from_numpy", "grad", "Value", "Function", "operation"),
    *("no_grad", "enable_grad", "is_grad_enabled"),
    *("gradcheck", "gradgradcheck", "dotcheck"),
    *("nn", "optim", "data", "tree", "functional"),
    *("value_and_grad", "vjp", "jacobian", "hessian", "hvp", "vhp"),
    *("checkpoint", "saved_tensors_hooks"),
]


def run(program: str) -> str:
    """Return what a program prints, in a Python of its own."""
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("name", NAMES)
def test_what_users_need_is_there(name: str) -> None:
    assert name in ag.__all__
    assert name in dir(ag)
    assert getattr(ag, name).__name__.split(".")[-1] == name


def test_each_name_can_be_the_first() -> None:
    programs = [f"import autograd_lib as ag; ag.{name}" for name in NAMES]
    assert {run(program) for program in programs} == {""}


def test_the_scalars_load_no_numpy_and_the_package_nothing() -> None:
    loaded = "import sys, autograd_lib as ag; {}; print('numpy' in sys.modules)"
    assert run(loaded.format("ag.__version__, dir(ag)")) == "False"
    assert run(loaded.format("ag.Value(2.0)")) == "False"
    assert run(loaded.format("ag.Tensor(2.0)")) == "True"


def test_another_name_is_an_error_that_says_what_there_is() -> None:
    with pytest.raises(
        AttributeError, match=r"has no 'nonsense'; it has Value, Tensor"
    ):
        ag.nonsense  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(ImportError, match="nonsense"):
        exec("from autograd_lib import nonsense")


def test_the_stub_names_what_the_package_offers() -> None:
    stub = (ROOT / "autograd_lib" / "__init__.pyi").read_text(encoding="utf-8")
    tree = ast.parse(stub)
    imports = [n for n in tree.body if isinstance(n, ast.ImportFrom)]
    named = {alias.name for n in imports for alias in n.names}
    assert named == set(ag.__all__) == set(ag.WHERE)
