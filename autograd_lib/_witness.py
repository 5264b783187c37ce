"""How fast a function's results move along a direction, through no rule (chapter 14).

The witness of a gradient check may know nothing of what it is a witness of. It calls
the function on constants, which record nothing, and looks at the numbers that come out.
It does so by a complex step, which is exact to rounding but blind to what is not
analytic, such as `abs`; and by a central difference, which is rough but sees
everything. The complex step is believed where the difference bears it out.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autograd_lib.numerical import COMPLEX_STEP, EPSILON
from autograd_lib.tensor import Tensor

COMPLEX, CENTRAL = "complex step", "central difference"
ROUGHLY, FLOOR = 1e-4, 1e-8  # a difference errs by less, a blind complex step by more
SHORTER = (1.0, 1e-3)  # of the usual step, which is too long for log near 0

Function = Callable[..., Any]
Arrays = Sequence[np.ndarray]


@dataclass(frozen=True)
class Statement:
    """How fast each output moves along a direction.

    Attributes:
        slopes: an array for each output, of its shape.
        by: `COMPLEX` or `CENTRAL`.
        noise: the rounding error that is to be expected of a difference.
        sides: differences to the left and to the right, which part at a kink.
        rejected: what the complex step said, where the difference did not bear it out.
    """

    slopes: Arrays
    by: str
    noise: float
    sides: tuple[Arrays, Arrays]
    rejected: Arrays | None


def witness(f: Function, at: Arrays, direction: Arrays) -> Statement:
    """Return how fast the outputs of `f` move along a direction, by the better witness.

    The step of a difference balances truncation, which grows as h², and the rounding of
    x + h, which grows as ε·x/h.

    Args:
        f: takes tensors and returns one or several.
        at: the arrays to call it with.
        direction: an array for each of these.
    """
    moving = [np.abs(x[v != 0]) for x, v in zip(at, direction, strict=True)]
    size = max((float(x.max()) for x in moving if x.size), default=1.0)
    exact = complex_slopes(f, at, direction)
    said = []
    for shorter in SHORTER:
        h = (EPSILON * max(1.0, size)) ** (1 / 3) * shorter
        said.append(rough := difference(f, at, direction, h))
        if exact is not None and roughly_equal(exact, rough):
            return replace(rough, slopes=exact, by=COMPLEX, noise=0.0)
        if exact is None and all(np.isfinite(y).all() for y in rough.slopes):
            return rough
    return replace(said[0], rejected=exact)


def difference(f: Function, at: Arrays, direction: Arrays, h: float) -> Statement:
    """Return what central differences say."""

    def moved(by: float) -> list[np.ndarray]:
        return values(f, [x + by * v for x, v in zip(at, direction, strict=True)])

    with np.errstate(all="ignore"):
        behind, here, ahead = moved(-h), moved(0.0), moved(h)
        central, left, right = (
            [(a - b) / step for a, b in zip(to, start, strict=True)]
            for to, start, step in (
                (ahead, behind, 2 * h),
                (here, behind, h),
                (ahead, here, h),
            )
        )
    largest = max((float(np.abs(y).max()) for y in here if y.size), default=0.0)
    return Statement(central, CENTRAL, 4 * EPSILON * largest / h, (left, right), None)


def complex_slopes(f: Function, at: Arrays, direction: Arrays) -> Arrays | None:
    """Return the slopes by a complex step, or None where `f` takes no complex numbers.

    An output that comes out real has slope 0, or has lost its imaginary part.
    """
    moved = [x + 1j * COMPLEX_STEP * v for x, v in zip(at, direction, strict=True)]
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("error", np.exceptions.ComplexWarning)
            return [np.imag(y) / COMPLEX_STEP for y in values(f, moved)]
    except Exception:  # whatever f does with numbers that it is not made for
        return None


def roughly_equal(exact: Arrays, rough: Statement) -> bool:
    """Say whether a difference bears a complex step out."""
    return all(
        (np.abs(a - b) <= ROUGHLY * np.abs(b) + FLOOR + rough.noise).all()
        for a, b in zip(exact, rough.slopes, strict=True)
    )


def values(f: Function, at: Arrays) -> list[np.ndarray]:
    """Return the arrays of what `f` returns for constants, which nobody else has."""
    return [y.detach().numpy().copy() for y in outputs(f(*map(Tensor, at)))]


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
