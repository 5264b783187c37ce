"""Ranges of the arguments of an exercise, for checks (chapter 00).

Simple inputs come first, so that the counterexample that a check shows is easy to think
about. The last inputs differ at each call, with all their digits, so that no table of
answers passes.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

SIMPLE = (0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0, 10.0, -10.0)
TRIALS = 100
UNFORESEEN = 25  # how many of these differ at each call
LARGE = 1e300  # beyond this, the width of a range may overflow


@dataclass(frozen=True)
class Inputs:
    """The range of one argument of an exercise: [low, high], or the integers in it."""

    low: float
    high: float
    whole: bool = False

    def simple(self) -> Sequence[float]:
        """Return the simple numbers in the range, simplest first."""
        if self.whole:
            low, high = math.ceil(self.low), math.floor(self.high)
            nearest = min(max(0, low), high)
            near = range(max(low, nearest - TRIALS), min(high, nearest + TRIALS) + 1)
            return sorted(near, key=lambda v: (abs(v), -v))[:TRIALS]
        return [v for v in SIMPLE if self.low <= v <= self.high] or [self.low]

    def drawn(self, rng: random.Random, rounded: bool = True) -> float:
        """Return a random number from the range; reals with few digits, or all."""
        if self.whole:
            return rng.randint(math.ceil(self.low), math.floor(self.high))
        number = rng.uniform(self.low, self.high)
        if rounded:
            number = round(number, 3 - math.floor(math.log10(self.high - self.low)))
        return min(self.high, max(self.low, number))


def reals(low: float, high: float) -> Inputs:
    """Return the range of the real numbers in [low, high], for an argument of a check.

    Raises:
        ValueError: if the range is empty or not finite.
    """
    return _range("reals", low, high, whole=False)


def integers(low: int, high: int) -> Inputs:
    """Return the range of the integers low … high, for an argument of a check.

    Raises:
        ValueError: if the range is empty or not finite.
    """
    return _range("integers", low, high, whole=True)


def _range(where: str, low: float, high: float, whole: bool) -> Inputs:
    if not -LARGE <= low < high <= LARGE:
        raise ValueError(
            f"{where}: low must be below high, and both finite, from {-LARGE:g} to "
            f"{LARGE:g}, got {low!r} and {high!r}"
        )
    if whole and math.ceil(low) > math.floor(high):
        raise ValueError(f"{where}: there is no integer from {low!r} to {high!r}")
    if whole:
        return Inputs(low, high, whole)
    return Inputs(float(low), float(high))  # the ends may be drawn too


def arguments(inputs: Sequence[Inputs]) -> list[tuple[float, ...]]:
    """Return up to `TRIALS` different arguments, simple ones first.

    They are the same every time, except the last `UNFORESEEN`. If the ranges have fewer
    than `TRIALS`, all of them are returned.
    """
    simple = list(itertools.islice(simplest([i.simple() for i in inputs]), TRIALS))
    if all(i.whole for i in inputs) and len(simple) < TRIALS:
        return simple
    found = dict.fromkeys(simple[: TRIALS // 2])
    for rng, rounded, number in (
        (random.Random(0), True, TRIALS - UNFORESEEN),
        (random.Random(), False, TRIALS),
    ):
        drawn = (tuple(i.drawn(rng, rounded) for i in inputs) for _ in range(1000))
        new = (args for args in dict.fromkeys(drawn) if args not in found)
        added = itertools.islice(new, number - len(found))
        found |= dict.fromkeys(sorted(added, key=lambda args: sum(map(abs, args))))
    return list(found)


def simplest(values: Sequence[Sequence[float]]) -> Iterator[tuple[float, ...]]:
    """Yield all combinations of one value from each sequence, simple ones first.

    A combination counts as simple if the sum of the indices of its values is small.
    """
    most = sum(len(v) - 1 for v in values)
    for total in range(most + 1):
        for places in with_sum([len(v) for v in values], total):
            yield tuple(v[i] for v, i in zip(values, places, strict=True))


def with_sum(lengths: Sequence[int], total: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways to choose a number below each length, with the given sum."""
    if not lengths:
        yield ()
        return
    first, *others = lengths
    most = sum(n - 1 for n in others)
    for i in range(max(0, total - most), min(first - 1, total) + 1):
        for rest in with_sum(others, total - i):
            yield i, *rest
