"""Axes of an operation: normalized numbers, and errors about them (chapter 10)."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.exceptions import AxisError

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.ops.shapes import reshape
from autograd_lib.engine.tape.mode import is_recording
from autograd_lib.engine.tape.record import array
from autograd_lib.engine.tape.tensor import Tensor, constant

Axis = int | tuple[int, ...] | None


def as_tensor(x: Any) -> Tensor:
    """Return a tensor unchanged, and anything else as a constant."""
    return x if type(x) is Tensor else constant(numpy().asarray(array(x)))


def needs_gradient(*tensors: Tensor) -> bool:
    """Return whether a result of these tensors would be recorded."""
    return is_recording() and any(t.node is not None for t in tensors)


def along(
    name: str, function: Callable[..., Any], a: Any, axis: Axis, **options: Any
) -> Any:
    """Return ``function(a, axis=axis, …)``, with errors that name the operation.

    Raises:
        AxisError: if an axis is out of range, or named twice.
    """
    if type(a) is not np.ndarray:  # a stand-in that `compile` records (chapter 22)
        function = getattr(type(a), function.__name__, function)
    try:
        return function(a, axis=axis, **options)
    except AxisError:
        raise wrong_axis(name, axis, np.shape(a)) from None
    except ValueError as error:
        if not any(word in str(error) for word in ("duplicate", "repeated")):
            raise
        raise wrong_axis(name, axis, np.shape(a)) from None


def wrong_axis(name: str, axis: Any, shape: tuple[int, ...]) -> AxisError:
    """Return the error that lists the existing axes."""
    n = len(shape)
    which = f"its axes are {-n} to {n - 1}, each named once" if n else "it has no axes"
    return AxisError(f"{name}: axis={axis} does not fit shape {shape}; {which}")


def named_axes(name: str, axis: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the axes as a tuple of numbers from 0 up; all axes for None.

    Raises:
        AxisError: if an axis is out of range, or named twice.
        TypeError: if one isn't a whole number.
    """
    n = len(shape)
    if axis is None:
        return tuple(range(n))
    axes = tuple(axis) if isinstance(axis, tuple | list) else (axis,)
    axes = tuple(whole_number(name, a, axis) for a in axes)
    found = {a % n for a in axes if -n <= a < n}
    if len(found) < len(axes):
        raise wrong_axis(name, axis, shape)
    return tuple(a % n for a in axes)


def whole_number(name: str, a: Any, axis: Any) -> int:
    """Return one of the axes as Python's integer.

    Raises:
        TypeError: if it isn't a whole number; a truth value isn't either.
    """
    try:
        if isinstance(a, bool | np.bool):
            raise TypeError
        return operator.index(a)
    except (TypeError, ValueError):
        lists = isinstance(axis, Tensor | np.ndarray)
        way = "; several tensors are given in one list, [x, y]" if lists else ""
        raise TypeError(
            f"{name}: axis is a whole number, got {axis!r:.60}{way}"
        ) from None


def one_axis(name: str, axis: Any, shape: tuple[int, ...]) -> int:
    """Return the axis as a number from 0 up.

    Raises:
        AxisError: if the axis is out of range.
        TypeError: if it isn't one whole number.
    """
    if axis is None or isinstance(axis, tuple | list):
        raise TypeError(
            f"{name}: axis is one whole number, got {axis!r:.60}; call {name} for "
            "each axis in turn, or put axes together with reshape before"
        )
    return named_axes(name, axis, shape)[0]


def row_or_axis(name: str, x: Any, axis: int | None) -> tuple[Tensor, int]:
    """Return x and the axis from 0 up; for None, all elements in one row and axis 0.

    NumPy treats a 0-d array as a row of one, so its axis can be 0 or -1.
    """
    t = as_tensor(x)
    if axis is None:
        return reshape(t, (-1,)), 0
    if t.ndim == 0:
        t = reshape(t, (-1,))
    return t, one_axis(name, axis, t.shape)


def on_axis(axis: int, index: Any) -> tuple[Any, ...]:
    """Return an index into one axis that takes all elements of the others."""
    return (slice(None),) * axis + (index,)


def in_rows(x: Any, axes: tuple[int, ...]) -> tuple[Any, Callable[[Any], Any]]:
    """Return x with the axes merged into a last one, and a function that undoes it."""
    others = [a for a in range(x.ndim) if a not in axes]
    order = [*others, *axes]
    moved = x.transpose(order)
    shape = moved.shape
    length = math.prod(shape[len(others) :])

    def back(rows: Any) -> Any:
        places = [order.index(a) for a in range(len(order))]
        return rows.reshape(shape).transpose(places)

    return moved.reshape((*shape[: len(others)], length)), back
