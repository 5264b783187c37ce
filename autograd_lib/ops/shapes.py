"""The same elements in another shape or order of axes (chapter 12).

All of these are views where NumPy makes views. None adds or drops an element, so each
gradient goes the way back.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.primitive import VIEWS, array, operation, view
from autograd_lib.tensor import Tensor

Axes = int | tuple[int, ...]


@operation(np.reshape)
def reshape(x: Any, shape: Axes, order: str = "C") -> Tensor:
    """Return the elements, row by row, in another shape; -1 stands for what is left."""
    if order != "C":
        raise ValueError(f"reshape: order must be 'C', got {order!r}; transpose first")
    a = array(x)
    return view(a.reshape(shape), x, back_to_shape, a.shape)


def back_to_shape(g: Any, shape: tuple[int, ...]) -> Any:
    """Give the gradient the input's shape."""
    return g.reshape(shape)


@operation(np.transpose)
def transpose(x: Any, axes: tuple[int, ...] | None = None) -> Tensor:
    """Return the axes in another order, by default the reverse."""
    a = array(x)
    if axes is None:
        axes = tuple(range(a.ndim))[::-1]
    y = a.transpose(axes)
    places = tuple(axis % a.ndim for axis in axes)
    return view(y, x, back_to_axes, tuple(map(places.index, range(a.ndim))))


def back_to_axes(g: Any, places: tuple[int, ...]) -> Any:
    """Put the axes where they were."""
    return g.transpose(places)


@operation(np.swapaxes, method="swapaxes")
def swapaxes(x: Any, axis1: int, axis2: int) -> Tensor:
    """Return two axes in each other's place."""
    return view(array(x).swapaxes(axis1, axis2), x, swapped_back, (axis1, axis2))


def swapped_back(g: Any, axes: tuple[int, int]) -> Any:
    """Swap them once more."""
    return g.swapaxes(*axes)


@operation(np.moveaxis)
def moveaxis(x: Any, source: Axes, destination: Axes) -> Tensor:
    """Return some axes in other places, and the rest in their order."""
    a = array(x)
    places = np.moveaxis(np.empty([0] * a.ndim), source, destination)  # to check them
    source, destination = axes_of(source, a.ndim), axes_of(destination, a.ndim)
    order = [axis for axis in range(places.ndim) if axis not in source]
    for to, axis in sorted(zip(destination, source, strict=True)):
        order.insert(to, axis)
    return transpose(x, tuple(order))


@operation(np.squeeze, method="squeeze")
def squeeze(x: Any, axis: Axes | None = None) -> Tensor:
    """Return the elements without axes of length 1: all of them, or those given."""
    a = array(x)
    return view(a.squeeze(axis), x, back_to_shape, a.shape)


@operation(np.expand_dims)
def expand_dims(x: Any, axis: Axes) -> Tensor:
    """Return the elements with new axes of length 1 at the places given."""
    a = array(x)
    return view(np.expand_dims(a, axis), x, back_to_shape, a.shape)


@operation(np.ravel, method="ravel")
def ravel(x: Any) -> Tensor:
    """Return all elements, row by row, along one axis."""
    return reshape(x, -1)


def axes_of(axes: Axes, ndim: int) -> tuple[int, ...]:
    """Return axes counted from the front."""
    several = axes if isinstance(axes, tuple | list) else (axes,)
    return tuple(axis % ndim for axis in several)


def reshape_method(x: Tensor, *shape: Any) -> Tensor:
    """Return the elements in another shape, given as numbers or as a tuple."""
    return reshape(x, shape[0] if len(shape) == 1 else shape)


def transpose_method(x: Tensor, *axes: Any) -> Tensor:
    """Return the axes in another order, given as numbers or as a tuple."""
    one = len(axes) == 1 and not isinstance(axes[0], int)
    return transpose(x, axes[0] if one else axes or None)


VIEWS[back_to_shape] = lambda a, _, shape: a.reshape(shape)
VIEWS[back_to_axes] = lambda a, places, _: a.transpose(np.argsort(places))
VIEWS[swapped_back] = lambda a, axes, _: a.swapaxes(*axes)
for name, method in (
    ("reshape", reshape_method),
    ("transpose", transpose_method),
    ("T", property(transpose)),
):
    setattr(Tensor, name, method)
