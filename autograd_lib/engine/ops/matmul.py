"""The matrix product, in all its shapes (chapter 10).

As in NumPy, an operand with one axis is a row on the left and a column on the right,
and axes before the last two are broadcast.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.gradient import sum_to
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import array, binary
from autograd_lib.engine.tape.tensor import Tensor


@operation(np.matmul, np.linalg.matmul)
def matmul(x: Any, y: Any) -> Tensor:
    """Return the matrix product of x and y.

    Raises:
        ValueError: if a shape is (), the summed axes differ in length, or the axes
            before the last two do not broadcast.
    """
    a, b = array(x), array(y)
    m, n = getattr(a, "ndim", 0), getattr(b, "ndim", 0)
    if not m or not n:
        raise ValueError(
            f"matmul: needs axes to sum over, got shapes {np.shape(a)} and "
            f"{np.shape(b)}; use * for a number"
        )
    if a.shape[-1] != b.shape[-2 if n > 1 else -1]:
        raise ValueError(
            f"matmul: the last axis of the left operand, of shape {a.shape}, and the "
            f"{'last but one' if n > 1 else 'only'} axis of the right, of shape "
            f"{b.shape}, must be of one length; transpose or reshape one of them"
        )
    x, y = x if type(x) is Tensor else a, y if type(y) is Tensor else b
    left, right = Saved(a.shape, y), Saved(x, b.shape)
    try:
        return binary(np.matmul, x, vjp_left, left, y, vjp_right, right)
    except ValueError:
        raise ValueError(
            f"matmul: the axes before the last two of shapes {a.shape} and {b.shape} "
            "must be of one length, or of length 1, or missing; reshape one of them"
        ) from None


@rule(
    "linear",
    lambda t, saved: t @ saved[1],
    each=lambda t, saved: rows(t, saved),
    complex=True,
)
def vjp_left(g: Any, saved: Any) -> Any:
    """X̄ = Ȳ·Bᵀ for Y = X·B."""
    shape, b = saved
    if len(shape) == b.ndim == 2:
        return times_transpose(g, b)
    if b.ndim == 1:
        return np.expand_dims(g, -1) * b
    if b.ndim == 2:  # a matrix shared by the whole batch: one product
        return (g.reshape(prod(shape[:-1]), b.shape[1]) @ b.T).reshape(shape)
    if len(shape) > 1:
        return sum_to(g @ b.swapaxes(-1, -2), shape)
    d = np.expand_dims(g, -2) @ b.swapaxes(-1, -2)
    return sum_to(d, (1, *shape)).reshape(shape)


@rule(
    "linear",
    lambda t, saved: saved[0] @ t,
    each=lambda t, saved: columns(t, saved),
    complex=True,
)
def vjp_right(g: Any, saved: Any) -> Any:
    """B̄ = Xᵀ·Ȳ for Y = X·B."""
    x, shape = saved
    if x.ndim == len(shape) == 2:
        return transpose_times(x, g)
    if len(shape) < 3:  # a matrix or column shared by the whole batch: one product
        rows, columns = prod(x.shape[:-1]), prod(shape[1:])
        x = x.reshape(rows, shape[0])
        return (x.T @ g.reshape(rows, columns)).reshape(shape)
    if x.ndim == 1:
        x, g = np.expand_dims(x, 0), np.expand_dims(g, -2)
    return sum_to(x.swapaxes(-1, -2) @ g, shape)


def rows(t: Any, saved: Any) -> Any:
    """Return T·B for several T along a first axis, None if B has many axes."""
    b = saved[1]
    return t @ b if b.ndim <= 2 else None


def columns(t: Any, saved: Any) -> Any:
    """Return X·T for several T along a first axis, None if X has many axes."""
    x = saved[0]
    if x.ndim > 2:
        return None
    return t @ x.T if t.ndim == 2 else x @ t


# The rules of these three products are one another, so no gradient is transposed.


def times_transpose(a: Any, b: Any) -> Any:
    """Return A·Bᵀ of two matrices. Ā = Ȳ·B, and B̄ = Ȳᵀ·A."""
    if isinstance(a, Tensor) or isinstance(b, Tensor):
        return binary(times_transpose, a, before, b, b, transpose_times, a)
    return a @ b.T


@rule("linear", lambda t, a: times_transpose(a, t), complex=True)
def transpose_times(a: Any, b: Any) -> Any:
    """Return Aᵀ·B of two matrices. Ā = B·Ȳᵀ, and B̄ = A·Ȳ."""
    if isinstance(a, Tensor) or isinstance(b, Tensor):
        return binary(transpose_times, a, of_transpose, b, b, after, a)
    return a.T @ b


@rule("linear", lambda t, b: times_transpose(t, b), complex=True)
def before(g: Any, b: Any) -> Any:
    """X̄ = Ȳ·B."""
    return g @ b


@rule("linear", lambda t, a: transpose_times(a, t), complex=True)
def after(g: Any, a: Any) -> Any:
    """X̄ = A·Ȳ."""
    return a @ g


@rule("linear", lambda t, b: transpose_times(t, b), complex=True)
def of_transpose(g: Any, b: Any) -> Any:
    """X̄ = B·Ȳᵀ."""
    return times_transpose(b, g)
