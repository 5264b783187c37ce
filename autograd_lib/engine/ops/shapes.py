"""The same elements in another shape or order of axes (chapter 10).

All of these are views where NumPy returns views. None adds or drops an element, so each
rule reverses the operation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.mistakes import misfit, unknown_keywords
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.rules import rule, view
from autograd_lib.engine.tape.record import array
from autograd_lib.engine.tape.tensor import Tensor

Axes = int | tuple[int, ...]


@operation(np.reshape)
def reshape(x: Any, shape: Axes, order: str = "C") -> Tensor:
    """Return the elements, row by row, in another shape; -1 is inferred from the rest.

    Args:
        x: a tensor or an array.
        shape: the shape.
        order: "F" to go column by column, in x and in the result.
    """
    if order != "C":
        return by_columns("reshape", x, shape, order)
    a = array(x)
    try:
        y = a.reshape(shape)
    except (TypeError, ValueError) as error:
        raise misfit("reshape", a.shape, error, shape=shape) from None
    return view(y, x, back_to_shape, a.shape)


def by_columns(name: str, x: Any, shape: Axes, order: str) -> Tensor:
    """Return the elements, column by column, in another shape.

    Raises:
        ValueError: if the order is neither "C" nor "F".
    """
    if order == "C":
        return reshape(x, shape)
    check_order(name, order)
    reverse = shape[::-1] if isinstance(shape, tuple | list) else shape
    return transpose(reshape(transpose(x), reverse))


def check_order(name: str, order: str) -> None:
    """Raise ValueError if the order is neither "C" nor "F"."""
    if order not in ("C", "F"):
        raise ValueError(
            f"{name}: order must be 'C' or 'F', got {order!r}; what others do depends "
            "on how the elements lie in memory. Rows stay in t.reshape(len(t), -1)"
        )


@rule("view", lambda a, _, shape: a.reshape(shape), complex=True)
def back_to_shape(g: Any, shape: tuple[int, ...]) -> Any:
    """Reshape the gradient to the input's shape."""
    return g.reshape(shape)


@operation(np.transpose)
def transpose(x: Any, axes: Axes | None = None) -> Tensor:
    """Return x with the axes in another order, by default the reverse."""
    a = array(x)
    if axes is None:
        axes = tuple(range(a.ndim))[::-1]
    elif isinstance(axes, int | np.integer):
        axes = (int(axes),)
    try:
        y = a.transpose(axes)
    except (TypeError, ValueError) as error:
        if len(axes) == 2 < a.ndim:  # as in PyTorch
            error = ValueError(f"{error}; two axes change places in t.swapaxes{axes}")
        raise misfit("transpose", a.shape, error, axes=axes) from None
    places = tuple(axis % a.ndim for axis in axes)
    return view(y, x, back_to_axes, tuple(map(places.index, range(a.ndim))))


@rule("view", lambda a, places, _: a.transpose(np.argsort(places)), complex=True)
def back_to_axes(g: Any, places: tuple[int, ...]) -> Any:
    """Put the gradient's axes back in their order."""
    return g.transpose(places)


@operation(np.swapaxes)
def swapaxes(x: Any, axis1: int, axis2: int) -> Tensor:
    """Return x with two axes exchanged."""
    a = array(x)
    try:
        y = a.swapaxes(axis1, axis2)
    except (TypeError, ValueError) as error:
        axes = {"axis1": axis1, "axis2": axis2}
        raise misfit("swapaxes", a.shape, error, **axes) from None
    return view(y, x, swapped_back, (axis1, axis2))


@rule("view", lambda a, axes, _: a.swapaxes(*axes), complex=True)
def swapped_back(g: Any, axes: tuple[int, int]) -> Any:
    """Exchange the same axes again."""
    return g.swapaxes(*axes)


@operation(np.moveaxis)
def moveaxis(x: Any, source: Axes, destination: Axes) -> Tensor:
    """Return x with some axes moved, and the rest in their order."""
    a = array(x)
    try:
        places = np.moveaxis(numpy().empty([0] * a.ndim), source, destination)
    except (TypeError, ValueError) as error:
        axes = {"source": source, "destination": destination}
        raise misfit("moveaxis", a.shape, error, **axes) from None
    source, destination = axes_of(source, a.ndim), axes_of(destination, a.ndim)
    order = [axis for axis in range(places.ndim) if axis not in source]
    for to, axis in sorted(zip(destination, source, strict=True)):
        order.insert(to, axis)
    return transpose(x, tuple(order))


@operation(np.squeeze)
def squeeze(x: Any, axis: Axes | None = None, **unknown: Any) -> Tensor:
    """Return x without axes of length 1: all of them, or those given."""
    if unknown:
        raise unknown_keywords("squeeze", squeeze, unknown)
    a = array(x)
    try:
        y = a.squeeze(axis)
    except (TypeError, ValueError) as error:
        raise misfit("squeeze", a.shape, error, axis=axis) from None
    return view(y.view() if y is a else y, x, back_to_shape, a.shape)


@operation(np.expand_dims)
def expand_dims(x: Any, axis: Axes) -> Tensor:
    """Return x with new axes of length 1 at the given places."""
    a = array(x)
    try:
        y = np.expand_dims(a, axis)
    except (TypeError, ValueError) as error:
        raise misfit("expand_dims", a.shape, error, axis=axis) from None
    return view(y, x, back_to_shape, a.shape)


@operation(np.ravel)
def ravel(x: Any, order: str = "C") -> Tensor:
    """Return all elements along one axis, row by row, or column by column for "F".

    If they are contiguous in that order, it is a view, else a copy. (`reshape` returns
    a view wherever that is possible.)
    """
    if order != "C":
        check_order("ravel", order)
        x = transpose(x)
    a = array(x)
    return view(a.ravel(), x, back_to_shape, a.shape)


def axes_of(axes: Axes, ndim: int) -> tuple[int, ...]:
    """Return the axes as a tuple of numbers from 0 up."""
    several = axes if isinstance(axes, tuple | list) else (axes,)
    return tuple(axis % ndim for axis in several)


def reshape_method(x: Tensor, *shape: Any, order: str = "C") -> Tensor:
    """Return x in another shape, given as numbers or as a tuple."""
    return reshape(x, shape[0] if len(shape) == 1 else shape, order)


def transpose_method(x: Tensor, *axes: Any) -> Tensor:
    """Return x with the axes in another order, given as numbers or as a tuple."""
    one = len(axes) == 1 and not isinstance(axes[0], int)
    return transpose(x, axes[0] if one else axes or None)
