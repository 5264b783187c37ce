"""Recording costs a share of a function's time, or what programs save (chapter 22)."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from autograd_lib.program import compile
from autograd_lib.program.calls import floor
from autograd_lib.program.calls.constant_or_input import Changing
from autograd_lib.program.calls.floor import FREE, SHARE, Budget
from autograd_lib.program.calls.program import GuardedProgram

LONG = FREE // 2 + 1  # rounds of two calls of NumPy, which are worth counting
OWN = SimpleNamespace(rate=1.0)
CALLS = 200
RECORDING = 8.0  # seconds, where a call takes one
READ: Callable[[], float] = getattr(time, "thread_time", time.process_time)


def long(x: Any, rounds: int = LONG, factor: float = 0.5) -> Any:
    for _ in range(rounds):
        x = np.tanh(x) * factor
    return x * OWN.rate


def with_rate(f: Any, n: int, rate: float) -> Any:
    OWN.rate = rate
    return f(np.ones(n))


KINDS: dict[str, Any] = {
    "the same": lambda f, i, n: f(np.ones(n)),
    "another shape at each call": lambda f, i, n: f(np.ones(n + i)),
    "another number of rounds": lambda f, i, n: f(np.ones(n), LONG + i % 40),
    "few numbers of rounds": lambda f, i, n: f(np.ones(n), LONG + i * 7 % 5),
    "another factor": lambda f, i, n: f(np.ones(n), LONG, 0.1 * i),
    "another number that is found": lambda f, i, n: with_rate(f, n, 0.1 * i),
    "two shapes": lambda f, i, n: f(np.ones(n + (i % 5 > 0))),
}


class Clock:
    """A clock by which a call of the function takes a second, and a recording eight.

    Attributes:
        now: its time.
        program: seconds of a program's run.
    """

    def __init__(self) -> None:
        self.now, self.program = 0.0, 1.0

    def __call__(self) -> float:
        return self.now

    def function(self, *args: Any) -> Any:
        self.now += 1.0
        return long(*args)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    run, recorded = GuardedProgram.run, Changing.recorded

    def running(self: Any, *args: Any) -> Any:
        clock.now += clock.program
        return run(self, *args)

    def recording(self: Any, _: Any, call: Any) -> Any:
        clock.now += RECORDING
        return recorded(self, long, call)

    monkeypatch.setattr(GuardedProgram, "run", running)
    monkeypatch.setattr(Changing, "recorded", recording)
    return clock


def compiled_by(clock: Clock) -> Any:
    """Return the compiled function, whose runs take time of the clock."""
    compiled = compile(clock.function)
    compiled._budget.clock = clock
    return compiled


@pytest.fixture(autouse=True)
def real_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floor, "clock", time.perf_counter)


@pytest.mark.parametrize("takes", [0.5, 1.0])
@pytest.mark.parametrize("name", KINDS)
def test_two_hundred_calls_take_a_tenth_more_at_most_besides_a_recording(
    name: str, takes: float, clock: Clock
) -> None:
    clock.program = takes
    compiled = compiled_by(clock)
    for i in range(CALLS):
        got, wanted = KINDS[name](compiled, i, 2), KINDS[name](long, i, 2)
        np.testing.assert_allclose(got, wanted, rtol=1e-12)
    assert clock.now <= 1.1 * CALLS + RECORDING


@pytest.mark.parametrize("name", ["the same", "another factor", "two shapes"])
def test_that_holds_for_measured_times_as_well(name: str) -> None:
    compiled = compile(long)
    times: dict[Any, list[float]] = {long: [], compiled: []}
    for i in range(CALLS):
        for f, several in times.items():
            start = READ()
            KINDS[name](f, i, 1000)
            several.append(READ() - start)
    first = sum(times[compiled][:2])  # recorded, and perhaps written
    late = {f: np.median(several[CALLS // 2 :]) for f, several in times.items()}
    allowed = 1.1 + 0.15  # as the machine does other things, too
    assert late[compiled] <= allowed * late[long]
    assert sum(times[compiled]) - first <= allowed * sum(times[long])


def test_another_recording_waits_until_there_is_time_for_it(clock: Clock) -> None:
    compiled = compiled_by(clock)
    compiled(np.ones(2))
    calls = 0
    while len(compiled.programs) == 1:
        compiled(np.ones(3))
        calls += 1
    assert calls - 1 == pytest.approx(2 * RECORDING / SHARE, abs=1)
    assert compiled.reasons[1].endswith("cost more than programs have brought")
    assert not compiled.floor


def test_a_recording_is_paid_by_what_programs_have_saved() -> None:
    budget = Budget()
    budget.recordings, budget.calls, budget.spent = 4, FREE + 1, 2.4
    known: Any = SimpleNamespace(uses=10, saves=0.3)
    assert budget.allows([known])  # 3 seconds are saved, and 3 would be spent
    budget.spent += 0.1
    assert not budget.allows([known])
    budget.worked = 3.0
    assert budget.allows([known])
    budget.calls, budget.worked = FREE, 0.0
    assert budget.allows([known])


def test_a_program_is_written_when_it_is_used_again() -> None:
    compiled = compile(long)
    for written in (False, True):
        compiled(np.ones(2))
        assert compiled.programs[0].is_written == written


def test_a_program_that_is_used_in_turn_with_others_is_written_later(
    clock: Clock,
) -> None:
    compiled = compiled_by(clock)
    compiled(np.ones(2))
    for _ in range(4):
        compiled(np.ones(3))
        assert compiled(np.ones(2)).shape == (2,)
        assert not compiled.programs[0].is_written
    compiled(np.ones(2))
    assert compiled.programs[0].is_written


def test_a_program_of_other_rounds_fails_before_it_calculates() -> None:
    compiled = compile(lambda x, n: sum(np.tanh(x) for _ in range(n)))
    for n in (3, 4, 5):
        assert compiled(np.ones(2), n).tolist() == [n * np.tanh(1.0)] * 2
    first = compiled.programs[-1].recording.calls[0]
    assert first.name == "check"
