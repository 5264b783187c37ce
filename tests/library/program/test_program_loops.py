"""Loops that are found again in a recording, and what is done once for all rounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.functional import value_and_grad
from autograd_lib.program import PASSES, compile
from autograd_lib.program.rewrites.loops import LEAST, loops, repeats
from autograd_lib.program.rewrites.rounds import Loop
from tests.library.program.test_program import assert_same, numbers
from tests.library.program.test_program_random import SOME, assert_near, derivatives

ROUNDS = LEAST + 3


def of_rounds(seed: int) -> Any:
    """Return a random function that does the same in each of some rounds.

    Each round makes new values of those of this round and of the one before, and
    of arguments; some values are carried on, some kept for the end.
    """
    rng = np.random.default_rng(seed)
    states, steps = int(rng.integers(1, 4)), int(rng.integers(1, 6))
    kinds = rng.integers(0, 8, steps)
    picks = rng.integers(0, 100, (steps, 2))
    carry = rng.integers(0, 100, states)
    rows = bool(rng.integers(2))  # each round reads one of a table
    kept = rng.integers(0, 100, 3)

    def f(x: Any, p: Any, table: Any) -> Any:
        state = [x * (0.5 + i) for i in range(states)]
        seen = []
        for j in range(ROUNDS):
            values = [*state, p, *([table[j]] if rows else [])]
            for kind, (a, b) in zip(kinds, picks, strict=True):
                u, v = values[a % len(values)], values[b % len(values)]
                values.append(
                    (
                        lambda u, v: u * v * 0.5,
                        lambda u, v: u + v * 0.25,
                        lambda u, v: np.tanh(u),
                        lambda u, v: u - 0.5,
                        lambda u, v: np.maximum(u, v),
                        lambda u, v: np.sin(u) / (v * v + 1.0),
                        lambda u, v: u + v[:1],
                        lambda u, v: np.exp(-u * u),
                    )[kind](u, v)
                )
            state = [values[-1 - c % len(values)] for c in carry]
            seen.append(values[-1])
        return [*state, *[seen[k % ROUNDS] for k in kept], sum(seen[1:], seen[0])]

    return f


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), SOME)
def test_random_loops(seed: int, passes: Any) -> None:
    f = of_rounds(seed)
    passes = passes if loops in passes else (loops, *passes)
    rng = np.random.default_rng(seed)
    for eager in (lambda *a: [Tensor(v) for v in f(*a)], derivatives(f)):
        compiled = compile(eager, passes=passes)
        for _ in range(2):
            given_ = [rng.normal(size=n) for n in (3, 3, (ROUNDS, 3))]
            kept = compiled(*given_)
            assert_near(compiled(*given_), eager(*given_))
            assert_near(kept, eager(*given_))  # nobody has written over it
    assert len(compiled.programs) == 1


def test_many_random_loops_are_found() -> None:
    found = 0
    for seed in range(30):
        compiled = compile(derivatives(of_rounds(seed)))
        made = compiled.program(numbers(3), numbers(3, seed=1), numbers(ROUNDS, 3))
        found += any(isinstance(c, Loop) for c in made.calls)
    assert found > 12  # in the others a round reads what two before have made


def rounds_of_tanh(n: int) -> Any:
    """Return the loss of a chain of equal rounds."""

    def loss(p: Any) -> Any:
        h = p["h"]
        for _ in range(n):
            h = np.tanh(h * p["factor"] + p["term"]) * 0.5
        return h.sum()

    return loss


def arguments(*shape: int, seed: int = 0) -> dict[str, np.ndarray]:
    names = ("h", "factor", "term")
    return {name: numbers(*shape, seed=seed + i) for i, name in enumerate(names)}


def test_the_length_of_a_program_does_not_depend_on_the_number_of_rounds() -> None:
    kept = []
    for n in (20, 200):
        f = value_and_grad(rounds_of_tanh(n))
        compiled = compile(f)
        for seed in (0, 5):
            p = arguments(8, seed=seed)
            assert_same(compiled(p), f(p))
        made = compiled.programs[0]
        kept.append((made.kept, len(made.source.splitlines())))
        assert f"in rounds:  # {n} times" in made.source
    assert kept[0] == kept[1]
    without = compile(f, passes=[q for q in PASSES if q is not loops])
    assert without.program(p).kept > 2000


def test_what_rounds_do_not_wait_for_is_done_for_all_at_once() -> None:
    compiled = compile(value_and_grad(rounds_of_tanh(50)))
    made = compiled.program(arguments(8))
    forward, backward = [c for c in made.calls if isinstance(c, Loop)]
    assert [c.name for c in forward.inner] == ["multiply", "add", "tanh", "multiply"]
    # tanh's derivative is calculated from what the forward loop has kept, and the
    # gradients of what all rounds use are summed after the backward loop
    assert [c.name for c in backward.inner] == ["multiply", "multiply", "multiply"]
    assert {"multiply", "matmul"} <= {c.name for c in made.calls}


def test_numbers_that_are_infinite_or_none() -> None:
    f = value_and_grad(rounds_of_tanh(30))
    compiled = compile(f)
    for bad in (np.inf, -np.inf, np.nan):
        for name in ("h", "factor", "term"):
            p = arguments(8)
            p[name][3] = bad
            with np.errstate(invalid="ignore"):
                got, want = compiled(p), f(p)
            for key in p:
                np.testing.assert_allclose(got[1][key], want[1][key], rtol=1e-12)
            np.testing.assert_allclose(got[0], want[0], rtol=1e-12)


@pytest.mark.parametrize("rounds", [1, LEAST - 1, LEAST, LEAST + 1])
def test_few_rounds(rounds: int) -> None:
    f = value_and_grad(rounds_of_tanh(rounds))
    assert_same(compile(f)(arguments(8)), f(arguments(8)))


def test_two_values_that_swap_and_one_of_two_rounds_before() -> None:
    def swapping(x: Any, y: Any) -> Any:
        for _ in range(20):
            x, y = y * 0.5, x + 0.25
        return x, y

    def fibonacci(x: Any, y: Any) -> Any:
        seen = [x, y]
        for _ in range(20):
            seen.append(seen[-1] * 0.5 + seen[-2])
        return seen[-1], seen[10]

    for f in (swapping, fibonacci):
        compiled = compile(f)
        for a, b in zip(
            compiled(numbers(4), numbers(4, seed=1)),
            f(numbers(4), numbers(4, seed=1)),
            strict=True,
        ):
            np.testing.assert_allclose(a, b, rtol=1e-12)


def test_rounds_that_read_what_rounds_of_another_loop_began_with() -> None:
    def f(x: Any, y: Any) -> Any:
        h, begun = x, []
        for _ in range(ROUNDS):
            begun.append(h)
            h = np.tanh(h * y)
        total = x
        for b in begun:
            total = np.maximum(total, b)
        return h, total, sum(begun[1:], begun[0])

    compiled = compile(f, passes=(loops,))
    for seed in range(2):
        given_ = numbers(3, seed=seed), numbers(3, seed=seed + 2)
        assert_near(list(compiled(*given_)), list(f(*given_)))
    assert compiled.reasons == ["the first call"]
    assert [c.name for c in compiled.programs[0].calls].count("loop") == 2


KINDS = (np.float64, np.float32, np.float16, np.int64, np.int8, np.bool_)


@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("each", KINDS)
def test_a_sum_over_rounds_has_the_type_that_each_sum_of_two_has(
    first: Any, each: Any
) -> None:
    def f(x: Any, total: Any) -> Any:
        for _ in range(ROUNDS):
            x = x * x
            total = total + x
        return total

    x = np.array([1, 1, 0]).astype(each)
    for start in (np.array([0, 1, 0]), np.array([1, 0, 0])):
        total = start.astype(first)
        assert_same(compile(f)(x, total), f(x, total))


def test_rows_of_other_shapes_and_types() -> None:
    def f(x: Any, w: Any) -> Any:
        out = []
        for _ in range(20):
            y = x > 0.1
            x = np.tanh(x * w) + y
            out.append(x)
        return x, out[7], np.stack(out)

    for x, w in (
        (numbers(4, 3), numbers(3)),
        (numbers(4, 3), numbers(4, 1)),
        (numbers(1, 3), numbers(4, 1)),
        (numbers(600, 3), numbers(3)),  # too large to be worth it
        (numbers(5, dtype=np.float32), numbers(5, dtype=np.float64)),
    ):
        compiled = compile(f)
        for a, b in zip(compiled(x, w), f(x, w), strict=True):
            assert (a.shape, a.dtype) == (b.shape, b.dtype)
            np.testing.assert_allclose(a, b, rtol=1e-6)


def test_rows_that_are_given_are_read_one_in_each_round() -> None:
    def smoothed(rows: Any, factor: Any) -> Any:
        h, total = factor * 0.0, factor * 0.0
        for row in rows:
            h = h * factor + row
            total = total + h * h
        return total.sum()

    f = value_and_grad(smoothed, argnums=1)
    made = compile(f).program(numbers(30, 4), numbers(4, seed=1))
    assert [c.name for c in made.calls if isinstance(c, Loop)] == ["loop", "loop"]
    for rows in (numbers(30, 4), numbers(20, 4)[::-1]):
        for a, b in zip(compile(f)(rows, numbers(4)), f(rows, numbers(4)), strict=True):
            np.testing.assert_allclose(a.data, b.data, rtol=1e-12)


def test_repeats_are_found_where_most_calls_are_in_them() -> None:
    body = [1, 2, 3]
    codes = np.array([7, *body * 10, 8, 9, *[4] * 12, 5])
    assert repeats(codes) == [(1, 31, 3), (33, 45, 1)]
