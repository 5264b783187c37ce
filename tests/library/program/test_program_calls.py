"""How a compiled function is called, and what it leaves behind."""

from __future__ import annotations

import gc
import linecache
import math
import random
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.functional import value_and_grad
from autograd_lib.program import PASSES, Refused, compile
from autograd_lib.program.calls.net import difference
from tests.library.program.test_program import assert_same, numbers
from tests.library.program.test_program_promise import X, assert_equal


class Scaled:
    """Has a compiled method."""

    def __init__(self, by: float) -> None:
        self.by = by

    @compile
    def times(self, x: Any) -> Any:
        return x * self.by


def test_a_compiled_method_is_one_of_each_object() -> None:
    two, five = Scaled(2.0), Scaled(5.0)
    for _ in range(2):
        assert_equal(two.times(X), X * 2)
        assert_equal(five.times(X), X * 5)
    two.by = 3.0
    assert_equal(two.times(X), X * 3)
    assert_equal(Scaled.times(five, X), X * 5)


def texts() -> int:
    """Return how many texts of programs Python keeps for tracebacks."""
    return sum(name.startswith(("<program", "<guard")) for name in linecache.cache)


def test_a_dropped_function_leaves_no_text_behind() -> None:
    gc.collect()
    before = texts()
    compiled = compile(lambda x: x * 2)
    compiled(X)
    assert texts() == before + 1  # the program is written at the second call
    compiled(X)
    assert texts() == before + 2
    del compiled
    gc.collect()
    assert texts() == before


def test_calls_that_run_uncompiled_are_noted_once_and_warned_of() -> None:
    def f(x: Any) -> Any:
        if type(x) is not np.ndarray:
            raise KeyError("no array")
        return x * 2

    compiled = compile(f)
    with pytest.warns(RuntimeWarning, match="16 calls in a row ran the function") as w:
        for _ in range(20):
            assert_equal(compiled(X), X * 2)
    assert len(w) == len(compiled.reasons) == 1
    assert "from now on the function runs" in compiled.floor or compiled.floor


def test_the_seventeenth_kind_of_call_runs_the_function() -> None:
    compiled = compile(lambda x: x * 2)
    with pytest.warns(RuntimeWarning, match="16 programs were recorded") as warned:
        for n in range(40):
            assert_equal(compiled(np.ones(n)), np.full(n, 2.0))
    assert len(compiled.programs) == 16
    assert len(warned) == 1


@pytest.mark.parametrize("shape", [(16, 3), (64, 8), (2, 2), (2, 3, 4)])
@pytest.mark.parametrize("rows", [5, 27, 300])
def test_rows_of_a_table_at_recorded_places(rows: int, shape: tuple[int, ...]) -> None:
    table = Tensor(numbers(rows, 10, dtype=np.float32))
    for read in (lambda t, i: t[i], lambda t, i: np.take(t, i, 0)):

        def loss(t: Any, i: Any, read: Any = read) -> Any:
            return (read(t, i) ** 2).sum()

        step = compile(value_and_grad(loss))
        for seed in range(3):
            i = np.random.default_rng(seed).integers(0, rows, shape)
            assert_same(step(table, i), value_and_grad(loss)(table, i))
        assert len(step.programs) == len(step.reasons) == 1


def test_rows_of_a_constant_table_at_recorded_places() -> None:
    table = numbers(10, 3)
    for read in (lambda i: Tensor(table)[i], lambda i: np.take(Tensor(table), i, 0)):
        compiled = compile(read)
        for i in (np.array([1, 2]), np.array([0, 9])):
            assert_equal(compiled(i), table[i])
    compiled = compile(lambda i: table[i])  # then the table is given at each call
    for i in (np.array([1, 2]), np.array([0, 9])):
        assert_equal(compiled(i), table[i])
        table[0] += 1
    with pytest.raises(Refused, match=r"Tensor\(table\)\[x\] for table\[x\]"):
        compile(lambda i: np.arange(10)[i])(np.array([1]))


def test_the_function_runs_beside_the_program_at_its_second_call() -> None:
    compiled = compile(lambda x: x * random.Random().random())
    first = compiled(X)
    with pytest.warns(RuntimeWarning, match="call 2 of a program returned .* for"):
        second = compiled(X)
    assert not np.array_equal(first, second)
    assert compiled.wrong
    assert not np.array_equal(compiled(X), compiled(X))  # the function runs


def test_the_function_runs_beside_the_program_as_often_as_it_is_asked_to(
    monkeypatch: Any,
) -> None:
    moved: Any = SimpleNamespace(at=Tensor(X))

    def step(x: Any) -> Any:
        moved.at = moved.at + x
        return moved.at.sum() + math.floor(0.5)  # of a library: nobody looks there

    compiled = compile(step)
    for k in range(1, 8):
        assert_equal(compiled(X), (X * (k + 1)).sum())
        assert_equal(moved.at, X * (k + 1))
    monkeypatch.setattr(math, "floor", math.ceil)
    with pytest.warns(RuntimeWarning, match="call 8 of a program returned 54.0 for 55"):
        assert_equal(compiled(X), (X * 9).sum() + 1)
    assert_equal(moved.at, X * 9)
    assert_equal(compiled(X), (X * 10).sum() + 1)
    assert_equal(moved.at, X * 10)


def test_results_that_differ_by_rounding_are_the_same() -> None:
    a = {"w": X, "b": [np.float32(0.1), np.array([1, 2])], "n": np.array([np.nan])}
    near = {**a, "w": X * (1 + 1e-12)}
    assert not difference(a, a)
    assert not difference(near, a)
    assert difference({**a, "w": X * 1.001}, a) == "1.001 for 1.0 at ['w'] at (0,)"
    assert "int64 (2,)" in difference({**a, "b": [a["b"][0], X]}, a)
    assert difference({**a, "n": X[:1]}, a) == "1.0 for nan at ['n'] at (0,)"
    assert difference([X], a).startswith("a tree of 1 leaves")


LAZY = """
import numpy as np
import autograd_lib as ag

def slopes(w):
    x = ag.from_numpy(np.ones((1, 1, 5, 5)))
    return ag.functional.grad(lambda w: ag.nn.conv2d(x, w).sum())(w)

assert "autograd_lib.nn.convolution" not in __import__("sys").modules
w = ag.from_numpy(np.ones((1, 1, 2, 2)))
compiled = ag.compile(slopes)
assert np.array_equal(compiled(w).data, np.full((1, 1, 2, 2), 16.0))
"""


def test_a_module_that_the_first_call_asks_for() -> None:
    subprocess.run([sys.executable, "-c", LAZY], check=True)


def test_numpy_that_asks_an_array_and_not_the_tensor_beside_it() -> None:
    def f(a: Any, r: Any) -> Any:
        return np.linalg.pinv(a, r)

    with pytest.raises(Refused, match=r"numpy.linalg.pinv of an array and a tensor"):
        compile(f)(numbers(3, 2), Tensor(1e-9))


@pytest.mark.parametrize(
    "condition",
    [
        lambda x: (x.min() > 0) & (x.max() < 10),
        lambda x: np.logical_and(np.isfinite(x).all(), x.max() < 10),
        lambda x: (x.max() > 10) | (x.min() < 0),
        lambda x: np.logical_not(x.max() > 10) & (x[0] < 4),
    ],
)
@pytest.mark.parametrize("passes", [(), PASSES])
def test_truth_values_of_no_axis_are_calculated_anew(
    condition: Any, passes: Any
) -> None:
    def f(x: Any) -> Any:
        return np.where(condition(x), x, 0.0)

    compiled = compile(f, passes=passes)
    for several in ([1.0, 2.0], [3.0, 4.0], [1.0, 20.0], [-1.0, 2.0], [5.0, 5.0]):
        x = np.array(several)
        assert compiled(x).tolist() == f(x).tolist()
    assert len(compiled.programs) == 1
