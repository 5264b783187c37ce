"""Checks that a function can be checked at its inputs (chapter 11)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from autograd_lib.check.reference import Arrays, Function, values
from autograd_lib.engine.tape.tensor import Tensor

ARRAYS = (Tensor, np.ndarray)


def validated(
    where: str, f: Function, inputs: Sequence[Any], tolerance: float | None
) -> list[np.ndarray]:
    """Return copies of the inputs as arrays, if a check can be made there."""
    if not callable(f):
        raise TypeError(f"{where}: the first argument is a function, got {f!r:.60}")
    if not inputs:
        raise TypeError(f"{where}: give inputs after the function: where to check")
    validate_tolerance(where, tolerance)
    at = []
    for i, x in enumerate(inputs):
        if isinstance(x, tuple | list) and any(isinstance(y, ARRAYS) for y in x):
            raise TypeError(
                f"{where}: input {i} is a {type(x).__name__} of arrays; give "
                f"the inputs one by one, as in {where}(f, x, y)"
            )
        a = np.array(x.detach().numpy() if isinstance(x, Tensor) else x)
        if a.dtype != np.float64:
            raise TypeError(
                f"{where}: input {i} is of {a.dtype}, and must be of float64: a check "
                "moves each element by less than other types can tell apart; use "
                "x.astype(float)"
            )
        finite("input", i, a, where)
        at.append(a)
    return at


def validate_tolerance(where: str, tolerance: float | None) -> None:
    """Raise an error unless a tolerance is None, or finite and above 0."""
    if tolerance is None:
        return
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float):
        raise TypeError(f"{where}: tolerance must be a number, got {tolerance!r:.60}")
    if not (math.isfinite(tolerance) and tolerance > 0):
        raise ValueError(
            f"{where}: tolerance must be finite and above 0, got {tolerance!r}; by "
            "default it is 1e-9 for a complex step, and 1e-6 for a difference"
        )


def results(where: str, f: Function, at: Arrays) -> list[np.ndarray]:
    """Return the results of `f`, if it is a function that can be checked.

    Raises:
        TypeError: if a result is not float64.
        ValueError: if a number is not finite, or a second call gives other numbers.
    """
    with np.errstate(all="ignore"):  # infinity and NaN are reported below
        first, second = values(f, at), values(f, at)
    for j, (y, again) in enumerate(zip(first, second, strict=True)):
        if y.dtype != np.float64:
            raise TypeError(
                f"{where}: output {j} is of {y.dtype}, and must be of float64; the "
                "function leaves float64 on the way, or its result has no slope"
            )
        finite("output", j, y, where)
        if y.shape != again.shape or (y != again).any():
            raise ValueError(
                f"{where}: two calls with the same inputs gave different results in "
                f"output {j}; draw random numbers once, outside of the function, and "
                "let it change nothing"
            )
    return first


def finite(what: str, i: int, a: np.ndarray, where: str) -> None:
    """Raise ValueError if a number is not finite."""
    for index in np.argwhere(~np.isfinite(a)):
        raise ValueError(
            f"{where}: {what} {i}{place(index)} is {a[tuple(index)]}; check where all "
            "numbers are finite"
        )


def place(index: Iterable[Any]) -> str:
    """Return an index as text for messages, "" for an array of shape ()."""
    return str([int(i) for i in index] or "")
