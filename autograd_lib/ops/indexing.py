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
    """Return an index with arrays for tensors, copied where it could still change."""
    if type(index) is tuple:
        return tuple(map(plain_item, index))
    return plain_item(index)


def plain_item(item: Any) -> Any:
    """Return what indexes one axis, with an array for all that names several rows."""
    if type(item) is Tensor:
        return item._data.copy()
    if isinstance(item, list | tuple):  # a tuple within a tuple is a list of rows
        return np.array(item) if len(item) else np.empty(0, int)
    return item.copy() if isinstance(item, np.ndarray) else item


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
        """Add it; where an index names an element twice, both are added."""
        if repeats(self.index):
            np.add.at(total, self.index, self.g)
        else:
            total[self.index] += self.g


def repeats(index: Any) -> bool:
    """Say whether an index may name an element twice: an array of integers may."""
    several = index if type(index) is tuple else (index,)
    return any(isinstance(i, np.ndarray) and i.dtype.kind in "iu" for i in several)


VIEWS[scatter] = lambda a, saved, _: a[saved[0]]
