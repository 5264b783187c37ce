"""How much time programs may take: a share, or what they save (chapter 22)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from autograd_lib.program.calls.program import GuardedProgram

FREE = 200
"""Recorded calls of NumPy, in all programs of a quick function, that aren't counted."""
QUICK = 1e-4
"""Seconds that a call of a quick function takes."""
SHARE = 0.05
"""Share of the time of a function's calls that may go into programs."""
CALLS = 200
"""Calls that are expected of a function."""
clock: Callable[[], float] = time.perf_counter


class Budget:
    """The time that the programs of one function took, and may take.

    Attributes:
        clock: returns seconds.
        recordings: how many there were,
        recorded: the seconds that they took, and
        calls: the calls of NumPy in them.
        spent: seconds of recording, writing and verifying.
        ran: how many calls ran the function or a program, and
        worked: their seconds.
        least: seconds of the function's fastest run.
        lost: seconds of programs that ran in vain, as the function takes another
            branch.
    """

    def __init__(self) -> None:
        self.clock = clock
        self.recordings, self.calls, self.ran = 0, 0, 0
        self.recorded, self.spent, self.worked, self.lost = 0.0, 0.0, 0.0, 0.0
        self.least = math.inf

    def took(self, seconds: float, calls: int = 1) -> None:
        """Note the time of a call, which stands for several that aren't timed."""
        self.ran += calls
        self.worked += calls * seconds

    @property
    def share(self) -> float:
        """The share of the time of calls, of those so far or those expected."""
        least = self.least if self.least < math.inf else 0.0
        return SHARE * max(self.worked, CALLS * least)

    def allows(
        self, programs: list[GuardedProgram], new: GuardedProgram | None, hope: bool
    ) -> bool:
        """Return whether there is time for another recording, or for writing a `new`
        one, which may take as long as a recording before did.

        If there is hope that it will fit further calls, one at a time may also be owed:
        then programs have saved what was spent on all others but the first.
        """
        if new is None and self.calls <= FREE and self.worked <= QUICK * self.ran:
            return True
        saved, more = saved_by(programs), self.recorded / max(1, self.recordings)
        if self.spent + more <= saved + self.share + self.lost:
            return True
        owed = sum(p.spent for p in programs[:1] if p is not new)
        owed += 0.0 if new is None else new.spent
        return hope and self.spent - owed <= saved

    def tries(self, program: GuardedProgram, programs: list[GuardedProgram]) -> bool:
        """Return whether to run a program that may run in vain, as the last time."""
        allowed = (saved_by(programs) + self.share) / 2
        return not program.in_vain or self.lost <= allowed


def saved_by(programs: list[GuardedProgram]) -> float:
    """Return how many seconds programs have saved, as far as is known."""
    return sum(p.uses * p.saves for p in programs)
