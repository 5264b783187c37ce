"""Errors for ranks that differ, instead of a deadlock or a wrong sum (chapter 24).

Before it communicates, each rank tells its partners what it is about to do, and
compares that with theirs. A rank that raises tells all others, so every rank gets the
error.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from autograd_lib.checkpointing.samples import weighted

PACKAGE = str(Path(__file__).resolve().parent.parent)
PATIENCE = 20.0  # seconds; a partner may still be calculating
EAGER = 0.001  # seconds in which a rank polls without pauses


class RanksDiffer(RuntimeError):
    """Ranks were about to do different things, or one did not arrive in time."""


@dataclass(frozen=True)
class Intent:
    """The operation that a rank is about to do.

    Attributes:
        operation: its name, such as ``sum_of_all``, the same for all partners.
        numbers: shapes and dtype, as far as they have to agree.
        line: the line from which all must call it; "" if lines may differ.
        place: the line from which this rank calls it.
        content: of an array that all ranks should hold alike, a few sums, and the size
            of the differences that rounding may make; () for others.
    """

    operation: str
    numbers: str
    line: str
    place: str = field(compare=False)
    content: tuple[float, ...] = field(default=(), compare=False)

    def agrees(self, other: Intent) -> bool:
        """Return whether another rank is about to do the same, with the same array."""
        if self != other:
            return False
        with np.errstate(invalid="ignore"):  # infinity from infinity
            apart = np.abs(np.subtract(self.content[:-1], other.content[:-1]))
        return not (apart > max((*self.content[-1:], *other.content[-1:], 0))).any()

    def __str__(self) -> str:
        of = f" of {self.numbers}" if self.numbers else ""
        return f"{self.operation}{of} at {self.place}"


class Checker:
    """Compares the operations that ranks are about to do.

    Args:
        communicator: MPI's communicator; the checks use a duplicate of it.
    """

    def __init__(self, communicator: Any) -> None:
        self.ranks = communicator.Dup()
        self.me: int = communicator.Get_rank()
        self.patience = PATIENCE

    def agree(self, mine: Intent, partners: Iterable[int]) -> None:
        """Return once all partners are about to do the same.

        Raises:
            RanksDiffer: if one is about to do something else or does not come within
                `patience` seconds. It names both sides.
        """
        asked = [r for r in partners if r != self.me]
        sent = [self.ranks.isend(mine, r) for r in asked]
        waiting = {r: self.ranks.irecv(source=r) for r in asked}
        began = time.monotonic()
        while waiting:
            for rank in sorted(waiting):
                came, theirs = waiting[rank].test()
                if came:
                    del waiting[rank]
                    if not mine.agrees(theirs):
                        self._stop(mine, asked, self._unlike(rank, mine, theirs))
            spent = time.monotonic() - began
            if waiting and spent > self.patience:
                late = ", ".join(map(str, sorted(waiting)))
                why = f"rank {late} did not come within {self.patience:g} s"
                self._stop(mine, asked, f"rank {self.me} is in {mine}, and {why}")
            if spent > EAGER:
                time.sleep(EAGER / 10)
        for request in sent:
            request.wait()

    def _unlike(self, rank: int, mine: Intent, theirs: Intent) -> str:
        sides = sorted([(self.me, mine), (rank, theirs)], key=lambda side: side[0])
        if mine == theirs:  # of arrays, whose numbers differ
            return (
                f"ranks {sides[0][0]} and {sides[1][0]} are in {mine}, a shared array, "
                "with different numbers"
            )
        return ", but ".join(f"rank {r} is in {intent}" for r, intent in sides)

    def _stop(self, mine: Intent, asked: list[int], why: str) -> None:
        others = set(range(self.ranks.Get_size())) - {self.me, *asked}
        for rank in others:  # they may wait for this rank later
            self.ranks.isend(mine, rank)
        raise RanksDiffer(
            f"{why}. All ranks have to do the same, in the same order, with arrays of "
            "the same shape and type; look for a branch, a length, or the order of a "
            "set, that depends on the rank"
        )


def content_of(a: np.ndarray) -> tuple[float, ...]:
    """Return what `Intent.content` is for an array."""
    kind: Any = a.dtype if a.dtype.kind in "fc" else np.dtype(float)
    sums, size = weighted(a)
    near = 10 * float(np.finfo(kind).eps) ** 0.5 * size
    parts = [float(part) for s in sums for part in (s.real, s.imag)]
    return (*parts, size, near)


def place() -> str:
    """Return the file and line of the innermost caller outside this package."""
    frame: Any = sys._getframe(1)
    while frame.f_back and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    return f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
