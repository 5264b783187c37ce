"""Writes at many places at once: ``np.add.at`` and ``np.put_along_axis`` (chapter 14).

`t[index] += values` reads, adds and writes, so that a place named twice is written
twice with the same sum, and one of the values is lost. ``np.add.at`` adds every value:
it is the transpose of indexing, and its gradient is the gradient at the index.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.numpy.mistakes import wrong_index, wrong_value
from autograd_lib.engine.numpy.protocol import WRITE_AT, gradient_needed, operation
from autograd_lib.engine.ops.axes import as_tensor, one_axis
from autograd_lib.engine.ops.indexing import plain_index, scatter
from autograd_lib.engine.ops.sums import broadcast_to
from autograd_lib.engine.ops.taking import out_of_range, whole
from autograd_lib.engine.tape.record import array
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.engine.writes.in_place import setitem


def placed(name: str, x: Tensor, index: Any, values: Any) -> Tensor:
    """Return zeros in x's shape, to which values are added at an index.

    Raises:
        IndexError: if the index doesn't fit x.
        ValueError: if the values don't broadcast to the places that it names.
    """
    index = plain_index(index)
    try:
        shape = x._array[index].shape
    except IndexError as error:
        raise wrong_index(index, x.shape, error) from None
    try:
        spread = broadcast_to(as_tensor(values), shape)
    except ValueError:
        raise wrong_value(name, array(values), shape) from None
    added: Tensor = scatter(spread, (index, x.shape))
    return added


def add_at(x: Any, index: Any, values: Any) -> None:
    """Add values to x at an index, in place; at a place named twice, both.

    It is ``np.add.at(x, index, values)``: the sums of messages in a graph, a histogram
    with weights, the gradient of an embedding.

    Raises:
        IndexError: if the index doesn't fit x.
        RuntimeError: if x is a leaf that needs a gradient, or a view of one.
        ValueError: if the values don't broadcast to the places that it names.
    """
    x += placed("numpy.add.at", x, index, values)


def subtract_at(x: Any, index: Any, values: Any) -> None:
    """Subtract values from x at an index, in place; as `add_at`."""
    x -= placed("numpy.subtract.at", x, index, values)


WRITE_AT[np.add], WRITE_AT[np.subtract] = add_at, subtract_at


@operation(np.put_along_axis)
def put_along_axis(x: Any, indices: Any, values: Any, axis: int | None) -> None:
    """Write values into each line of x along an axis, at the indices for that line.

    So ``np.put_along_axis(t, labels[:, None], 1.0, 1)`` makes rows of zeros one-hot. Of
    several values for one place the last counts.

    Args:
        x: a tensor, which is written into.
        indices: integers, with as many axes as x.
        values: what is written; it broadcasts to the indices.
        axis: the axis, or None for the elements of x in one row.

    Raises:
        IndexError: if a number is out of range.
        RuntimeError: if x is a leaf that needs a gradient, or a view of one.
        TypeError: if x is an array, and the values need a gradient.
        ValueError: if the shapes do not fit.
    """
    if not isinstance(x, Tensor):
        if gradient_needed((values,)):
            raise TypeError(
                "put_along_axis: an array would lose the gradient of the values; write "
                "into a tensor, such as Tensor(a)"
            )
        np.put_along_axis(x, array(indices), array(values), axis)
        return
    numbers = whole("put_along_axis", indices)
    if axis is None:
        if numbers.ndim != 1:
            raise ValueError(
                "put_along_axis: with axis=None the indices are one row, got shape "
                f"{numbers.shape}"
            )
        setitem(x, np.unravel_index(numbers, x.shape), values)
        return
    axis = one_axis("put_along_axis", axis, x.shape)
    if numbers.ndim != x.ndim:
        raise ValueError(
            f"put_along_axis: indices of shape {numbers.shape} must have as many axes "
            f"as x, of shape {x.shape}; expand_dims(indices, {axis}) adds one"
        )
    lines: list[Any] = list(np.ogrid[tuple(slice(n) for n in x.shape)])
    lines[axis] = numbers
    if (
        numbers.size
        and not -x.shape[axis] <= numbers.min() <= numbers.max() < (x.shape[axis])
    ):
        raise out_of_range("put_along_axis", numbers, axis, x.shape)
    setitem(x, tuple(lines), values)
