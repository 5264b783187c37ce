"""Large arrays are taken a block at a time, through all that goes by elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.functional import grad
from autograd_lib.program import PASSES, compile
from autograd_lib.program.rewrites.blocks import in_blocks
from tests.library.program.test_program import numbers

N = 300_000


def loops_of(f: Any, *given: Any, passes: Any = PASSES) -> int:
    """Return how many loops over blocks a program has, after comparing it with f."""
    compiled = compile(f, passes=passes)
    for factor in (1.0, -0.5):
        args = [factor * a for a in given]
        got, want = (
            x if isinstance(x, tuple) else (x,) for x in (compiled(*args), f(*args))
        )
        for a, b in zip(got, want, strict=True):
            a, b = (x.data if isinstance(x, Tensor) else x for x in (a, b))
            assert (a.shape, a.dtype) == (b.shape, b.dtype)
            np.testing.assert_array_equal(a, b)
    assert len(compiled.programs) == len(compiled.reasons) == 1
    return compiled.programs[0].source.count("for i in range(0,")


def test_one_loop_goes_through_relu_and_its_gradient() -> None:
    def loss(h: Any, a: Any, b: Any) -> Any:
        for _ in range(3):
            h = (h * a + b).relu() - 0.1
        return h.sum()

    given = [numbers(N, dtype=np.float32, seed=i) for i in range(3)]
    given[0][5], given[0][6] = np.inf, np.nan
    with np.errstate(all="ignore"):
        assert loops_of(grad(loss, (0, 1, 2)), *given) == 1


def test_one_loop_goes_through_choices_comparisons_and_casts() -> None:
    def f(x: Any, y: Any) -> Any:
        z = np.where(x > y, x * 2, y - 1)
        whole = (z * 10).astype(np.int32)
        return z * (whole > 3), whole.astype(np.float64) + z, np.abs(z) < 1

    x, y = numbers(900, 1), numbers(900, 1, seed=1)
    assert loops_of(f, x, y, passes=(in_blocks(0, 2**10),)) == 1


def test_numbers_and_spread_arrays_are_read_in_each_block() -> None:
    def f(x: Any, s: Any) -> Any:
        y = s.sum() * x + s
        for _ in range(3):
            y = np.tanh(y * s - 1.0)
        return y + np.broadcast_to(s, y.shape)

    for shape in ((N,), (N // 100, 100)):
        assert loops_of(f, numbers(*shape), numbers(*(1 for _ in shape), seed=1)) == 1


def test_calls_whose_results_are_read_elsewhere_stay() -> None:
    def f(x: Any) -> Any:
        y = [x * 2.0, x + 1.0, np.tanh(x), x - 3.0]
        return y[0], y[1] * y[2], y[3]

    assert loops_of(f, numbers(N)) == 0
