"""Arrays that the library makes are noted, and generators: it has one way only."""

from __future__ import annotations

import ast
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.random import default_rng

from autograd_lib.engine import arrays
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.nn.layers import Linear
from autograd_lib.program import Refused, compile

ROOT = Path(__file__).parents[3]
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
                if known and ast.unparse(node.value) in ("np", "np.random"):
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
        "def f():\n    return np.random.default_rng()",
        "from numpy import empty",
        "class A:\n    def f(self):\n        make = np.array",
    ],
)
def test_another_way_is_found(text: str) -> None:
    assert len(list(made_by_numpy(text))) == 1
    right = (
        text.replace("np.random.", "np.")
        .replace("np.", "numpy().")
        .replace("empty", "exp")
    )
    assert not list(made_by_numpy(right))


def of_a_global(x: np.ndarray) -> np.ndarray:
    return x + default_rng().normal(size=2)


def of_a_module(x: np.ndarray) -> np.ndarray:
    return x + np.random.default_rng().normal(size=2)


def of_a_variable(x: np.ndarray) -> np.ndarray:
    make = np.random
    return x + (lambda: make.default_rng())().normal(size=2)


def of_the_library(x: np.ndarray) -> np.ndarray:
    return Linear(2, 3)(Tensor(x)).data


@pytest.mark.parametrize("f", [of_a_global, of_a_module, of_a_variable, of_the_library])
def test_a_generator_without_a_seed_is_refused(f: Any) -> None:
    with pytest.raises(Refused, match="a generator without a seed"):
        compile(lambda x: f(x))(np.ones(2))


class Layer:
    """A model, whose weights are drawn outside of what is compiled."""

    def __init__(self) -> None:
        self.w = np.random.default_rng().normal(size=2)

    def __call__(self, x: np.ndarray) -> np.ndarray:
        return self.w * x

    def noisy(self, x: np.ndarray) -> np.ndarray:
        return x + np.random.default_rng().normal(size=2)


def test_a_method_that_is_not_called_may_draw() -> None:
    layer, x = Layer(), np.ones(2)
    np.testing.assert_array_equal(compile(layer)(x), layer.w)
    noisy = compile(layer.noisy)
    noisy(x)
    with pytest.warns(RuntimeWarning, match="call 2 of a program returned"):
        noisy(x)
    assert noisy(x)[0] != noisy(x)[0]


def if_none_is_given(x: Any, rng: Any = None) -> Any:
    if rng is None:
        rng = np.random.default_rng()
    return x + rng.normal(size=2)


def unless_one_is_given(x: Any, rng: Any = None) -> Any:
    return x + (np.random.default_rng() if rng is None else rng).normal(size=2)


def or_another(x: Any, rng: Any = None) -> Any:
    rng = rng or np.random.default_rng()
    return x + rng.normal(size=2)


@pytest.mark.parametrize("f", [if_none_is_given, unless_one_is_given, or_another])
def test_a_generator_that_is_given_serves_in_place_of_one_without_a_seed(
    f: Any,
) -> None:
    compiled, rng = compile(f), np.random.default_rng(2)
    expected = np.random.default_rng(2)
    for _ in range(3):
        np.testing.assert_array_equal(
            compiled(np.ones(2), rng), f(np.ones(2), expected)
        )
    assert len(compiled.programs) == 1
    alone = compile(f)
    alone(np.ones(2))
    with pytest.warns(RuntimeWarning, match="call 2 of a program returned"):
        alone(np.ones(2))


def test_a_generator_with_a_seed_draws_the_same_at_each_call() -> None:
    def f(x: np.ndarray) -> np.ndarray:
        return x + np.random.default_rng(3).normal(size=2)

    compiled = compile(f)
    for _ in range(3):
        np.testing.assert_array_equal(compiled(np.ones(2)), f(np.ones(2)))
    assert np.random.default_rng is default_rng


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


def test_a_view_of_no_elements_is_one() -> None:
    def f(a: Any, b: Any) -> Any:
        leaves = [Tensor(x, requires_grad=True) for x in (a, b)]
        x = leaves[1] * 1.5
        view = x[..., None]
        x -= leaves[0]  # which the view shows, of no elements
        return grad(view.sum(), leaves, allow_unused=True)

    given = np.array(1.0), np.ones((2, 0))
    for slopes in (f(*given), compile(f)(*given)):
        assert [t is not None and t.shape for t in slopes] == [(), (2, 0)]
