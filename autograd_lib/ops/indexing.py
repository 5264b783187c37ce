"""Parts of a tensor, and gradients that are zero outside of a part (chapter 12)."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.primitive import VIEWS, Partial, operation, result, view
from autograd_lib.tensor import Tensor

Spec = tuple[Any, tuple[int, ...]]


@operation(method="__getitem__")
def getitem(x: Tensor, index: Any) -> Tensor:
    """Return x[index], as NumPy does: a view for slices, else a copy."""
    index = plain_index(index)
    return view(x._data[index], x, scatter, (index, x._data.shape))


def plain_index(index: Any) -> Any:
    """Return an index with arrays for tensors, copied where it could still change.

    Arrays are laid out by rows: NumPy goes through them as they lie in memory, and of
    several writes into one element the last one counts.
    """
    if type(index) is tuple:
        # Within an index, NumPy takes a tuple for a list of rows.
        return tuple(plain_index(list(i) if type(i) is tuple else i) for i in index)
    if type(index) is slice:
        return slice(*map(plain_end, (index.start, index.stop, index.step)))
    if isinstance(index, Tensor | np.ndarray):
        return np.array(getattr(index, "_data", index), order="C")
    if isinstance(index, list):
        found = np.array(index)
        return found if found.size else found.astype(int)
    return index


def plain_end(end: Any) -> Any:
    """Return an end of a slice as a number, where it could still change."""
    return end.__index__() if isinstance(end, Tensor | np.ndarray) else end


def scatter(g: Any, saved: Spec) -> Any:
    """Put the gradient of the part where the part is; what meets there is added."""
    return put(g, *saved) if type(g) is Tensor else Scatter(g, saved[0])


def put(x: Tensor, index: Any, shape: tuple[int, ...]) -> Tensor:
    """Return zeros of a shape with x added at the index."""
    return result(Scatter(x._data, index).whole(shape), x, gather, index)


def gather(g: Any, index: Any) -> Any:
    """Take the part of the gradient that belongs to what was added."""
    return g[index]


class Scatter(Partial):
    """A gradient that is zero but at an index."""

    __slots__ = ("index",)

    def __init__(self, g: np.ndarray, index: Any) -> None:
        super().__init__(g)
        self.index = index

    def add_to(self, total: np.ndarray) -> None:
        """Add it; where an index names an element twice, both are added.

        NumPy adds several times faster where each element has its own number, which is
        worth it if there are not many more elements than are added to.
        """
        if not repeats(self.index):
            total[self.index] += self.g
        elif total.flags.c_contiguous and 8 * self.g.size >= total.size:
            numbers = np.arange(total.size).reshape(total.shape)[self.index]
            np.add.at(total.ravel(), numbers.ravel(), self.g.ravel())
        else:
            np.add.at(total, self.index, self.g)


def repeats(index: Any) -> bool:
    """Say whether an index may name an element twice: an array of integers may."""
    several = index if type(index) is tuple else (index,)
    return any(isinstance(i, np.ndarray) and i.dtype.kind in "iu" for i in several)


VIEWS[scatter] = lambda a, saved, _: a[saved[0]]
