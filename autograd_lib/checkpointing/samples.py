"""Compare the results of two runs without keeping those of the first (chapter 21).

For each array a few numbers are kept, and weighted sums of all: sums, because a few
numbers miss errors in few places; weighted, because a plain sum misses numbers that
have changed places; several, because one sum may agree by chance.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy

FEW = 64  # numbers of each array that are compared one by one
BLOCK = 1 << 13  # numbers that are summed at a time, to save memory
WAVES = np.array([1, 2, 3, 5])
WEIGHTS = np.cos(np.outer(np.arange(BLOCK), WAVES))
LOOSE = 1000  # units in the last place: sums vary with the number of threads


class Sample:
    """A summary of an array, to compare another with it.

    Attributes:
        shape: the array's shape.
        few: some of its numbers, evenly spaced.
        totals: weighted sums of its finite numbers.
        size: the square root of the sum of their squares.
    """

    __slots__ = ("few", "shape", "size", "totals")

    def __init__(self, array: Any) -> None:
        self.shape = array.shape
        self.few = array.flat[:: max(1, array.size // FEW)]
        self.totals, self.size = numpy().zeros(1), 0.0
        plain = type(array) is np.ndarray  # not a stand-in that `compile` records
        if plain and array.size > FEW and array.dtype.kind in "fiubc":
            self.totals, self.size = weighted(array)

    def agrees(self, other: Sample) -> bool:
        """Return whether both arrays have the same numbers, up to rounding of sums."""
        if self.shape != other.shape or not same_numbers(self.few, other.few):
            return False
        kind = self.few.dtype
        eps = float(np.finfo(kind if kind.kind in "fc" else float).eps)
        with np.errstate(invalid="ignore"):  # infinity from infinity
            apart = np.abs(self.totals - other.totals).max()
        return not apart > LOOSE * eps * self.size


def weighted(array: np.ndarray) -> tuple[np.ndarray, float]:
    """Return weighted sums of an array's finite numbers, and their root sum square."""
    kind = np.result_type(array.dtype, np.float64)
    flat = array.reshape(-1) if array.flags.c_contiguous else array.flat
    totals, squares = numpy().zeros(len(WAVES), kind), 0.0
    with np.errstate(all="ignore"):
        for start in range(0, array.size, BLOCK):
            x = flat[start : start + BLOCK].astype(kind, copy=False)
            part = np.vdot(x, x).real
            if not np.isfinite(part):
                x = np.where(np.isfinite(x), x, 0)
                part = np.vdot(x, x).real
            totals += np.cos(start * WAVES) * (x @ WEIGHTS[: len(x)])
            squares += part
    return totals, float(np.sqrt(squares))


def same_numbers(a: Any, b: Any) -> bool:
    """Return whether numbers agree, up to the rounding of sums in other orders."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype.kind not in "fc":
        return bool((a == b).all())
    finite = np.isfinite(a)
    size = np.abs(a[finite]).max(initial=0)
    near = np.isclose(a, b, 0, LOOSE * np.finfo(a.dtype).eps * size, equal_nan=True)
    return bool(near.all())
