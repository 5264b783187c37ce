"""Whether a function can be checked where it shall be (chapter 14)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from autograd_lib._witness import Arrays, Function, values
from autograd_lib.tensor import Tensor


def validated(where: str, f: Function, inputs: Sequence[Any]) -> list[np.ndarray]:
    """Return inputs as arrays that nobody else has, if a check can be made there."""
    if not callable(f):
        raise TypeError(f"{where}: the first argument is a function, got {f!r:.60}")
    if not inputs:
        raise TypeError(f"{where}: give inputs after the function: where to check")
    at = []
    for i, x in enumerate(inputs):
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


def results(where: str, f: Function, at: Arrays) -> list[np.ndarray]:
    """Return what `f` gives, if it is a function that can be checked.

    Raises:
        TypeError: if a result is not float64.
        ValueError: if a number is not finite, or a second call gives other numbers.
    """
    with np.errstate(all="ignore"):  # what is not finite is told below
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
    """Return how messages write an index, which is nothing in an array of shape ()."""
    return str([int(i) for i in index] or "")
