"""Sums, and their transpose, broadcasting (chapter 10).

The engine itself needs both: it sums gradients over the copies that broadcasting made.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.broadcast import unbroadcast
from autograd_lib.engine.numpy.mistakes import misfit, unknown_keywords
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.arithmetic import add
from autograd_lib.engine.ops.axes import wrong_axis
from autograd_lib.engine.ops.options import prepared, reduced, sum_in_rule
from autograd_lib.engine.rules import linear_map, rule, view
from autograd_lib.engine.tape.record import array, result
from autograd_lib.engine.tape.tensor import Tensor

Axis = int | tuple[int, ...] | None


@operation(np.sum)
def sum(
    x: Any,
    axis: Axis = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
    **unknown: Any,
) -> Tensor:
    """Return the sum over all axes, or over those given.

    Args:
        x: a tensor or an array.
        axis: an axis, several, or None for all.
        dtype: the type to calculate in.
        out: must be None.
        keepdims: whether the axes are kept, with length 1.
        initial: a number to start the sum with.
        where: which elements take part.
    """
    if unknown:
        raise unknown_keywords("sum", sum, unknown)
    if dtype is not None or out is not None or initial is not None or where is not True:
        t = prepared("sum", x, dtype, out, where, 0)
        return reduced(sum, t, axis, keepdims, add, initial)
    a = array(x)
    try:
        y = a.sum(axis=axis, keepdims=keepdims)
    except ValueError:
        raise wrong_axis("sum", axis, a.shape) from None
    return result(y, x, spread, (a.shape, axis, keepdims))


@rule("linear", lambda t, to: sum_in_rule(t, to[1], to[2]), complex=True)
def spread(g: Any, saved: tuple[tuple[int, ...], Axis, bool]) -> Any:
    """Give each element of a sum the gradient of the sum."""
    shape, axis, keepdims = saved
    return np.broadcast_to(with_axes(g, shape, axis, keepdims), shape)


def with_axes(g: Any, shape: tuple[int, ...], axis: Axis, keepdims: bool) -> Any:
    """Return a gradient with the reduced axes restored, with length 1."""
    if keepdims or axis is None:  # a number broadcasts to all shapes
        return g
    n = len(shape) or 1  # in NumPy, shape () may have an axis 0
    axes = {a % n for a in (axis if isinstance(axis, tuple) else (axis,))}
    return g.reshape(tuple(1 if i in axes else n for i, n in enumerate(shape)))


@operation(np.broadcast_to)
def broadcast_to(x: Tensor, shape: int | tuple[int, ...]) -> Tensor:
    """Return a view in which elements are repeated to fill the shape."""
    a = array(x)
    try:
        y = np.broadcast_to(a, shape)
    except (TypeError, ValueError) as error:
        raise misfit("broadcast_to", np.shape(a), error, shape=shape) from None
    return view(y, x, copies, None)


@rule(
    "view", lambda a, _, shape: np.broadcast_to(a, shape), broadcasts=True, complex=True
)
def copies(g: Any, _: None) -> Any:
    """Return the gradient; the engine sums it over the copies."""
    return g


def dot_along(x: Any, y: Any, axis: Axis) -> Any:
    """Return Σ x·y along axes, which are kept with length 1; x and y have one shape."""
    if axis in (-1, (-1,)) and not isinstance(x, Tensor):
        # Without an array for x·y it is twice as fast. A tensor's rules would need it.
        return np.expand_dims(np.vecdot(x, y), -1)
    return (x * y).sum(axis=axis, keepdims=True)


@rule(complex=True)
def copy_out(g: Any, saved: tuple[tuple[int, ...], tuple[int, ...]]) -> Any:
    """Give each copy the gradient of the sum."""
    return np.broadcast_to(g, saved[1])


@linear_map(transpose=copy_out, complex=True)
def summed_over_copies(g: Any, saved: tuple[tuple[int, ...], tuple[int, ...]]) -> Any:
    """Sum over the copies that broadcasting from one shape to another made."""
    return unbroadcast(g, saved[0])


def sum_to_shape(x: Tensor, shape: tuple[int, ...]) -> Any:
    """Return x summed over the copies that broadcasting from `shape` would make."""
    return summed_over_copies(x, (shape, x.shape))
