"""What layers and optimisers are told, checked where it is told (chapter 18)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, SupportsIndex

import numpy as np

from autograd_lib.engine.arrays import numpy

Random = np.random.Generator | int | None


def whole(name: str, number: Any, least: int = 1) -> int:
    """Return a size as an integer.

    Raises:
        TypeError: if it is not a whole number.
        ValueError: if it is below `least`.
    """
    if isinstance(number, bool) or not isinstance(number, SupportsIndex):
        raise TypeError(f"{name} must be a whole number, got {number!r:.60}")
    if number.__index__() < least:
        raise ValueError(f"{name} must be at least {least}, got {number!r}")
    return int(number)


def real(name: str, number: Any, fits: Callable[[float], bool], which: str) -> float:
    """Return a setting as a float.

    Args:
        name: what it is, for the message.
        number: what was given.
        fits: whether a number is allowed; nan and infinity are not asked about.
        which: the numbers that are allowed, in words.

    Raises:
        TypeError: if it is not a number.
        ValueError: if it is not allowed.
    """
    if not isinstance(number, int | float | np.integer | np.floating):
        raise TypeError(f"{name} must be a number {which}, got {number!r:.60}")
    x: Any = number
    if not (-math.inf < x < math.inf and fits(x)):
        raise ValueError(f"{name} must be a number {which}, got {number!r}")
    return x if x.__class__ is float else float(x)


def generator(name: str, rng: Any) -> np.random.Generator:
    """Return a source of random numbers.

    Args:
        name: whose it is, for the message.
        rng: one, which is shared; the seed of a new one; or None for new numbers in
            each run.

    Raises:
        TypeError: if it is none of these.
    """
    if isinstance(rng, np.random.Generator):
        return rng
    if rng is None or (isinstance(rng, int | np.integer) and rng is not True):
        return numpy().default_rng(rng)
    raise TypeError(
        f"{name}: rng is a seed or numpy.random.default_rng(seed), got {rng!r:.60}"
    )


def floating(name: str, dtype: Any) -> np.dtype[Any]:
    """Return the type of a layer's numbers.

    Raises:
        TypeError: if it is not a floating-point type.
    """
    kind: np.dtype[Any] = np.dtype(dtype)
    if kind.kind != "f":
        raise TypeError(
            f"{name}: dtype must be a floating-point type such as np.float32, got "
            f"{kind}"
        )
    return kind


def at_least_zero(name: str, number: Any) -> float:
    """Return a setting that is a number of at least 0; raise an error for others."""
    return real(name, number, lambda x: x >= 0, "of at least 0")
