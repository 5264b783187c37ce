"""Maximum, minimum, median and sorting (chapter 10).

If several elements are the largest, each gets an equal share of the gradient, so the
result doesn't depend on the order of the elements.

Tensors have no method `sort`: that of NumPy's arrays sorts in place and returns None,
and a write that moves elements under an existing name is easily misread.
``np.sort(t)`` returns a tensor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.mistakes import unknown_keywords
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.arithmetic import array_of, subtract
from autograd_lib.engine.ops.axes import (
    Axis,
    along,
    as_tensor,
    in_rows,
    named_axes,
    one_axis,
)
from autograd_lib.engine.ops.choices import keep_where, maximum, minimum
from autograd_lib.engine.ops.options import is_half, prepared, reduced
from autograd_lib.engine.ops.reductions import mean
from autograd_lib.engine.ops.shapes import ravel, reshape
from autograd_lib.engine.ops.sums import broadcast_to, spread
from autograd_lib.engine.rules import linear_map, rule
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import OUTPUT, array, result
from autograd_lib.engine.tape.tensor import Tensor


@operation(np.max, np.amax)
def max(
    x: Any,
    axis: Axis = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
    **unknown: Any,
) -> Tensor:
    """Return the largest element, or the largest along axes, without their indices.

    It is NaN if an element is. `np.argmax` returns the indices. PyTorch's `max` with an
    axis returns both; here ``values, indices = x.max(axis=1)`` is refused, which would
    unpack rows.

    Args:
        x: a tensor or an array.
        axis: an axis, several, or None for all.
        out: must be None.
        keepdims: whether the axes are kept, with length 1.
        initial: a number that takes part, for each result.
        where: which elements take part; it needs an `initial`.

    Raises:
        ValueError: if there are no elements.
    """
    if unknown:
        raise unknown_keywords("max", max, unknown)
    if out is not None or initial is not None or where is not True:
        return reduce_with_initial(
            "max", maximum, x, axis, out, keepdims, initial, where
        )
    return extreme("max", np.ndarray.max, x, axis, keepdims)


@operation(np.min, np.amin)
def min(
    x: Any,
    axis: Axis = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
    **unknown: Any,
) -> Tensor:
    """Return the smallest element, or the smallest along axes; NaN if an element is.

    The arguments are those of `max`.

    Raises:
        ValueError: if there are no elements.
    """
    if unknown:
        raise unknown_keywords("min", min, unknown)
    if out is not None or initial is not None or where is not True:
        return reduce_with_initial(
            "min", minimum, x, axis, out, keepdims, initial, where
        )
    return extreme("min", np.ndarray.min, x, axis, keepdims)


def reduce_with_initial(
    name: str,
    of_two: Callable[[Any, Any], Tensor],
    x: Any,
    axis: Axis,
    out: Any,
    keepdims: bool,
    initial: Any,
    where: Any,
) -> Tensor:
    """Return the largest or smallest of `initial` and the selected elements.

    Raises:
        ValueError: if `where` is given without `initial`.
    """
    if initial is None and where is not True:
        raise ValueError(
            f"{name}: where= needs initial=, the result where no element takes part; "
            f"give a number, such as {'-' * (name == 'max')}np.inf"
        )
    f = max if name == "max" else min
    t = prepared(name, x, None, out, where, limit(name, as_tensor(x).dtype))
    axes = named_axes(name, axis, t.shape) if t.ndim else ()
    if not t.size:
        kept = tuple(1 if i in axes else n for i, n in enumerate(t.shape))
        if not keepdims:
            kept = tuple(n for i, n in enumerate(t.shape) if i not in axes)
        first: Any = initial
        if type(initial) is not Tensor:
            first = numpy().asarray(initial, t.dtype)
        return broadcast_to(first, kept)
    return reduced(f, t, axis, keepdims, of_two, initial)


def limit(name: str, dtype: np.dtype[Any]) -> Any:
    """Return the number of a type that no number is less than, or greater than."""
    if dtype.kind in "fc":
        return -np.inf if name == "max" else np.inf
    if dtype.kind == "b":
        return name == "min"
    of_type = np.iinfo(dtype)
    return of_type.min if name == "max" else of_type.max


@operation(np.ptp)
def ptp(x: Any, axis: Axis = None, out: Any = None, keepdims: bool = False) -> Tensor:
    """Return the largest minus the smallest."""
    x = x if out is None else prepared("ptp", x, None, out)
    return subtract(max(x, axis, keepdims=keepdims), min(x, axis, keepdims=keepdims))


def extreme(
    name: str, function: Callable[..., Any], x: Any, axis: Axis, keepdims: bool
) -> Tensor:
    """Return the largest or the smallest element, along axes."""
    a = numpy().asarray(array(x))
    if not a.size and not all(a.shape[i] for i in named_axes(name, axis, a.shape)):
        raise empty_error(name, a.shape, axis)
    y = along(name, function, a, axis, keepdims=keepdims)
    saved = Saved(x, OUTPUT, (a.shape, axis, keepdims))
    return result(y, x, to_winners, saved, function)


@rule("reducing", lambda saved: saved[2][1:], complex=True)
def to_winners(g: Any, saved: Any) -> Any:
    """Share the gradient among the elements that equal the result."""
    x, y, to = saved
    x, y = array_of(x), array_of(y)
    wins = x == spread(y, to)
    if np.isnan(y).any():
        wins |= np.isnan(x)
    half = is_half(x)
    dtype = np.float32 if half else x.dtype.newbyteorder("=")
    share = g / wins.sum(axis=to[1], dtype=dtype).reshape(y.shape)
    share = np.astype(share, g.dtype) if half else share
    return keep_where(spread(share, to), wins)


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
    a = numpy().asarray(array(x))
    axis = one_axis("sort", axis, a.shape)
    return permuted(x, np.argsort(a, axis, kind="stable"), axis)


def permuted(x: Any, order: np.ndarray, axis: int) -> Tensor:
    """Return the elements along an axis in the given order."""
    y = np.take_along_axis(array(x), order, axis)
    return result(y, x, back_to_places, (order, axis))


def in_order(g: Any, saved: tuple[np.ndarray, int]) -> Any:
    """Put the gradients in the order of the result."""
    return np.take_along_axis(g, *saved)


@linear_map(transpose=in_order)
def back_to_places(g: Any, saved: tuple[np.ndarray, int]) -> Any:
    """Put each gradient back at its element's place."""
    order, axis = saved
    d = numpy().empty(g.shape, g.dtype)
    np.put_along_axis(d, order, g, axis)
    return d


@operation(np.median)
def median(
    x: Any,
    axis: Axis = None,
    out: Any = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> Tensor:
    """Return the middle element, or the mean of the middle two; NaN if an element is.

    Args:
        x: a tensor or an array.
        axis: an axis, several, or None for all.
        out: must be None.
        overwrite_input: has no effect; the input is never overwritten.
        keepdims: whether the axes are kept, with length 1.

    Raises:
        ValueError: if there are no elements.
    """
    t = prepared("median", x, None, out)
    axes = named_axes("median", axis, t.shape)
    rows = sort(in_rows(t, axes)[0])
    n = rows.shape[-1]
    if not n:
        raise empty_error("median", t.shape, axis)
    y = mean(rows[..., (n - 1) // 2 : n // 2 + 1], -1)
    last = rows._array[..., -1]
    if np.isnan(last).any():  # a nan is the last of its row
        y = y + np.where(np.isnan(last), last, last.dtype.type(0))
    kept = tuple(1 if i in axes else m for i, m in enumerate(t.shape))
    return reshape(y, kept) if keepdims else y


def empty_error(name: str, shape: tuple[int, ...], axis: Axis) -> ValueError:
    """Return the error for a minimum or the like of an empty array."""
    return ValueError(
        f"{name}: shape {shape} has no elements along axis={axis}, and none of them "
        "can be the result; leave out what is empty before"
    )
