"""Diagonals, traces and triangles of matrices (chapter 10).

The gradient of a diagonal is a matrix with that diagonal and zeros elsewhere, and the
gradient of such a matrix is its diagonal: each map is the other's transpose.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.axes import as_tensor, named_axes
from autograd_lib.engine.ops.sums import sum
from autograd_lib.engine.rules import SparseGradient, linear_map, rule, view
from autograd_lib.engine.tape.record import result
from autograd_lib.engine.tape.tensor import Tensor

Place = tuple[int, int, int]
Spec = tuple[tuple[int, ...], Place]


@operation(np.diagonal)
def diagonal(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """Return the diagonals of two axes, along a new last axis: a read-only view.

    Args:
        x: a tensor or an array of two axes or more.
        offset: how far to the right of the main diagonal; below it if negative.
        axis1: the axis of the rows.
        axis2: the axis of the columns.
    """
    t = as_tensor(x)
    if t.ndim < 2:
        raise ValueError(
            f"diagonal: needs two axes, got shape {t.shape}; np.diag makes a matrix"
        )
    pair = named_axes("diagonal", (axis1, axis2), t.shape)
    y = t._array.diagonal(offset, *pair)
    return view(y, x, onto_diagonal, (t.shape, (offset, *pair)))


@rule(complex=True)
def of_diagonal(g: Any, saved: Spec) -> Any:
    """Take the gradient of the diagonal."""
    return g.diagonal(*saved[1])


@rule("view", lambda a, saved, _: a.diagonal(*saved[1]), complex=True)
@linear_map(transpose=of_diagonal)
def onto_diagonal(g: Any, saved: Spec) -> Any:
    """Put the gradient on the diagonal of zeros."""
    return OnDiagonal(g, *saved)


class OnDiagonal(SparseGradient):
    """A gradient that is zero outside a diagonal."""

    __slots__ = ("place",)

    def __init__(self, g: np.ndarray, shape: tuple[int, ...], place: Place) -> None:
        super().__init__(g, shape)
        self.place = place

    def add_to(self, total: np.ndarray) -> None:
        """Add the part in place; NumPy's view of a diagonal is read-only at first."""
        part = total.diagonal(*self.place)
        part.flags.writeable = True
        part += self.g


@operation(np.diag)
def diag(x: Any, k: int = 0) -> Tensor:
    """Return a diagonal of a matrix, or a matrix with a vector on a diagonal."""
    t = as_tensor(x)
    if t.ndim == 2:
        return diagonal(t, k)
    if t.ndim != 1:
        raise ValueError(
            f"diag: needs a vector or a matrix, got shape {t.shape}; diagonal takes "
            "any two axes"
        )
    n = len(t) + abs(k)
    y: Tensor = onto_diagonal(t, ((n, n), (k, 0, 1)))
    return y


@operation(np.trace)
def trace(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """Return the sum of a diagonal of two axes."""
    return sum(diagonal(x, offset, axis1, axis2), -1)


@operation(np.tril)
def tril(x: Any, k: int = 0) -> Tensor:
    """Return x with 0 above the kth diagonal of the last two axes."""
    return result(np.tril(part_of("tril", x), k), x, lower, k)


@operation(np.triu)
def triu(x: Any, k: int = 0) -> Tensor:
    """Return x with 0 below the kth diagonal of the last two axes."""
    return result(np.triu(part_of("triu", x), k), x, upper, k)


def part_of(name: str, x: Any) -> np.ndarray:
    """Return the array, which must have an axis."""
    t = as_tensor(x)
    if not t.ndim:
        raise ValueError(f"{name}: needs a matrix, got shape (); reshape it to (1, 1)")
    return t._array


@rule("elementwise", broadcasts=True, complex=True)
def lower(g: Any, k: int) -> Any:
    """Keep the gradient on and below the kth diagonal."""
    return np.tril(g, k)


@rule("elementwise", broadcasts=True, complex=True)
def upper(g: Any, k: int) -> Any:
    """Keep the gradient on and above the kth diagonal."""
    return np.triu(g, k)
