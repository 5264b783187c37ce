"""Slopes of a function's results along a direction, without rules (chapter 11).

The reference value of a gradient check must not come from a rule. The function is
called with constants, which record nothing, and only its values are used: by a complex
step, which is exact up to rounding but wrong for functions that aren't analytic, such
as `abs`; and by central differences, which are less accurate but work for all
functions. The complex step is used if the differences agree with it, within their own
error.

The error of a difference is estimated: half the step shows the truncation error, and
the part of five neighbouring values that no smooth curve has is noise.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.scalar.numerical import COMPLEX_STEP, EPSILON

COMPLEX, CENTRAL = "complex step", "central difference"
EXACT, GOOD = 0.5e-9, 1e-6  # errors of slopes: half of the tolerance, and all of it
ROUGHEST = 1e-2  # error above which differences are no reference
KINK = 1e-3  # the smallest difference between the slopes of the two sides
# Factors of the usual step, which is too long for log near 0, and too short for large
# results, whose rounding error is divided by it.
STEPS = (1.0, 1e-3, 1e-6, 10.0, 100.0, 1000.0)

Function = Callable[..., Any]
Arrays = Sequence[np.ndarray]


@dataclass(frozen=True)
class Slopes:
    """The slope of each element of the outputs along a direction.

    Each array has an element for each of these, one output after the other.

    Attributes:
        values: the slopes.
        errors: the estimated errors of differences; infinite if there are none.
        left: the differences to the left and
        right: to the right, which differ at a kink.
        kinks: where they differ.
        by: `COMPLEX` or `CENTRAL`.
        blind: the slopes by a complex step, if the differences disagree.
    """

    values: np.ndarray
    errors: np.ndarray
    left: np.ndarray
    right: np.ndarray
    kinks: np.ndarray
    by: str = CENTRAL
    blind: np.ndarray | None = None

    @property
    def size(self) -> np.ndarray:
        """The scale of errors: the absolute slopes, at least 1."""
        return np.asarray(np.maximum(1.0, np.abs(self.values)))

    @property
    def unknown(self) -> np.ndarray:
        """Which elements have no reference: at a kink, or with too large an error."""
        largest = self.size.max(initial=1.0)
        return np.asarray(self.kinks | ~(self.errors <= ROUGHEST * largest))

    @property
    def good(self) -> bool:
        """Whether the differences are accurate enough without another step."""
        return bool((self.errors <= GOOD * self.size).all() and not self.kinks.any())


def reference_slopes(f: Function, at: Arrays, direction: Arrays) -> Slopes:
    """Return the slopes of the outputs of `f` along a direction.

    Args:
        f: takes tensors and returns one or several.
        at: the arrays to call it with.
        direction: an array for each of them.
    """
    here = flat(values(f, at))
    exact = complex_slopes(f, at, direction)
    first, *others = steps(at, direction)
    best = difference(f, at, direction, first, here)
    for h in others:
        if best.good:
            break
        best = the_better(best, difference(f, at, direction, h, here))
    if exact is not None and agree(exact, best):
        return replace(best, values=exact, errors=np.zeros(exact.shape), by=COMPLEX)
    return replace(best, blind=exact)


def steps(at: Arrays, direction: Arrays) -> list[float]:
    """Return the steps to try for differences.

    The first one balances truncation, which grows as h², with the rounding of x + h,
    which grows as ε·x/h.
    """
    usual = (EPSILON * max(1.0, largest(at, direction))) ** (1 / 3)
    return [usual * times for times in STEPS]


def largest(at: Arrays, direction: Arrays) -> float:
    """Return the size of the largest element that a direction changes."""
    moving = [np.abs(x[v != 0]) for x, v in zip(at, direction, strict=True)]
    return max((float(x.max()) for x in moving if x.size), default=0.0)


def difference(
    f: Function, at: Arrays, direction: Arrays, h: float, here: np.ndarray
) -> Slopes:
    """Return central differences of step h/2, with an estimate of their errors."""

    def moved(by: float) -> np.ndarray:
        return flat(values(f, [x + by * v for x, v in zip(at, direction, strict=True)]))

    with np.errstate(all="ignore"):
        a, b, d, e = moved(-h), moved(-h / 2), moved(h / 2), moved(h)
        far, near = (e - a) / (2 * h), (d - b) / h
        left, right = (here - b) / (h / 2), (d - here) / (h / 2)
        noise = np.maximum(
            np.abs(a - 4 * b + 6 * here - 4 * d + e) / 8, 2 * EPSILON * np.abs(here)
        )
        of_x = EPSILON * largest(at, direction) / h * np.abs(near)  # from rounding x
        errors = np.abs(near - far) + 4 * noise / h + of_x
        parts = np.abs(right - left)
        kinks = (
            (parts > 0.8 * np.abs(e - 2 * here + a) / h)  # half of it if f is smooth
            & (parts > KINK * np.maximum(1.0, np.maximum(np.abs(left), np.abs(right))))
            & (parts > 64 * EPSILON * np.abs(here) / h)
        )
    lost = ~np.isfinite(errors)
    return Slopes(
        np.where(lost, 0.0, near), np.where(lost, np.inf, errors), left, right, kinks
    )


def the_better(a: Slopes, b: Slopes) -> Slopes:
    """Return `b` for elements where its error is smaller and it agrees, else `a`.

    If it does not agree, its step was too short to change a number, or so long that it
    led across several waves.
    """
    both = 4 * (a.errors + b.errors)
    take = (b.errors < a.errors) & (np.abs(a.values - b.values) <= both)
    names = [field.name for field in fields(Slopes)[:5]]
    merged = {n: np.where(take, getattr(b, n), getattr(a, n)) for n in names}
    return Slopes(**merged)


def agree(exact: np.ndarray, rough: Slopes) -> bool:
    """Return whether a complex step agrees with differences, within their error."""
    if rough.unknown.any():
        return False
    allowed = EXACT * rough.size + 4 * rough.errors
    return bool((np.abs(exact - rough.values) <= allowed).all())


def complex_slopes(f: Function, at: Arrays, direction: Arrays) -> np.ndarray | None:
    """Return the slopes by a complex step, or None if `f` refuses complex numbers.

    An output that is real has slope 0, or has lost its imaginary part.
    """
    moved = [x + 1j * COMPLEX_STEP * v for x, v in zip(at, direction, strict=True)]
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("error", np.exceptions.ComplexWarning)
            return flat([np.imag(y) / COMPLEX_STEP for y in values(f, moved)])
    except Exception:  # f may fail in any way for complex numbers
        return None


def values(f: Function, at: Arrays) -> list[np.ndarray]:
    """Return copies of the results of `f` for constants, as arrays."""
    return [y.detach().numpy().copy() for y in outputs(f(*map(Tensor, at)))]


def flat(arrays: Arrays) -> np.ndarray:
    """Return the elements of arrays in one row."""
    return np.concatenate([np.ravel(a) for a in arrays]) if arrays else np.zeros(0)


def outputs(result: Any) -> list[Tensor]:
    """Return a function's result as a list of tensors.

    Raises:
        TypeError: if it isn't a tensor, or a tuple or list of these.
    """
    several = list(result) if isinstance(result, tuple | list) else [result]
    for y in several:
        if not isinstance(y, Tensor):
            raise TypeError(
                f"check: the function returned {type(y).__name__}, which carries no "
                "gradient; it must return a tensor, or a tuple of tensors"
            )
    return several
