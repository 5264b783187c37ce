"""A type checker knows the methods of tensors, and has nothing to say of this tree.

Both with one configuration, one after the other: what it has read of the package for
the first question it keeps for the second.
"""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from notebooks.notebook import ROOT

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


def mypy(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run it, as the project configures it."""
    return subprocess.run(
        [sys.executable, "-m", "mypy", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """What mypy says of the examples, by line."""
    file = tmp_path_factory.mktemp("typed") / "examples.py"
    file.write_text(EXAMPLES, encoding="utf-8")
    done = mypy("--no-error-summary", str(file))
    assert not done.stderr
    found = re.findall(r":(\d+): error: .*\[([\w-]+)\]", done.stdout)
    return {int(line): kind for line, kind in found}


def test_a_type_checker_knows_what_is_right_and_what_is_not(
    complaints: dict[int, str],
) -> None:
    lines = EXAMPLES.splitlines()
    expected = {i: line.partition("  # ")[2] for i, line in enumerate(lines, 1)}
    assert complaints == {i: kind for i, kind in expected.items() if kind}


def test_nothing_to_complain_about() -> None:
    done = mypy()
    assert done.returncode == 0, done.stdout + done.stderr
