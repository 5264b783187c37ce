"""Inserting, deleting, appending and building from blocks (chapter 10).

Where each element goes is found by doing the same to the elements' indices. The rest is
concatenation and indexing.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.arithmetic import array_of
from autograd_lib.engine.ops.axes import as_tensor, on_axis, one_axis, row_or_axis
from autograd_lib.engine.ops.choices import where
from autograd_lib.engine.ops.copies import astype
from autograd_lib.engine.ops.indexing import getitem
from autograd_lib.engine.ops.joining import concatenate
from autograd_lib.engine.ops.shapes import ravel, reshape
from autograd_lib.engine.tape.tensor import Tensor


@operation(np.append)
def append(x: Any, values: Any, axis: int | None = None) -> Tensor:
    """Return x followed by the values, along an axis, or all elements in one row."""
    return concatenate([as_tensor(x), as_tensor(values)], axis)


@operation(np.delete)
def delete(x: Any, obj: Any, axis: int | None = None) -> Tensor:
    """Return x without the slices along an axis, or elements, that `obj` selects.

    Args:
        x: a tensor or an array.
        obj: a number, several, a slice, or a truth value for each row.
        axis: the axis, or None for the elements of x in one row.

    Raises:
        IndexError: if a number is out of range.
    """
    t, axis = row_or_axis("delete", x, axis)
    kept = np.delete(numpy().arange(t.shape[axis]), array_of(obj))
    return getitem(t, on_axis(axis, kept))


@operation(np.insert)
def insert(x: Any, obj: Any, values: Any, axis: int | None = None) -> Tensor:
    """Return x with values inserted before the slices, or elements, at `obj`.

    Args:
        x: a tensor or an array, whose type the result has.
        obj: a number, several, a slice, or a truth value for each row.
        values: the values, broadcast to fit.
        axis: the axis, or None for the elements of x in one row.

    Raises:
        IndexError: if a number is out of range.
        TypeError: if x holds integers and the values need a gradient.
        ValueError: if the values do not fit.
    """
    t, new = as_tensor(x), as_tensor(values)
    if axis is not None:
        axis = one_axis("insert", axis, t.shape)
    if new.node is not None and t.dtype.kind not in "fc":
        raise TypeError(
            f"insert: a tensor of {t.dtype} would lose the gradient of the values; "
            "make it of floats"
        )
    numbers = numpy().arange(t.size).reshape(t.shape)
    added = t.size + numpy().arange(new.size).reshape(new.shape)
    places = np.insert(numbers, array_of(obj), added, axis)
    pool = concatenate([ravel(t), ravel(astype(new, t.dtype))])
    return getitem(pool, (places,))


@operation(np.block)
def block(arrays: Any) -> Tensor:
    """Return one tensor built from nested lists of blocks.

    The innermost lists are joined along the last axis, those around them along the
    axis before it, and so on.

    Raises:
        ValueError: if the lists are not nested alike, one is empty, or shapes do not
            fit.
    """
    depth = depth_of(arrays)
    axes = reduce(max, (t.ndim for t in leaves(arrays)), depth)
    return assembled(arrays, depth, axes)


def depth_of(arrays: Any) -> int:
    """Return how deep lists are nested, which must be the same everywhere."""
    if not isinstance(arrays, list):
        return 0
    depths = {depth_of(part) for part in arrays}
    if len(depths) != 1:
        raise ValueError(
            "block: lists must be nested alike and none be empty; got depths "
            f"{sorted(depths)} side by side"
        )
    return 1 + depths.pop()


def leaves(arrays: Any) -> list[Tensor]:
    """Return all tensors in nested lists."""
    if isinstance(arrays, list):
        return [t for part in arrays for t in leaves(part)]
    return [as_tensor(arrays)]


def assembled(arrays: Any, depth: int, axes: int) -> Tensor:
    """Return nested lists joined, the innermost along the last of `axes` axes."""
    if isinstance(arrays, list):
        parts = [assembled(part, depth - 1, axes) for part in arrays]
        return concatenate(parts, axes - depth)
    t = as_tensor(arrays)
    return reshape(t, (1,) * (axes - t.ndim) + t.shape)


@operation(np.select)
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Tensor:
    """Return, at each place, the choice of the first condition that is true there.

    Args:
        condlist: arrays of truth values.
        choicelist: a tensor, an array or a number for each of them.
        default: the value where none is true.

    Raises:
        ValueError: if the numbers of conditions and choices differ, or are 0.
    """
    if len(condlist) != len(choicelist) or not len(condlist):
        raise ValueError(
            f"select: needs a choice for each condition, got {len(condlist)} "
            f"conditions and {len(choicelist)} choices"
        )
    y = default
    for condition, choice in zip(condlist[::-1], choicelist[::-1], strict=True):
        y = where(condition, choice, y)
    return as_tensor(y)
