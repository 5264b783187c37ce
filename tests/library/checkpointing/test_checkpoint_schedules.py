"""Schedules make the calls and need the memory that their formulas promise."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from functools import cache
from math import ceil, log2
from typing import Any

import numpy as np
import pytest

from autograd_lib import nn
from autograd_lib.checkpointing.schedules import (
    checkpoint_binomial,
    checkpoint_halves,
    checkpoint_sequential,
    evaluations,
    falling,
)
from autograd_lib.engine import Tensor

SIZE = 20_000


class Chain:
    """n steps that count their calls, each with a parameter of its own."""

    def __init__(self, n: int, size: int = 3) -> None:
        self.calls = [0] * n
        self.parameters = [Tensor(1 + i / n, requires_grad=True) for i in range(n)]
        self.steps = [self.step(i) for i in range(n)]
        self.x = Tensor(np.linspace(-1, 1, size), requires_grad=True)

    def step(self, i: int) -> Callable[[Any], Any]:
        def call(h: Any) -> Any:
            self.calls[i] += 1
            return np.sin(h * self.parameters[i])

        return call

    def gradients(self, run: Callable[[Any, Any], Any]) -> Any:
        run(self.steps, self.x).sum().backward()
        return [t.grad.tolist() for t in (self.x, *self.parameters)]


def plain(steps: Any, x: Any) -> Any:
    for step in steps:
        x = step(x)
    return x


SCHEDULES: dict[str, Callable[[Any, Any], Any]] = {
    "falling": lambda steps, x: checkpoint_sequential(steps, None, x),
    "one segment": lambda steps, x: checkpoint_sequential(steps, 1, x),
    "a segment each": lambda steps, x: checkpoint_sequential(steps, len(steps), x),
    "halves": checkpoint_halves,
    **{
        f"binomial {s}": lambda steps, x, s=s: checkpoint_binomial(steps, s, x)
        for s in (1, 2, 3, 7, 50)
    },
}


@pytest.mark.parametrize("n", [1, 2, 3, 10, 23])
@pytest.mark.parametrize("name", SCHEDULES)
def test_the_gradient_is_that_without_a_schedule(name: str, n: int) -> None:
    assert Chain(n).gradients(SCHEDULES[name]) == Chain(n).gradients(plain)


@cache
def least_calls(n: int, s: int) -> int:
    """Return the fewest calls for n steps with s snapshots, from all ways to split."""
    if n == 1:
        return 1
    if s == 0:
        return n - 1 + least_calls(n - 1, 0) + 1
    return min(m + least_calls(m, s) + least_calls(n - m, s - 1) for m in range(1, n))


@pytest.mark.parametrize("s", range(1, 7))
def test_no_other_split_takes_fewer_calls(s: int) -> None:
    for n in range(1, 60):
        assert evaluations(n, s) == least_calls(n, s)


@pytest.mark.parametrize("s", [1, 2, 4, 9])
def test_the_binomial_schedule_makes_as_many_calls_as_it_says(s: int) -> None:
    for n in (1, 2, 9, 30):
        chain = Chain(n)
        chain.gradients(lambda steps, x: checkpoint_binomial(steps, s, x))
        assert sum(chain.calls) == evaluations(n, s)


def test_segments_run_twice_but_for_the_last() -> None:
    chain = Chain(9)
    chain.gradients(lambda steps, x: checkpoint_sequential(steps, 3, x))
    assert chain.calls == [2] * 6 + [1] * 3
    assert falling(100) == [14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 1]
    for n in range(1, 200):
        longest = falling(n)[0]
        assert sum(falling(n)) == n and len(falling(n)) <= longest
        assert longest * (longest - 1) < 2 * n


@pytest.mark.parametrize(("n", "runs"), [(1, 1), (2, 3), (16, 48), (64, 256)])
def test_halves_run_ahead_only_the_half_that_waits(n: int, runs: int) -> None:
    chain = Chain(n)
    chain.gradients(checkpoint_halves)
    assert sum(chain.calls) == n + n // 2 * log2(n) == runs
    assert chain.calls[-1] == 1


def states_at_peak(n: int, run: Callable[[Any, Any], Any]) -> float:
    chain = Chain(n, SIZE)
    tracemalloc.start()
    run(chain.steps, chain.x).sum().backward()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / chain.x.data.nbytes


# A step saves its input and the product of which it takes the sine: two arrays. While
# one is walked back, there are five more: gradients and what rules calculate. Nodes of
# all steps, and parcels, are less than another.
STEP, PASSING = 2, 6


def test_memory_is_within_the_bounds() -> None:
    n = 36
    assert states_at_peak(n, plain) > STEP * n
    equal = states_at_peak(n, lambda f, x: checkpoint_sequential(f, 6, x))
    assert equal < 6 + STEP * 6 + PASSING
    unequal = states_at_peak(n, SCHEDULES["falling"])
    assert unequal < falling(n)[0] * STEP + PASSING
    assert states_at_peak(n, checkpoint_halves) < ceil(log2(n)) + STEP + PASSING
    for s in (1, 3, 6):
        found = states_at_peak(n, SCHEDULES[f"binomial {s}"] if s < 6 else six)
        assert found < s + STEP + PASSING


def six(steps: Any, x: Any) -> Any:
    return checkpoint_binomial(steps, 6, x)


def test_a_sequential_is_a_chain() -> None:
    model = nn.Sequential(nn.Linear(3, 3, rng=0), nn.Tanh(), nn.Linear(3, 1, rng=1))
    x = Tensor(np.ones((2, 3), np.float32))
    y = checkpoint_sequential(model, 2, x)
    assert y.tolist() == model(x).tolist()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: checkpoint_sequential([], 1, 0),
            "checkpoint_sequential: there are",
        ),
        (lambda: checkpoint_halves([], 0), "checkpoint_halves: there are"),
        (lambda: checkpoint_sequential([abs] * 3, 4, 0), "from 1 to 3, got 4"),
        (lambda: checkpoint_sequential([abs] * 3, 0, 0), "from 1 to 3, got 0"),
        (
            lambda: checkpoint_binomial([abs] * 3, 0, 0),
            "snapshots .* 1, got 0",
        ),
        (lambda: checkpoint_binomial([abs] * 3, 1.5, 0), "at least 1, got 1.5"),  # type: ignore[arg-type]
    ],
)
def test_what_makes_no_schedule_is_an_error(call: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        call()
