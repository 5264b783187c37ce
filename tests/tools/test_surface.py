"""Type checkers and editors know the methods of tensors."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograd_lib.engine import Tensor
from notebooks.notebook import ROOT
from tools.surface import BY_HAND, STUB, methods, stub

# A line with a comment is an error of the kind that the comment names.
EXAMPLES = """\
import numpy as np
import autograd_lib as ag

t = ag.Tensor([1.0, 2.0], requires_grad=True)
s: ag.Tensor = t.sum(axis=0, keepdims=True)
s = (1 - t) @ (t / 2 - t**2)
s = t.reshape(2, 1).T[0].softmax(axis=-1).norm()
s += t[0]
t[0] = 3.0
s.backward(retain_graph=True)
t.zero_grad()
mask = t < 2
number: float = float(s)
text: str = f"{s:.3f}"
(g,) = ag.grad(t.exp().mean(), t)
d: dict[ag.Tensor, int] = {t: 1}
v = ag.Value(1.0) * 2
f = ag.tensor([1.0], dtype=np.float32).max(axis=(0,))
ag.nonsense  # attr-defined
t.sotfmax()  # attr-defined
t.sum(dim=0)  # call-arg
t.clip("a", nonsense=1)  # call-arg
n: int = t.mean()  # assignment
ag.Tensor(1.0, requires_grad="no")  # arg-type
t.swapaxes(0)  # call-arg
"""


def test_the_file_is_what_the_command_writes() -> None:
    assert STUB.read_text(encoding="utf-8") == stub(), "run `python -m tools.surface`"


def test_the_file_is_python_that_declares_every_method() -> None:
    (declared,) = [n for n in ast.parse(stub()).body if isinstance(n, ast.ClassDef)]
    names = {n.name for n in declared.body if isinstance(n, ast.FunctionDef)}
    assert names == methods().keys() | set(BY_HAND)
    assert {"sum", "T", "__add__", "__setitem__", "backward"} <= names
    for name in names:
        assert hasattr(Tensor, name)


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """What mypy says of the examples, by line."""
    file = tmp_path_factory.mktemp("typed") / "examples.py"
    file.write_text(EXAMPLES, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary"]
    done = subprocess.run(
        [*command, "--config-file", "", str(file)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr
    found = re.findall(r":(\d+): error: .*\[([\w-]+)\]", done.stdout)
    return {int(line): kind for line, kind in found}


def test_a_type_checker_knows_what_is_right_and_what_is_not(
    complaints: dict[int, str],
) -> None:
    lines = EXAMPLES.splitlines()
    expected = {i: line.partition("  # ")[2] for i, line in enumerate(lines, 1)}
    assert complaints == {i: kind for i, kind in expected.items() if kind}


def test_an_editor_completes_methods_and_their_arguments() -> None:
    jedi = pytest.importorskip("jedi", reason="jedi is not installed")
    source = "import autograd_lib as ag\nt = ag.Tensor(1.0)\nt.logsum"
    found = jedi.Script(source, path=Path(ROOT) / "example.py").complete()
    assert [c.name for c in found] == ["logsumexp"]
    source = "import autograd_lib as ag\nag.Tensor(1.0).logsumexp("
    (signature,) = jedi.Script(source, path=Path(ROOT) / "example.py").get_signatures()
    assert [p.name for p in signature.params] == ["axis", "keepdims"]
