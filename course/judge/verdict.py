"""What became of one answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    """What became of an answer, its points, and what a student is told.

    `section` is where the book explains the check that failed, if one did, and `case`
    is, of a check that students have, its input, what came, and what is right.
    """

    status: str
    points: float = 0.0
    message: str = ""
    section: str = ""
    case: Sequence[str] = ()
