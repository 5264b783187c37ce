"""Recording is given up where it brings nothing (chapter 24).

What is counted are recordings and runs of the function, since clocks tell little on a
machine that does other things.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from autograd_lib.program import compile
from autograd_lib.program.calls.floor import FREE, SEVERAL, Budget

LONG = FREE // 2 + 1  # rounds of two calls of NumPy, which are worth counting
OWN = SimpleNamespace(rate=1.0)


def long(x: Any, rounds: int = LONG, factor: float = 0.5) -> Any:
    for _ in range(rounds):
        x = np.tanh(x) * factor
    return x * OWN.rate


def with_rate(f: Any, rate: float) -> Any:
    OWN.rate = rate
    return f(np.ones(2))


KINDS: dict[str, tuple[Any, int, bool]] = {
    "another shape at each call": (lambda f, i: f(np.ones(i + 1)), 1, True),
    "another number of rounds": (lambda f, i: f(np.ones(2), LONG + i), 2, True),
    "another factor": (lambda f, i: f(np.ones(2), LONG, 0.1 * i), 2, False),
    "another number that is found": (lambda f, i: with_rate(f, 0.1 * i), 2, False),
    "two shapes": (lambda f, i: f(np.ones(2 + i // 2 % 2)), 2, False),
}


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.filterwarnings("ignore:.*16 calls in a row")
def test_two_hundred_calls_are_recorded_at_most_twice(name: str) -> None:
    call, recordings, given_up = KINDS[name]
    compiled = compile(long)
    for i in range(40):
        np.testing.assert_allclose(call(compiled, i), call(long, i), rtol=1e-12)
    assert compiled._budget.recordings == recordings
    assert bool(compiled.floor) == given_up


def test_a_third_recording_is_paid_by_what_programs_have_saved() -> None:
    budget = Budget()
    budget.recordings, budget.calls, budget.spent = SEVERAL, FREE + 1, 2.4
    known: Any = SimpleNamespace(uses=10, saves=0.3, written_in=0.0)
    assert budget.is_open([known])  # 3 seconds are saved, and 3 would be spent
    known.written_in = 0.1
    assert not budget.is_open([known])
    budget.waited = 10.0
    assert budget.is_open([known])
    budget.calls, budget.waited = FREE, 0.0
    assert budget.is_open([known])


def test_a_program_is_written_when_it_is_used_again() -> None:
    compiled = compile(long)
    for written in (False, True):
        compiled(np.ones(2))
        assert ("program" in vars(compiled.programs[0])) == written


def test_a_program_of_other_rounds_fails_before_it_calculates() -> None:
    compiled = compile(lambda x, n: sum(np.tanh(x) for _ in range(n)))
    for n in (3, 4, 5):
        assert compiled(np.ones(2), n).tolist() == [n * np.tanh(1.0)] * 2
    first = compiled.programs[-1].recording.calls[0]
    assert first.name == "check"
