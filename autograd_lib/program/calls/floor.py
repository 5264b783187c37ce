"""How much may go into recording: no more than programs bring (chapter 24)."""

from __future__ import annotations

from typing import Any

from autograd_lib.program.calls.guard import Guard
from autograd_lib.program.calls.program import GuardedProgram

FREE = 200
"""Recorded calls of NumPy, in all programs, that aren't worth counting."""
ALIKE = (1, 4)
"""How often a kind of call is missed again before a second, and a third, recording."""
OFTEN, SEVERAL = 4, 4
"""Uses of the last program after which another one is made, up to so many in all."""
WAITED = 0.1
"""Share of the time of calls without a program that may go into recording more."""


class Budget:
    """The time that one function's recordings took, and may take.

    Attributes:
        recordings: how many there were,
        spent: their seconds, and
        calls: the calls of NumPy in them.
        waited: seconds of calls that found no program.
        kind: what no program fitted in the last such call, and
        alike: how often that has been missed again.
    """

    def __init__(self) -> None:
        self.recordings, self.calls, self.alike = 0, 0, 0
        self.spent, self.waited = 0.0, 0.0
        self.kind: Any = None

    def is_open(self, programs: list[GuardedProgram]) -> bool:
        """Return whether another recording may be made, whatever the call.

        It may if programs have saved the time of all recordings with it, where a share
        of the time of calls without a program counts as well; and up to four in all, if
        the last program was used more often than four times.
        """
        if self.calls <= FREE:
            return True
        if self.recordings < SEVERAL and programs and programs[-1].uses > OFTEN:
            return True
        saved = sum(p.uses * p.saves for p in programs if p.uses > 1)
        spent = self.spent + sum(p.written_in for p in programs)
        allowed: float = saved + WAITED * self.waited
        return spent * (1 + 1 / self.recordings) <= allowed

    def is_alike(self, kind: Any) -> bool:
        """Return whether another recording may be made for a kind of call.

        A second and a third one may if calls of one kind go on to find no program. If
        each is of its own kind, no program would be used again.
        """
        self.alike = self.alike + 1 if kind == self.kind else 0
        self.kind = kind
        n = self.recordings
        return n <= len(ALIKE) and self.alike == ALIKE[n - 1]


def kind_of(call: Guard, programs: list[GuardedProgram], branch: str) -> Any:
    """Return what no program fits in a call: whatever its numbers are, but for those
    that the function branches on.
    """
    numbers = {path: type(x).__name__ for path, x in call.constants.items()}
    captures = programs[-1].captures if programs else []
    changed = [(k.name, k.now()) for k in captures if not k.holds()]
    found = [(k, x if type(x) is str else type(x)) for k, x in changed]
    return call.descriptions | numbers, found, branch
