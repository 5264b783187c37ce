"""How much may go into recording: no more than programs bring (chapter 24)."""

from __future__ import annotations

from typing import Any

from autograd_lib.program.calls.guard import Guard
from autograd_lib.program.calls.program import GuardedProgram

FREE = 200
"""Recorded calls of NumPy, in all programs, that aren't worth counting."""
WAITED = 0.1
"""Share of the time of calls without a program that may go into recording more."""


class Budget:
    """The time that one function's recordings took, and may take.

    Attributes:
        recordings: how many there were,
        spent: their seconds, and
        calls: the calls of NumPy in them.
        waited: seconds of calls that found no program.
        kind: what no program fitted in the last such call.
    """

    def __init__(self) -> None:
        self.recordings, self.calls = 0, 0
        self.spent, self.waited = 0.0, 0.0
        self.kind: Any = None

    def is_open(self, programs: list[GuardedProgram]) -> bool:
        """Return whether another recording may be made, whatever the call.

        It may if programs have saved the time of all recordings with it. A share of
        the time of calls without a program counts as well.
        """
        if self.calls <= FREE:
            return True
        saved = sum(p.uses * p.saves for p in programs if p.uses > 1)
        spent = self.spent + sum(p.written_in for p in programs)
        allowed: float = saved + WAITED * self.waited
        return spent * (1 + 1 / self.recordings) <= allowed

    def is_alike(self, kind: Any) -> bool:
        """Return whether a second recording may be made for a kind of call.

        It may if the last call that found no program was of that kind. If each is of
        its own, no program would be used again.
        """
        again, self.kind = kind == self.kind, kind
        return bool(again)


def kind_of(call: Guard, programs: list[GuardedProgram], branch: str) -> Any:
    """Return what no program fits in a call: whatever its numbers are, but for those
    that the function branches on.
    """
    numbers = {path: type(x).__name__ for path, x in call.constants.items()}
    captures = programs[-1].captures if programs else []
    changed = [(k.name, k.now()) for k in captures if not k.holds()]
    found = [(k, x if type(x) is str else type(x)) for k, x in changed]
    return call.descriptions | numbers, found, branch
