"""How much time may go into recording: a share, or what programs save (chapter 22)."""

from __future__ import annotations

import time
from collections.abc import Callable

from autograd_lib.program.calls.program import GuardedProgram

FREE = 200
"""Recorded calls of NumPy, in all programs, that aren't worth counting."""
SHARE = 0.05
"""Share of the time of a function's calls that may go into more than one recording."""
clock: Callable[[], float] = time.perf_counter


class Budget:
    """The time that the programs of one function took, and may take.

    Attributes:
        clock: returns seconds.
        recordings: how many there were, and
        calls: the calls of NumPy in them.
        spent: seconds of recording, writing and verifying.
        worked: seconds of all calls besides, and
        lost: of programs that ran in vain, as the function takes another branch.
    """

    def __init__(self) -> None:
        self.clock = clock
        self.recordings, self.calls = 0, 0
        self.spent, self.worked, self.lost = 0.0, 0.0, 0.0

    def allows(self, programs: list[GuardedProgram]) -> bool:
        """Return whether there is time for another recording, or for writing one.

        There is if what was spent, with as much again as for a recording before, is
        less than a share of all calls' time, and what programs have saved and lost.
        """
        if self.calls <= FREE:
            return True
        saved = sum(p.uses * p.saves for p in programs)
        more = self.spent / self.recordings
        allowed: float = saved + self.lost + SHARE * self.worked
        return self.spent + more <= allowed
