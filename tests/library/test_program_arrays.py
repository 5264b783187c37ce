"""Arrays that the library makes are noted: it makes them in one way only."""

from __future__ import annotations

import ast
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from autograd_lib.engine import arrays
from autograd_lib.program import compile

ROOT = Path(__file__).parents[2]
RECORDED = (
    *("engine", "nn", "optim", "functional", "checkpointing", "parallel"),
    *("broadcast.py", "data.py", "forward.py"),
)
"""What may run while a function is recorded."""
MAKING = {"asanyarray", *(n for n in vars(arrays.Making) if n[0] != "_")}
OF_A_TENSOR = ("engine/numpy/conversion.py", "np.array")
"""`Tensor.__array__` is asked for NumPy's own array, which a recorded one refuses."""


def made_by_numpy(text: str) -> Iterator[str]:
    """Yield what functions take of NumPy itself to make an array."""
    for outer in ast.walk(ast.parse(text)):
        if isinstance(outer, ast.ImportFrom) and outer.module == "numpy":
            yield from (a.name for a in outer.names if a.name in MAKING)
        if isinstance(outer, ast.FunctionDef | ast.Lambda):
            body = outer.body if isinstance(outer.body, list) else [outer.body]
            for node in (n for statement in body for n in ast.walk(statement)):
                known = isinstance(node, ast.Attribute) and node.attr in MAKING
                if known and ast.unparse(node.value) in ("np", "numpy"):
                    yield ast.unparse(node)


def files() -> Iterator[Path]:
    for name in RECORDED:
        path = ROOT / "autograd_lib" / name
        yield from [path] if path.is_file() else sorted(path.rglob("*.py"))


def test_the_library_makes_arrays_where_they_are_noted() -> None:
    found = {
        (path.relative_to(ROOT / "autograd_lib").as_posix(), name)
        for path in files()
        for name in made_by_numpy(path.read_text(encoding="utf-8"))
    }
    assert found == {OF_A_TENSOR}


@pytest.mark.parametrize(
    "text",
    [
        "def f():\n    return np.zeros(3)",
        "f = lambda x: np.asarray(x)",
        "from numpy import empty",
        "class A:\n    def f(self):\n        make = np.array",
    ],
)
def test_another_way_is_found(text: str) -> None:
    assert len(list(made_by_numpy(text))) == 1
    right = text.replace("np.", "numpy().").replace("empty", "exp")
    assert not list(made_by_numpy(right))


def test_what_is_imported_in_a_first_call_is_recorded() -> None:
    """No module has a NumPy of its own, so it does not matter when it comes."""
    code = """
import sys
import numpy as np
from autograd_lib.program import compile

def f(x):
    from autograd_lib.nn.convolution import conv2d
    from autograd_lib.nn.pooling import max_pool2d
    return max_pool2d(conv2d(x, x[:, :, :2, :2], padding=1), 2)

before = set(sys.modules)
compiled = compile(f)
x, y = np.arange(32.0).reshape(2, 16), np.cos(np.arange(32.0)).reshape(2, 16)
x, y = x.reshape(2, 1, 4, 4), y.reshape(2, 1, 4, 4)
for z in (x, y, x):
    np.testing.assert_allclose(compiled(z).data, f(z).data, rtol=1e-12)
assert "autograd_lib.nn.convolution" in set(sys.modules) - before
assert len(compiled.programs) == 1 and not compiled.wrong
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def of_numpy() -> bool:
    """Return whether this thread makes arrays with NumPy alone."""
    return arrays.numpy() is arrays.Making


def test_other_threads_make_arrays_with_numpy() -> None:
    def f(x: np.ndarray) -> tuple[np.ndarray, bool, bool]:
        seen: list[bool] = []
        other = threading.Thread(target=lambda: seen.append(of_numpy()))
        other.start()
        other.join()
        return x * 2, seen[0], of_numpy()

    assert compile(f)(np.ones(2))[1:] == (True, False)
    assert of_numpy()
