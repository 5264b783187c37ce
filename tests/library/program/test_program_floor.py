"""Programs cost a share of a function's time, or what they save (chapter 22)."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property
from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from autograd_lib import functional
from autograd_lib.program import compile
from autograd_lib.program.calls import floor
from autograd_lib.program.calls.constant_or_input import Changing
from autograd_lib.program.calls.floor import FREE, QUICK, SHARE, Budget
from autograd_lib.program.calls.program import GuardedProgram

LONG = FREE // 2 + 1  # rounds of two calls of NumPy, which are worth counting
OWN = SimpleNamespace(rate=1.0)
CALLS = 200
CALL = 1e-3  # seconds
RECORDING = 8 * CALL
WRITING = RECORDING / 2
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
    """A clock by which a call of the function, recording and writing take their time.

    Attributes:
        now: its time.
        program: seconds of a program's run.
        recordings: how many there were.
    """

    def __init__(self) -> None:
        self.now, self.program, self.recordings = 0.0, CALL, 0

    def __call__(self) -> float:
        return self.now

    def function(self, *args: Any) -> Any:
        self.now += CALL
        return long(*args)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    run, recorded = GuardedProgram.run, Changing.recorded
    write = vars(GuardedProgram)["program"].func

    def running(self: Any, *args: Any) -> Any:
        clock.now += clock.program
        return run(self, *args)

    def recording(self: Any, _: Any, call: Any) -> Any:
        clock.now += RECORDING
        clock.recordings += 1
        return recorded(self, long, call)

    def writing(self: Any) -> Any:
        clock.now += WRITING
        return write(self)

    promises = property(lambda self: True)  # as of calculations with tensors
    monkeypatch.setattr(GuardedProgram, "promises", promises)
    written = cached_property(writing)
    written.__set_name__(GuardedProgram, "program")
    monkeypatch.setattr(GuardedProgram, "program", written)
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


ANEW = ("another shape at each call", "another number of rounds")


@pytest.mark.parametrize("takes", [0.5, 1.0, 1.5])
@pytest.mark.parametrize("name", KINDS)
def test_two_hundred_calls_take_a_tenth_more_at_most_besides_a_recording(
    name: str, takes: float, clock: Clock
) -> None:
    clock.program = takes * CALL
    compiled = compiled_by(clock)
    for i in range(CALLS):
        got, wanted = KINDS[name](compiled, i, 2), KINDS[name](long, i, 2)
        np.testing.assert_allclose(got, wanted, rtol=1e-12)
    assert clock.now <= 1.1 * CALLS * CALL + RECORDING
    if name == ANEW[0]:
        assert clock.now <= 1.1 * CALLS * CALL


@pytest.mark.parametrize("name", ANEW)
def test_what_fits_no_further_call_is_recorded_twice_at_most(
    name: str, clock: Clock
) -> None:
    compiled = compiled_by(clock)
    for i in range(CALLS):
        KINDS[name](compiled, i, 2)
    assert clock.recordings == 1 + ANEW.index(name)  # a number becomes an input
    assert sum(p.is_written for p in compiled.programs) == ANEW.index(name)


def test_after_eight_calls_that_were_too_costly_each_eighth_looks(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled, looked = compiled_by(clock), list[int]()
    missed = compiled._missed
    monkeypatch.setattr(
        compiled, "_missed", lambda *found: (looked.append(n), missed(*found))[1]
    )
    for n in range(1, 40):
        compiled(np.ones(n))
    first = looked.index(9)  # a recording, and eight for which another costs too much
    assert looked[first:] == [9, 17, 25, 33]
    for _ in range(16):  # the shape stays: two calls that look see it, and it is kept
        compiled(np.ones(50))
    assert clock.recordings == 2
    ran = [p.uses for p in compiled.programs]
    compiled(np.ones(50))
    assert sum(p.uses for p in compiled.programs) == sum(ran) + 1


@pytest.mark.parametrize("name", ["the same", "another factor"])
def test_what_fits_each_further_call_pays_at_once(name: str, clock: Clock) -> None:
    clock.program = CALL / 2
    compiled = compiled_by(clock)
    for i in range(CALLS):
        KINDS[name](compiled, i, 2)
    assert compiled.programs[-1].uses >= CALLS - 1
    assert clock.now <= 0.75 * CALLS * CALL


@pytest.mark.parametrize("name", ["the same", "another factor", "two shapes"])
def test_that_holds_for_measured_times_as_well(name: str) -> None:
    """In one of three trials, since the machine does other things as well."""
    trials = [measured(name) for _ in range(3)]
    assert min(late for late, _ in trials) <= 1.1 + 0.15, trials
    assert min(whole for _, whole in trials) <= 1.1 + 0.15, trials


def measured(name: str) -> tuple[float, float]:
    """Return ratios of times to the function's: late calls, and all but the first two.

    In the first two a program is recorded, and perhaps written.
    """
    compiled = compile(long)
    times: dict[Any, list[float]] = {long: [], compiled: []}
    for i in range(CALLS):
        for f, several in times.items():
            start = READ()
            KINDS[name](f, i, 1000)
            several.append(READ() - start)
    late = {f: np.median(several[CALLS // 2 :]) for f, several in times.items()}
    whole = {f: sum(several[2:]) for f, several in times.items()}
    return float(late[compiled] / late[long]), whole[compiled] / whole[long]


def test_another_recording_waits_until_there_is_time_for_it(clock: Clock) -> None:
    compiled = compiled_by(clock)
    calls = 0
    while len(compiled.programs) < 2:
        compiled(np.ones(2 + calls))
        calls += 1
    assert calls - 2 == pytest.approx(2 * RECORDING / CALL / SHARE, abs=1)
    assert compiled.reasons[1].endswith("cost more than programs have brought")
    assert not compiled.floor


def test_a_call_that_comes_again_is_recorded_before_its_time(clock: Clock) -> None:
    compiled = compiled_by(clock)
    for n in (2, 3, 4, 5, 3):
        compiled(np.ones(n))
        assert len(compiled.programs) == 1
    compiled(np.ones(3))
    assert len(compiled.programs) == 2
    for _ in range(2):  # one at a time
        compiled(np.ones(4))
    assert len(compiled.programs) == 2


def test_a_recording_is_paid_by_what_programs_have_saved() -> None:
    budget = Budget()
    budget.recordings, budget.calls = 4, FREE + 1
    budget.recorded = budget.spent = 2.4
    known: Any = SimpleNamespace(uses=10, saves=0.3, spent=0.0)
    assert budget.allows([known], None, False)  # 3 are saved, and 3 would be spent
    budget.spent += 0.1
    assert not budget.allows([known], None, False)
    assert budget.allows([known], None, True)
    budget.spent += 0.6  # more than is saved
    assert not budget.allows([known], None, True)
    budget.worked, budget.ran = 14.0, 10
    assert budget.allows([known], None, False)
    budget.calls, budget.worked = FREE, QUICK
    assert budget.allows([known], None, False)


def test_a_program_that_ran_in_vain_is_not_tried_for_long() -> None:
    budget = Budget()
    known: Any = SimpleNamespace(uses=0, saves=0.0, in_vain=True)
    budget.lost, budget.worked = 0.1, 3.9
    assert not budget.tries(known, [known])
    budget.worked = 4.1
    assert budget.tries(known, [known])
    budget.worked, known.in_vain = 0.0, False
    assert budget.tries(known, [known])


def test_a_program_that_is_slower_than_the_function_does_not_run_for_long(
    clock: Clock,
) -> None:
    clock.program = 1.2 * CALL
    compiled = compiled_by(clock)
    for _ in range(CALLS):
        compiled(np.ones(2))
    (program,) = compiled.programs
    assert program.uses == 8
    assert compiled.reasons[-1].endswith("its program takes longer than the function")
    assert not compiled.floor


def test_one_that_is_faster_runs_on(clock: Clock) -> None:
    clock.program = 0.9 * CALL
    compiled = compiled_by(clock)
    for _ in range(CALLS):
        compiled(np.ones(2))
    assert compiled.programs[0].uses == CALLS


def test_calls_of_numpy_alone_are_written_when_there_is_time() -> None:
    compiled, calls = compile(lambda x: np.tanh(x) * 0.5), 0
    ticks = count()
    compiled._budget.clock = lambda: float(next(ticks))  # whatever is timed takes one
    while not (compiled.programs and compiled.programs[0].is_written):
        compiled(np.ones(2))
        calls += 1
    assert 1 < calls <= 2 / SHARE


def test_a_program_is_written_when_it_is_used_again() -> None:
    compiled = compile(functional.grad(lambda x: np.sum(long(x))))
    for written in (False, True):
        compiled(np.ones(2))
        assert compiled.programs[0].is_written == written


def test_a_program_that_is_used_in_turn_with_others_is_written_later(
    clock: Clock,
) -> None:
    compiled = compiled_by(clock)
    compiled(np.ones(2))
    for n in (3, 2, 4, 2, 5, 2):
        assert compiled(np.ones(n)).shape == (n,)
        assert not compiled.programs[0].is_written
    compiled(np.ones(2))
    assert compiled.programs[0].is_written


def test_a_program_of_other_rounds_fails_before_it_calculates() -> None:
    compiled = compile(lambda x, n: sum(np.tanh(x) for _ in range(n)))
    for n in (3, 4, 5):
        assert compiled(np.ones(2), n).tolist() == [n * np.tanh(1.0)] * 2
    first = compiled.programs[-1].recording.calls[0]
    assert first.name == "check"
