"""Products of vectors, of stacks of vectors, and with matrices (chapter 10)."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.axes import as_tensor, one_axis
from autograd_lib.engine.ops.complex_parts import conj
from autograd_lib.engine.ops.einsum import einsum
from autograd_lib.engine.ops.products import outer
from autograd_lib.engine.ops.shapes import moveaxis
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.record import binary
from autograd_lib.engine.tape.tensor import Tensor


@operation(np.linalg.outer)
def outer_of_vectors(x1: Any, x2: Any) -> Tensor:
    """Return each element of a vector times each of another, as a matrix.

    Raises:
        ValueError: if one isn't a vector, which `numpy.outer` accepts.
    """
    shapes = as_tensor(x1).shape, as_tensor(x2).shape
    if any(len(shape) != 1 for shape in shapes):
        raise ValueError(
            f"outer: numpy.linalg.outer needs two vectors, got shapes {shapes[0]} and "
            f"{shapes[1]}; numpy.outer flattens them"
        )
    return outer(x1, x2)


@operation(np.vecdot, np.linalg.vecdot)
def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Tensor:
    """Return the sums of products along an axis; the others are broadcast.

    If x1 is complex, it is conjugated.

    Raises:
        ValueError: if the axes differ in length, or the others do not broadcast.
    """
    x, y = (along_last("vecdot", t, axis) for t in (x1, x2))
    x = conj(x)
    return fitting("vecdot", "...i,...i->...", x, y, x.shape[-1] == y.shape[-1])


def matvec(x1: Any, x2: Any) -> Tensor:
    """Return matrices times vectors, both in the last axes of stacks.

    Raises:
        ValueError: if the axes that are summed differ in length, or the others do not
            broadcast.
    """
    x, y = as_tensor(x1), as_tensor(x2)
    known = x.ndim > 1 and x.shape[-1:] == y.shape[-1:]
    return fitting("matvec", "...ij,...j->...i", x, y, known)


def vecmat(x1: Any, x2: Any) -> Tensor:
    """Return vectors times matrices, both in the last axes of stacks.

    Complex vectors are conjugated.

    Raises:
        ValueError: if the axes that are summed differ in length, or the others do not
            broadcast.
    """
    x, y = conj(as_tensor(x1)), as_tensor(x2)
    known = y.ndim > 1 and x.shape[-1:] == y.shape[-2:-1]
    return fitting("vecmat", "...i,...ij->...j", x, y, known)


for function, ours in (("matvec", matvec), ("vecmat", vecmat)):
    if hasattr(np, function):  # since NumPy 2.2
        operation(getattr(np, function))(ours)


def fitting(name: str, subscripts: str, x: Tensor, y: Tensor, fits: bool) -> Tensor:
    """Return the sum of products if `fits`, or raise an error that shows the shapes."""
    try:
        if fits:
            return einsum(subscripts, x, y)
    except ValueError:  # the other axes don't broadcast
        pass
    raise ValueError(
        f"{name}: shapes {x.shape} and {y.shape} do not fit {subscripts!r}: the axes "
        "with one letter must be of one length, and those before them broadcast"
    )


def along_last(name: str, x: Any, axis: int) -> Tensor:
    """Return x with an axis moved to the end."""
    t = as_tensor(x)
    return moveaxis(t, one_axis(name, axis, t.shape), -1)


@operation(np.cross)
def cross(
    a: Any,
    b: Any,
    axisa: int = -1,
    axisb: int = -1,
    axisc: int = -1,
    axis: int | None = None,
) -> Tensor:
    """Return the cross product of vectors of three elements.

    Args:
        a: the left factor; its axes besides that of the vectors are broadcast.
        b: the right factor.
        axisa: the axis of a's vectors.
        axisb: the axis of b's vectors.
        axisc: the axis of the result's vectors.
        axis: one axis for all three.

    Raises:
        ValueError: if the vectors don't have three elements.
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = along_last("cross", a, axisa), along_last("cross", b, axisb)
    if x.shape[-1] != 3 or y.shape[-1] != 3:
        raise ValueError(
            f"cross: needs vectors of 3 elements, got {x.shape[-1]} and "
            f"{y.shape[-1]}; for 2, x[..., 0]*y[..., 1] - x[..., 1]*y[..., 0]"
        )
    try:
        z = binary(np.cross, x, crossed_before, y, y, crossed_after, x)
    except ValueError:
        raise ValueError(
            f"cross: stacks of vectors of shapes {x.shape} and {y.shape} must broadcast"
        ) from None
    return moveaxis(z, -1, one_axis("cross", axisc, z.shape))


@rule("linear", lambda t, y: np.cross(t, y), broadcasts=True)
def crossed_before(g: Any, y: Any) -> Any:
    """X̄ = Y×Z̄ for Z = X×Y."""
    return np.cross(y, g)


@rule("linear", lambda t, x: np.cross(x, t), broadcasts=True)
def crossed_after(g: Any, x: Any) -> Any:
    """Ȳ = Z̄×X for Z = X×Y."""
    return np.cross(g, x)


@operation(np.linalg.cross)
def cross_of_vectors(x1: Any, x2: Any, /, *, axis: int = -1) -> Tensor:
    """Return the cross product of vectors, as `cross` does."""
    return cross(x1, x2, axis=axis)
