"""NumPy's matrix functions that act on the last two axes (chapter 10).

The functions of `numpy.linalg` that the array API standard asks for take stacks of
matrices in the last two axes; NumPy's older functions of the same names take the first.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.axes import as_tensor, named_axes
from autograd_lib.engine.ops.diagonals import diagonal as diagonal_of_axes
from autograd_lib.engine.ops.linalg import inv, matrices, solve
from autograd_lib.engine.ops.shapes import moveaxis, reshape, swapaxes
from autograd_lib.engine.ops.sums import sum
from autograd_lib.engine.tape.tensor import Tensor


@operation(np.matrix_transpose, np.linalg.matrix_transpose)
def matrix_transpose(x: Any) -> Tensor:
    """Return a view of matrices with rows and columns exchanged."""
    matrices("matrix_transpose", x)
    return swapaxes(as_tensor(x), -1, -2)


@operation(np.linalg.diagonal)
def diagonal(x: Any, *, offset: int = 0) -> Tensor:
    """Return the diagonals of matrices, along a new last axis: a read-only view."""
    matrices("diagonal", x)
    return diagonal_of_axes(x, offset, -2, -1)


@operation(np.linalg.trace)
def trace(x: Any, *, offset: int = 0, dtype: Any = None) -> Tensor:
    """Return the sums of the diagonals of matrices.

    Args:
        x: matrices of shape (…, m, n).
        offset: how far to the right of the main diagonal; below it if negative.
        dtype: the type to sum in, by default that of x.
    """
    matrices("trace", x)
    t = as_tensor(x)
    return sum(diagonal(t if dtype is None else t.astype(dtype), offset=offset), -1)


@operation(np.linalg.tensorsolve)
def tensorsolve(a: Any, b: Any, axes: Any = None) -> Tensor:
    """Return x with ``np.tensordot(a, x, x.ndim) = b``.

    Args:
        a: of shape ``b.shape + x.shape``, with as many elements in either part.
        b: the right-hand side.
        axes: axes of a to move to its end first.

    Raises:
        LinAlgError: if the shapes do not fit, or a has no inverse.
    """
    t, side = as_tensor(a), as_tensor(b)
    places = named_axes("tensorsolve", () if axes is None else axes, t.shape)
    t = moveaxis(t, places, tuple(range(t.ndim - len(places), t.ndim)))
    shape = t.shape[side.ndim :]
    if t.shape[: side.ndim] != side.shape or prod(shape) != side.size:
        raise np.linalg.LinAlgError(
            f"tensorsolve: a, of shape {t.shape}, must have the shape of b, "
            f"{side.shape}, and then axes of as many elements; reshape one of them"
        )
    matrix = reshape(t, (side.size, side.size))
    return reshape(solve(matrix, reshape(side, (side.size,))), shape)


@operation(np.linalg.tensorinv)
def tensorinv(a: Any, ind: int = 2) -> Tensor:
    """Return the inverse of ``b -> np.tensordot(a, b, ind)``.

    Args:
        a: of a shape whose first `ind` axes have as many elements as the others.
        ind: how many axes are the rows.

    Raises:
        LinAlgError: if the shape does not fit, or a has no inverse.
        ValueError: if `ind` is not positive.
    """
    t = as_tensor(a)
    if ind <= 0:
        raise ValueError(f"tensorinv: ind must be positive, got {ind}")
    rows, columns = t.shape[:ind], t.shape[ind:]
    if prod(rows) != prod(columns):
        raise np.linalg.LinAlgError(
            f"tensorinv: a, of shape {t.shape}, must have as many elements in its "
            f"first {ind} axes as in the others; give another ind"
        )
    return reshape(inv(reshape(t, (prod(rows), prod(columns)))), columns + rows)
