"""The matrix product, in all its shapes (chapter 12).

As in NumPy, an operand of one axis stands for a row on the left and for a column on the
right, and axes before the last two are broadcast.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.broadcast import unbroadcast
from autograd_lib.node import Saved
from autograd_lib.ops.arithmetic import flipped
from autograd_lib.ops.sums import sum_to
from autograd_lib.primitive import array, binary, operation
from autograd_lib.tensor import Tensor


@operation(np.matmul, method="__matmul__")
def matmul(x: Any, y: Any) -> Tensor:
    """Return the matrix product of x and y.

    Raises:
        ValueError: if a shape is (), or the axes that are summed differ in length.
    """
    a, b = array(x), array(y)
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        raise ValueError(
            f"matmul: needs axes to sum over, got shapes {np.shape(a)} and "
            f"{np.shape(b)}; use * for a number"
        )
    if a.shape[-1] != b.shape[-2 if b.ndim > 1 else -1]:
        raise ValueError(
            f"matmul: the last axis of the left operand, of shape {a.shape}, and the "
            f"{'last but one' if b.ndim > 1 else 'only'} axis of the right, of shape "
            f"{b.shape}, must be of one length; transpose or reshape one of them"
        )
    return binary(
        np.matmul, x, toward_left, Saved(a.shape, y), y, toward_right, Saved(x, b.shape)
    )


def toward_left(g: Any, saved: Any) -> Any:
    """X̄ = Ȳ·Bᵀ for Y = X·B."""
    shape, b = saved
    if len(shape) == b.ndim == 2:
        return g @ b.T
    if b.ndim == 1:
        return reduced(np.expand_dims(g, -1) * b, shape)
    g = np.expand_dims(g, -2) if len(shape) == 1 else g
    d = g @ b.swapaxes(-1, -2)
    return reduced(d[..., 0, :] if len(shape) == 1 else d, shape)


def toward_right(g: Any, saved: Any) -> Any:
    """B̄ = Xᵀ·Ȳ for Y = X·B."""
    x, shape = saved
    if x.ndim >= len(shape) == 2:  # a matrix that all of a batch share: one product
        return x.reshape(-1, shape[0]).T @ g.reshape(-1, shape[1])
    if x.ndim == 1:
        g = np.expand_dims(g, -2) if len(shape) > 1 else g
        return reduced(np.expand_dims(x, -1) * g if len(shape) > 1 else x * g, shape)
    if len(shape) == 1:
        return reduced(x * np.expand_dims(g, -1), shape)
    return reduced(x.swapaxes(-1, -2) @ g, shape)


def reduced(g: Any, shape: tuple[int, ...]) -> Any:
    """Return the sum over the copies that broadcasting from a shape made."""
    if g.shape == shape:
        return g
    return sum_to(g, shape) if isinstance(g, Tensor) else unbroadcast(g, shape)


Tensor.__rmatmul__ = flipped(matmul)  # type: ignore[attr-defined]
