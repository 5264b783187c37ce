"""The same elements in another order, and with axes of length 1 (chapter 10).

No element is added or dropped, so the gradient is rearranged in the reverse way.
Flipping an axis makes a view, as in NumPy; shifting elements along an axis makes a
copy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.arithmetic import array_of
from autograd_lib.engine.ops.axes import (
    Axis,
    along,
    as_tensor,
    named_axes,
    one_axis,
    wrong_axis,
)
from autograd_lib.engine.ops.shapes import (
    back_to_shape,
    by_columns,
    reshape,
    swapaxes,
    transpose,
)
from autograd_lib.engine.rules import rule, view
from autograd_lib.engine.tape.record import result
from autograd_lib.engine.tape.tensor import Tensor


@operation(np.flip)
def flip(x: Any, axis: Axis = None) -> Tensor:
    """Return the elements in reverse order along all axes, or along those given."""
    axis = fixed(axis)
    y = along("flip", np.flip, as_tensor(x)._array, axis)
    return view(y, x, flipped_back, axis)


@rule("view", lambda a, axis, _: np.flip(a, axis), complex=True)
def flipped_back(g: Any, axis: Axis) -> Any:
    """Flip the same axes again."""
    return np.flip(g, axis)


@operation(np.flipud)
def flipud(x: Any) -> Tensor:
    """Return the rows in reverse order."""
    return flip(x, 0)


@operation(np.fliplr)
def fliplr(x: Any) -> Tensor:
    """Return the columns in reverse order."""
    return flip(x, 1)


@operation(np.roll)
def roll(x: Any, shift: Any, axis: Axis = None) -> Tensor:
    """Return the elements shifted along axes, or all of them in one row.

    Elements that are shifted beyond the end reappear at the front.
    """
    shift, axis = fixed(shift), fixed(axis)
    y = along("roll", rolled, as_tensor(x)._array, axis, shift=shift)
    return result(y, x, rolled_back, (shift, axis))


def fixed(several: Any) -> Any:
    """Return a number unchanged, and several as a tuple, which cannot change."""
    several = array_of(several)
    return tuple(numpy().asarray(several).tolist()) if np.ndim(several) else several


def rolled(a: np.ndarray, axis: Axis, shift: Any) -> np.ndarray:
    """Call NumPy's function, whose second argument is the shift."""
    return np.roll(a, shift, axis)


@rule("linear", lambda t, saved: np.roll(t, *saved), complex=True)
def rolled_back(g: Any, saved: Any) -> Any:
    """Shift the gradient back."""
    shift, axis = saved
    return np.roll(g, tuple(-s for s in shift) if np.ndim(shift) else -shift, axis)


@operation(np.rot90)
def rot90(x: Any, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Tensor:
    """Return the elements rotated k times by 90°, from the first axis to the second.

    Raises:
        ValueError: if `axes` is not two different axes.
    """
    t = as_tensor(x)
    pair = named_axes("rot90", tuple(axes), t.shape)
    if len(pair) != 2:
        raise wrong_axis("rot90", axes, t.shape)
    if k % 2 == 0:
        return flip(t, pair if k % 4 else ())
    if k % 4 == 1:
        return swapaxes(flip(t, pair[1]), *pair)
    return flip(swapaxes(t, *pair), pair[1])


@operation(np.rollaxis)
def rollaxis(x: Any, axis: int, start: int = 0) -> Tensor:
    """Return x with an axis moved in front of that at `start`; moveaxis is clearer."""
    t = as_tensor(x)
    axis = one_axis("rollaxis", axis, t.shape)
    if not -t.ndim <= start <= t.ndim:
        raise wrong_axis("rollaxis: start", start, t.shape)
    start = start + t.ndim * (start < 0)
    order = [i for i in range(t.ndim) if i != axis]
    order.insert(start - (axis < start), axis)
    return transpose(t, tuple(order))


@operation(np.atleast_1d)
def atleast_1d(*xs: Any) -> Any:
    """Return each argument with at least one axis."""
    return each(xs, lambda shape: shape or (1,))


@operation(np.atleast_2d)
def atleast_2d(*xs: Any) -> Any:
    """Return each argument with at least two axes, new ones in front."""
    return each(xs, lambda shape: (1,) * (2 - len(shape)) + shape)


@operation(np.atleast_3d)
def atleast_3d(*xs: Any) -> Any:
    """Return each argument with at least three axes; a vector is along the second."""

    def three(shape: tuple[int, ...]) -> tuple[int, ...]:
        front = (1,) * (2 - len(shape))
        return front + shape + (1,) * (3 - len(front + shape))

    return each(xs, three)


def each(xs: tuple[Any, ...], shape: Any) -> Any:
    """Return each x as a tensor of the shape that a function returns for its shape."""
    tensors = [as_tensor(x) for x in xs]
    found = [
        t if shape(t.shape) == t.shape else reshape(t, shape(t.shape)) for t in tensors
    ]
    return found[0] if len(found) == 1 else tuple(found)


def flatten(x: Tensor, order: str = "C") -> Tensor:
    """Return a copy of all elements along one axis, by rows, or by columns for "F"."""
    x = x if order == "C" else by_columns("flatten", x, -1, order)
    return result(x._array.flatten(), x, back_to_shape, x.shape)
