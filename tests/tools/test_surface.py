"""Editors know the methods of tensors; `test_types.py` asks a type checker."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from autograd_lib.engine import Tensor
from notebooks.notebook import ROOT
from tools.surface import BY_HAND, STUB, methods, stub


def test_the_file_is_what_the_command_writes() -> None:
    assert STUB.read_text(encoding="utf-8") == stub(), "run `python -m tools.surface`"


def test_the_file_is_python_that_declares_every_method() -> None:
    (declared,) = [n for n in ast.parse(stub()).body if isinstance(n, ast.ClassDef)]
    names = {n.name for n in declared.body if isinstance(n, ast.FunctionDef)}
    assert names == methods().keys() | set(BY_HAND)
    assert {"sum", "T", "__add__", "__setitem__", "backward"} <= names
    for name in names:
        assert hasattr(Tensor, name)


def test_an_editor_completes_methods_and_their_arguments() -> None:
    jedi = pytest.importorskip("jedi", reason="jedi is not installed")
    source = "import autograd_lib as ag\nt = ag.Tensor(1.0)\nt.logsum"
    found = jedi.Script(source, path=Path(ROOT) / "example.py").complete()
    assert [c.name for c in found] == ["logsumexp"]
    source = "import autograd_lib as ag\nag.Tensor(1.0).logsumexp("
    (signature,) = jedi.Script(source, path=Path(ROOT) / "example.py").get_signatures()
    assert [p.name for p in signature.params] == ["axis", "keepdims"]
