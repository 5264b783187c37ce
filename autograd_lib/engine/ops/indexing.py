"""Indexing, and gradients that are zero outside the indexed part (chapter 10)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.mistakes import wrong_index
from autograd_lib.engine.numpy.operands import refuse_subclass
from autograd_lib.engine.ops.options import is_half
from autograd_lib.engine.rules import SparseGradient, linear_map, rule, view
from autograd_lib.engine.tape.tensor import Tensor

BASIC = (slice, int, type(None), type(...))
Spec = tuple[Any, tuple[int, ...]]
MANY = 256  # elements, below which np.add.at alone is faster
MANY_PLACES = 2**15


def getitem(x: Tensor, index: Any) -> Tensor:
    """Return x[index], as in NumPy: a view for slices, else a copy."""
    index = plain_index(index)
    try:
        part = x._array[index]
    except IndexError as error:
        raise wrong_index(index, x._array.shape, error) from None
    return view(part, x, scatter, (index, x._array.shape))


def plain_index(index: Any) -> Any:
    """Return an index that cannot change, with arrays for sequences.

    Arrays are made contiguous: NumPy visits them in memory order, and if an element is
    written several times, the last value counts.
    """
    kind = type(index)
    if kind is int or index is None or index is Ellipsis:
        return index
    if kind is tuple:
        # Within an index, NumPy treats a tuple as a list.
        return tuple([plain_index(list(i) if type(i) is tuple else i) for i in index])
    if kind is slice:
        ends = index.start, index.stop, index.step
        fixed = all(end is None or type(end) is int for end in ends)
        return index if fixed else slice(*map(plain_end, ends))
    if isinstance(index, bool | np.generic):
        return index
    if isinstance(index, Tensor):
        index = index._array
    elif not isinstance(index, np.ndarray) and hasattr(index, "__index__"):
        return index.__index__()
    refuse_subclass("indexing: the index", index)
    array = isinstance(index, np.ndarray)
    found = np.copy(index, order="C") if array else numpy().array(index)
    if not found.size and not array:
        return found.astype(int)
    if found.dtype.kind not in "iub":
        raise IndexError(
            f"indexing: only integers, slices, truth values, None and ... choose "
            f"elements, got {index!r:.60}"
        )
    return found


def plain_end(end: Any) -> Any:
    """Return an end of a slice as a plain number."""
    return end if end is None else end.__index__()


@rule(complex=True)
def gather(g: Any, saved: Spec) -> Any:
    """Take the gradient at the index."""
    return g[saved[0]]


@rule("view", lambda a, saved, _: a[saved[0]], complex=True)
@linear_map(transpose=gather)
def scatter(g: Any, saved: Spec) -> Any:
    """Put the gradient at the index of zeros, adding where elements repeat."""
    return Scatter(g, *saved)


class Scatter(SparseGradient):
    """A gradient that is zero outside an index."""

    __slots__ = ("index",)

    def __init__(self, g: np.ndarray, index: Any, shape: tuple[int, ...]) -> None:
        super().__init__(g, shape)
        self.index = index

    def whole(self) -> np.ndarray:
        """Return the gradient as a dense array."""
        total = numpy().zeros(self.shape, self.g.dtype)
        if not repeats(self.index):
            total[self.index] = self.g
        elif is_half(self.g):  # in float32, for where one element counts often
            wide = Scatter(self.g.astype(np.float32), self.index, self.shape)
            total[...] = wide.whole()
        else:
            self.add_to(total)
        return total

    def add_to(self, total: np.ndarray) -> None:
        """Add the part in place; if an index repeats an element, all are added."""
        index, g = self.index, self.g
        if is_basic(index):
            part = total[index]
            if isinstance(part, np.ndarray):
                np.add(part, g, part)  # total[index] += g writes all of it twice
                return
        if not repeats(index):
            total[index] += g
            return
        if is_half(total):
            total += self.whole()
            return
        several = index if type(index) is tuple else (index,)
        fast = g.size >= MANY and total.flags.c_contiguous and g.dtype == total.dtype
        if fast and all(is_integers(i) for i in several) and total.size > g.size:
            add_rows(total, several, g)
        elif fast and total.size <= 8 * g.size:
            places = numpy().arange(total.size).reshape(total.shape)[index]
            np.add.at(total.reshape(-1), places.reshape(-1), g.reshape(-1))
        else:
            np.add.at(total, index, g)


def add_rows(total: np.ndarray, several: tuple[np.ndarray, ...], g: np.ndarray) -> None:
    """Add the rows of g, in place, at the rows that arrays of integers name.

    NumPy adds to single elements of a flat array several times faster than to rows, or
    at several indices. Some rows are done at a time, so that their indices fit into a
    cache.
    """
    first, width = total.shape[: len(several)], math.prod(total.shape[len(several) :])
    if len(first) == total.ndim == 1:
        np.add.at(total, several[0].reshape(-1), g.reshape(-1))
        return
    starts = width * np.ravel_multi_index(several, first, mode="wrap").reshape(-1)
    within, flat, g = numpy().arange(width), total.reshape(-1), g.reshape(-1, width)
    step = max(1, MANY_PLACES // width)
    for i in range(0, len(starts), step):
        places = np.add.outer(starts[i : i + step], within)
        np.add.at(flat, places.reshape(-1), g[i : i + step].reshape(-1))


def is_integers(i: Any) -> bool:
    """Return whether a part of an index is an array of integers."""
    return isinstance(i, np.ndarray) and i.dtype.kind in "iu"


def is_basic(index: Any) -> bool:
    """Return whether an index is basic: NumPy returns a view for it, not a copy."""
    several = index if type(index) is tuple else (index,)
    return all(type(i) in BASIC for i in several)


def repeats(index: Any) -> bool:
    """Return whether an index may repeat an element: an array of integers may."""
    several = index if type(index) is tuple else (index,)
    return any(map(is_integers, several))
