"""How fast a function's results move along a direction, through no rule (chapter 14).

The reference value of a gradient check may come from no rule. The function is called
with constants, which record nothing, and only the numbers that come out are used: by a
complex step, which is exact to rounding but blind to what is not analytic, such as
`abs`; and by central differences, which are rough but blind to nothing. The complex
step is used where the differences agree with it, to within their own error.

A difference says how large its error is: half the step tells what the length of the
step does, and what five points in a row have that no smooth curve has is noise.
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
EXACT, GOOD = 0.5e-9, 1e-6  # errors of slopes: half of what is tolerated, and all
ROUGHEST = 1e-2  # above which differences are no reference
KINK = 1e-3  # how far the slopes of the two sides part, at least
# Times the usual step, which is too long for log near 0, and too short for large
# results, whose rounding it divides.
STEPS = (1.0, 1e-3, 1e-6, 10.0, 100.0, 1000.0)

Function = Callable[..., Any]
Arrays = Sequence[np.ndarray]


@dataclass(frozen=True)
class Slopes:
    """How fast each element of the outputs moves along a direction.

    Each array has an element for each of these, one output after the other.

    Attributes:
        values: the slopes.
        errors: how far a difference may be off; infinite where there is none.
        left: the differences to the left and
        right: to the right, which part at a kink.
        kinks: where they do.
        by: `COMPLEX` or `CENTRAL`.
        blind: what a complex step gave, if it is not what the differences gave.
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
        """What errors are compared with: the slopes, and 1 for those below."""
        return np.asarray(np.maximum(1.0, np.abs(self.values)))

    @property
    def unknown(self) -> np.ndarray:
        """Where a kink, or an error as large as the slopes, leaves no reference."""
        largest = self.size.max(initial=1.0)
        return np.asarray(self.kinks | ~(self.errors <= ROUGHEST * largest))

    @property
    def good(self) -> bool:
        """Whether the differences need no other step."""
        return bool((self.errors <= GOOD * self.size).all() and not self.kinks.any())


def reference_slopes(f: Function, at: Arrays, direction: Arrays) -> Slopes:
    """Return how fast the outputs of `f` move along a direction.

    Args:
        f: takes tensors and returns one or several.
        at: the arrays to call it with.
        direction: an array for each of these.
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
    """Return steps for differences.

    The first balances truncation, which grows as h², with the rounding of x + h, which
    grows as ε·x/h.
    """
    usual = (EPSILON * max(1.0, largest(at, direction))) ** (1 / 3)
    return [usual * times for times in STEPS]


def largest(at: Arrays, direction: Arrays) -> float:
    """Return the size of the largest element that a direction moves."""
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
        of_x = EPSILON * largest(at, direction) / h * np.abs(near)  # which is rounded
        errors = np.abs(near - far) + 4 * noise / h + of_x
        parts = np.abs(right - left)
        kinks = (
            (parts > 0.8 * np.abs(e - 2 * here + a) / h)  # half of it where smooth
            & (parts > KINK * np.maximum(1.0, np.maximum(np.abs(left), np.abs(right))))
            & (parts > 64 * EPSILON * np.abs(here) / h)
        )
    lost = ~np.isfinite(errors)
    return Slopes(
        np.where(lost, 0.0, near), np.where(lost, np.inf, errors), left, right, kinks
    )


def the_better(a: Slopes, b: Slopes) -> Slopes:
    """Return for each element what has the smaller error; `b` if it agrees with `a`.

    Where it does not, its step was so short that no number moved, or so long that it
    led over several waves.
    """
    both = 4 * (a.errors + b.errors)
    take = (b.errors < a.errors) & (np.abs(a.values - b.values) <= both)
    names = [field.name for field in fields(Slopes)[:5]]
    merged = {n: np.where(take, getattr(b, n), getattr(a, n)) for n in names}
    return Slopes(**merged)


def agree(exact: np.ndarray, rough: Slopes) -> bool:
    """Return whether a complex step gave what differences do, to within their error."""
    if rough.unknown.any():
        return False
    allowed = EXACT * rough.size + 4 * rough.errors
    return bool((np.abs(exact - rough.values) <= allowed).all())


def complex_slopes(f: Function, at: Arrays, direction: Arrays) -> np.ndarray | None:
    """Return the slopes by a complex step, or None where `f` takes no complex numbers.

    An output that comes out real has slope 0, or has lost its imaginary part.
    """
    moved = [x + 1j * COMPLEX_STEP * v for x, v in zip(at, direction, strict=True)]
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("error", np.exceptions.ComplexWarning)
            return flat([np.imag(y) / COMPLEX_STEP for y in values(f, moved)])
    except Exception:  # whatever f does with numbers that it is not made for
        return None


def values(f: Function, at: Arrays) -> list[np.ndarray]:
    """Return the arrays of what `f` returns for constants, as copies."""
    return [y.detach().numpy().copy() for y in outputs(f(*map(Tensor, at)))]


def flat(arrays: Arrays) -> np.ndarray:
    """Return the elements of arrays in one row."""
    return np.concatenate([np.ravel(a) for a in arrays]) if arrays else np.zeros(0)


def outputs(result: Any) -> list[Tensor]:
    """Return what a function returned as a list of tensors.

    Raises:
        TypeError: if it is not a tensor, or a tuple or list of these.
    """
    several = list(result) if isinstance(result, tuple | list) else [result]
    for y in several:
        if not isinstance(y, Tensor):
            raise TypeError(
                f"check: the function returned {type(y).__name__}, which carries no "
                "gradient; it must return a tensor, or a tuple of tensors"
            )
    return several
