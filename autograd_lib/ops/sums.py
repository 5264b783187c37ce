"""Sums, and their transpose, which is broadcasting (chapter 12).

The engine itself needs both: it sums gradients over the copies that broadcasting made.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.broadcast import unbroadcast
from autograd_lib.ops.axes import wrong_axis
from autograd_lib.primitive import array, broadcasting, operation, result, view
from autograd_lib.tensor import Tensor

Axis = int | tuple[int, ...] | None


@operation(np.sum, method="sum")
def sum(x: Tensor, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """Return the sum over all axes, or over those given."""
    a = array(x)
    try:
        y = a.sum(axis=axis, keepdims=keepdims)
    except ValueError:
        raise wrong_axis("sum", axis, a.shape) from None
    return result(y, x, spread, (a.shape, axis, keepdims))


def spread(g: Any, saved: tuple[tuple[int, ...], Axis, bool]) -> Any:
    """Give each element of a sum the gradient of the sum."""
    shape, axis, keepdims = saved
    return np.broadcast_to(with_axes(g, shape, axis, keepdims), shape)


def with_axes(g: Any, shape: tuple[int, ...], axis: Axis, keepdims: bool) -> Any:
    """Return a gradient with the axes, of length 1, that a reduction took away."""
    if keepdims or axis is None:  # a number is broadcast to all shapes
        return g
    axes = {a % len(shape) for a in (axis if isinstance(axis, tuple) else (axis,))}
    return g.reshape(tuple(1 if i in axes else n for i, n in enumerate(shape)))


@operation(np.broadcast_to)
def broadcast_to(x: Tensor, shape: int | tuple[int, ...]) -> Tensor:
    """Return a view in which elements are repeated to fill the shape."""
    return view(np.broadcast_to(array(x), shape), x, copies, None)


@broadcasting
def copies(g: Any, _: None) -> Any:
    """Let the engine sum over the copies."""
    return g


def sum_to(x: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return the sum over the copies that broadcasting from a shape would make."""
    return result(unbroadcast(x._data, shape), x, copy_out, x.shape)


def copy_out(g: Any, shape: tuple[int, ...]) -> Any:
    """Give each copy the gradient of the sum."""
    return np.broadcast_to(g, shape)
