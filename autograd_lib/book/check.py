"""Instant checks for exercises (chapter 00).

A check knows a property, not an answer: what the reader's function returns is compared,
on a hundred inputs, with what another way of computing it gives (a difference
quotient, a formula, a slower method). It tries simple inputs first, so that the
counterexample it shows is one to think about.
"""

from __future__ import annotations

import cmath
import dis
import itertools
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

SIMPLE = (0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0, 10.0, -10.0)
TRIALS = 100


@dataclass(frozen=True)
class Inputs:
    """Where one argument of an exercise is taken from: [low, high], or its integers."""

    low: float
    high: float
    whole: bool = False

    def simple(self) -> Sequence[float]:
        """Return the simple numbers in the range, simplest first."""
        if self.whole:
            whole = range(math.ceil(self.low), math.floor(self.high) + 1)
            return sorted(whole, key=lambda v: (abs(v), -v))[:TRIALS]
        return [v for v in SIMPLE if self.low <= v <= self.high] or [self.low]

    def drawn(self, rng: random.Random) -> float:
        """Return a number from the range, at random; reals with few digits."""
        if self.whole:
            return rng.randint(int(self.low), int(self.high))
        digits = 3 - math.floor(math.log10(self.high - self.low))
        number = round(rng.uniform(self.low, self.high), digits)
        return min(self.high, max(self.low, number))


def reals(low: float, high: float) -> Inputs:
    """Take an argument of a check from the real numbers in [low, high].

    Raises:
        ValueError: if the range is empty or not finite.
    """
    return _range("reals", low, high, whole=False)


def integers(low: int, high: int) -> Inputs:
    """Take an argument of a check from the integers low … high.

    Raises:
        ValueError: if the range is empty or not finite.
    """
    return _range("integers", low, high, whole=True)


def _range(where: str, low: float, high: float, whole: bool) -> Inputs:
    if not -math.inf < low < high < math.inf:
        raise ValueError(
            f"{where}: low must be below high, and both finite, got {low!r} and "
            f"{high!r}"
        )
    return Inputs(low, high, whole)


@dataclass(frozen=True)
class Verdict:
    """What a check found: `status` is "○" (not attempted), "✗" or "✓"."""

    status: str
    message: str

    def __repr__(self) -> str:
        return f"{self.status} {self.message}"

    @property
    def passed(self) -> bool:
        """Whether the exercise is solved."""
        return self.status == "✓"


def check(
    attempt: Any,
    expected: Callable[..., Any],
    *inputs: Inputs,
    via: Callable[..., Any] | None = None,
    tolerance: float = 1e-6,
) -> Verdict:
    """Compare an attempt at an exercise with a property that a right answer has.

    Args:
        attempt: the reader's function.
        expected: ``expected(*args)`` returns what ``attempt(*args)`` should.
        inputs: where each argument comes from, `reals(low, high)` or `integers(…)`.
        via: if given, ``via(attempt, *args)`` is compared instead: how to use the
            attempt to get a number.
        tolerance: the relative error allowed, also absolute below 1. The default
            leaves room for a central difference, whose error is near 1e-10.

    Returns:
        ○ as long as the attempt is a stub, ✗ with the first input on which it is
        wrong, simple ones first, or ✓.

    Raises:
        TypeError: if no inputs are given.
        ValueError: if a constant would pass, because every expected answer is equal.

    >>> check(lambda x: 2 * x, lambda x: x + x, reals(-3, 3))
    ✓ agrees on 100 inputs
    >>> check(lambda x: x * x, lambda x: x + x, reals(-3, 3))
    ✗ at (1): got 1, expected 2
    """
    if not inputs:
        raise TypeError("check: name where each argument comes from, reals(low, high)")
    samples = arguments(inputs)
    answers = [expected(*args) for args in samples]
    # A constant between two answers is as near as `tolerance` to both.
    if all(same(answer, answers[0], 3 * tolerance) for answer in answers):
        raise ValueError(
            f"check: every expected answer is {shown(answers[0])}, so a constant would "
            "pass; widen the inputs"
        )
    if attempt is ... or empty(attempt):
        return Verdict("○", "not attempted yet: put your code in place of the dots")
    for args, answer in zip(samples, answers, strict=True):
        at = f"at ({', '.join(shown(a) for a in args)})"
        try:
            got = attempt(*args) if via is None else via(attempt, *args)
        except Exception as error:  # whatever the reader's code does is an answer
            return Verdict("✗", f"{at}: {type(error).__name__}: {error}")
        if got is None and answer is not None:
            return Verdict("✗", f"{at}: got None; is a return missing?")
        if not same(got, answer, tolerance):
            return Verdict("✗", f"{at}: got {shown(got)}, expected {shown(answer)}")
    return Verdict("✓", f"agrees on {len(samples)} inputs")


def empty(attempt: Any) -> bool:
    """Whether a function's body is still only a docstring and dots."""
    code = getattr(attempt, "__code__", None)
    if code is None:
        return False
    steps = list(dis.get_instructions(code))
    does_nothing = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE"}
    return {step.opname for step in steps} <= does_nothing and all(
        step.argval in (None, ...) for step in steps if "CONST" in step.opname
    )


def arguments(inputs: Sequence[Inputs]) -> list[tuple[float, ...]]:
    """Return up to `TRIALS` different arguments, simple first, the same every time."""
    simple = list(itertools.product(*(i.simple() for i in inputs)))
    ranks = [{v: r for r, v in enumerate(i.simple())} for i in inputs]
    simple.sort(key=lambda args: sum(r[a] for r, a in zip(ranks, args, strict=True)))
    exhaustive = all(i.whole for i in inputs) and len(simple) < TRIALS
    simple = simple if exhaustive else simple[: TRIALS // 2]
    rng = random.Random(0)
    drawn = (tuple(i.drawn(rng) for i in inputs) for _ in range(10 * TRIALS))
    different = dict.fromkeys(itertools.chain(simple, drawn))
    rest = itertools.islice(different, len(simple), TRIALS)
    return simple + sorted(rest, key=lambda args: sum(map(abs, args)))


def same(got: Any, expected: Any, tolerance: float) -> bool:
    """Whether two answers agree: numbers and arrays up to `tolerance`, others exactly.

    Sequences agree element by element; nan agrees with nan.
    """
    if isinstance(expected, str | bool | None) or isinstance(got, str | None):
        return type(got) is type(expected) and bool(got == expected)
    # NumPy's arrays and numbers as Python's; two arrays have one shape as well.
    shapes = {v.shape for v in (got, expected) if hasattr(v, "tolist")}
    a, b = (v.tolist() if hasattr(v, "tolist") else v for v in (got, expected))
    if isinstance(a, Sequence) and isinstance(b, Sequence):
        fits = len(shapes) < 2 and len(a) == len(b)
        return fits and all(same(*pair, tolerance) for pair in zip(a, b, strict=True))
    try:
        x, y = complex(a), complex(b)
    except (TypeError, ValueError, OverflowError):  # not numbers, or beyond floats
        return type(got) is type(expected) and bool(got == expected)
    if not (cmath.isfinite(x) and cmath.isfinite(y)):
        return x == y or (cmath.isnan(x) and cmath.isnan(y))
    return abs(x - y) <= tolerance * (1 + abs(y))


def shown(value: Any) -> str:
    """Return how a verdict shows an input or an answer."""
    if getattr(value, "ndim", None) == 0:  # a number of NumPy
        value = value.item()
    if isinstance(value, float):
        return f"{value + 0.0:.6g}"  # -0.0 + 0.0 is 0.0
    if isinstance(value, tuple | list):
        inside = ", ".join(map(shown, value))
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    text = repr(value)
    return f"a {type(value).__name__}" if " object at 0x" in text else text
