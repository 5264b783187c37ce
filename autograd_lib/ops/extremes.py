"""The largest and the smallest, and all in order (chapter 13).

Where several elements are the largest, each gets an equal share of the gradient: no
order of elements or of memory then changes the result.

Tensors have no method `sort`: that of NumPy's arrays sorts in place and returns None,
and a write that puts other elements where a name is known to be is easily read wrongly.
``np.sort(t)`` returns a tensor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib.node import Saved
from autograd_lib.ops.arithmetic import plain, subtract
from autograd_lib.ops.axes import Axis, along, as_tensor, in_rows, named_axes, one_axis
from autograd_lib.ops.choices import keep_where
from autograd_lib.ops.reductions import mean
from autograd_lib.ops.shapes import ravel, reshape
from autograd_lib.ops.sums import spread
from autograd_lib.primitive import OUT, array, operation, result
from autograd_lib.tensor import Tensor


@operation(np.max, np.amax, method="max")
def max(x: Any, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """Return the largest element, or the largest along axes; nan if there is a nan.

    Raises:
        ValueError: if there are no elements.
    """
    return extreme("max", np.ndarray.max, x, axis, keepdims)


@operation(np.min, np.amin, method="min")
def min(x: Any, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """Return the smallest element, or the smallest along axes; nan if there is a nan.

    Raises:
        ValueError: if there are no elements.
    """
    return extreme("min", np.ndarray.min, x, axis, keepdims)


@operation(np.ptp)
def ptp(x: Any, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """Return the largest minus the smallest."""
    return subtract(max(x, axis, keepdims=keepdims), min(x, axis, keepdims=keepdims))


def extreme(
    name: str, function: Callable[..., Any], x: Any, axis: Axis, keepdims: bool
) -> Tensor:
    """Return the largest or the smallest."""
    a = np.asarray(array(x))
    if not a.size and not all(a.shape[i] for i in named_axes(name, axis, a.shape)):
        raise nothing(name, a.shape, axis)
    y = along(name, function, a, axis, keepdims=keepdims)
    return result(y, x, to_winners, Saved(x, OUT, (a.shape, axis, keepdims)))


def to_winners(g: Any, saved: Any) -> Any:
    """Divide the gradient among the elements that are the result."""
    x, y, to = saved
    x, y = plain(x), plain(y)
    wins = x == spread(y, to)
    if np.isnan(y).any():
        wins |= np.isnan(x)
    number = wins.sum(axis=to[1], dtype=x.dtype)
    return keep_where(spread(g / number.reshape(y.shape), to), wins)


@operation(np.sort)
def sort(x: Any, axis: int | None = -1, *, stable: bool = True) -> Tensor:
    """Return the elements along an axis, or all of them, in ascending order.

    Args:
        x: a tensor or an array.
        axis: the axis, or None for all elements in one row.
        stable: accepted as in NumPy; equal elements always keep their order.
    """
    if axis is None:
        return sort(ravel(x), 0)
    a = np.asarray(array(x))
    axis = one_axis("sort", axis, a.shape)
    return permuted(x, np.argsort(a, axis, kind="stable"), axis)


def permuted(x: Any, order: np.ndarray, axis: int) -> Tensor:
    """Return the elements along an axis in another order."""
    y = np.take_along_axis(array(x), order, axis)
    return result(y, x, back_to_places, (order, axis))


def back_to_places(g: Any, saved: tuple[np.ndarray, int]) -> Any:
    """Put each gradient where its element was."""
    order, axis = saved
    if isinstance(g, Tensor):
        return permuted(g, np.argsort(order, axis), axis)
    d = np.empty(g.shape, g.dtype)
    np.put_along_axis(d, order, g, axis)
    return d


@operation(np.median)
def median(x: Any, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """Return the middle element, or the mean of the middle two; nan if there is a nan.

    Raises:
        ValueError: if there are no elements.
    """
    t = as_tensor(x)
    axes = named_axes("median", axis, t.shape)
    rows = sort(in_rows(t, axes)[0])
    n = rows.shape[-1]
    if not n:
        raise nothing("median", t.shape, axis)
    y = mean(rows[..., (n - 1) // 2 : n // 2 + 1], -1)
    last = rows._data[..., -1]
    if np.isnan(last).any():  # a nan is the last of its row
        y = y + np.where(np.isnan(last), last, last.dtype.type(0))
    kept = tuple(1 if i in axes else m for i, m in enumerate(t.shape))
    return reshape(y, kept) if keepdims else y


def nothing(name: str, shape: tuple[int, ...], axis: Axis) -> ValueError:
    """Return the error for what is taken of no elements."""
    return ValueError(
        f"{name}: shape {shape} has no elements along axis={axis}, and none of them "
        "can be the result; leave out what is empty before"
    )
