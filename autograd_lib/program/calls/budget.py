"""How much may go into recording: no more than programs bring (chapter 24)."""

from __future__ import annotations

from typing import Any

from autograd_lib.program.calls.guard import Guard
from autograd_lib.program.calls.program import GuardedProgram

QUICK = 0.016
"""Seconds of a recording that isn't worth counting."""
WAITED = 0.1
"""Share of the time of calls without a program that may go into recording more."""
ALIKE = (1, 4)
"""How often a kind of call is missed again before a second, and a third, recording."""


class Budget:
    """The time that one function's recordings took, and may take.

    Attributes:
        recordings: how many there were, and
        spent: their seconds.
        waited: seconds of calls that found no program.
        alike: how often the last kind of call has found none again.
    """

    def __init__(self) -> None:
        self.recordings, self.alike = 0, 0
        self.spent, self.waited = 0.0, 0.0
        self.quick, self.kind = True, None

    def record(self, seconds: float) -> None:
        """Note a recording."""
        self.recordings += 1
        self.spent, self.quick = self.spent + seconds, seconds < QUICK

    def is_open(self, programs: list[GuardedProgram]) -> bool:
        """Return whether another recording may be made, whatever the call.

        It may if the last one was quick, or if the last program was used again, up to
        six in all.
        """
        again = bool(programs) and programs[-1].uses > 1
        return self.quick or self.recordings == 0 or (self.recordings < 6 and again)

    def allows(self, call: Guard, programs: list[GuardedProgram]) -> bool:
        """Return whether another recording may be made for a call.

        A second and a third one may if calls of one kind go on to find no program;
        later ones as far as programs have saved their time, with a share of that of
        calls without one.
        """
        kind = kind_of(call, programs)
        self.alike = self.alike + 1 if kind == self.kind else 0
        self.kind = kind
        n = self.recordings
        if n <= len(ALIKE) and self.alike == ALIKE[n - 1]:
            return True
        saved = sum(p.uses * p.saves for p in programs)
        return self.spent <= saved + WAITED * self.waited


def kind_of(call: Guard, programs: list[GuardedProgram]) -> Any:
    """Return what no program fits in a call, whatever its numbers are."""
    numbers = {path: type(x).__name__ for path, x in call.constants.items()}
    captures = programs[-1].captures if programs else []
    changed = [(k.name, k.now()) for k in captures if not k.holds()]
    found = [(k, x if type(x) is str else type(x)) for k, x in changed]
    return call.descriptions | numbers, found
