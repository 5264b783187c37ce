"""Products that sum over chosen axes, or over none (chapter 10).

All are relatives of the matrix product. The gradient with respect to one factor is a
product of the gradient and the other factor, summed over the axes that only the other
factor has.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.arithmetic import multiply
from autograd_lib.engine.ops.axes import as_tensor
from autograd_lib.engine.ops.complex_parts import conjugate
from autograd_lib.engine.ops.matmul import matmul
from autograd_lib.engine.ops.shapes import reshape
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import array, binary
from autograd_lib.engine.tape.tensor import Tensor

Places = tuple[int, ...]


@operation(np.dot)
def dot(x: Any, y: Any) -> Tensor:
    """Return the sum of products over the last axis of x and the last but one of y.

    A vector y is summed over its only axis; if x or y is a number, they are multiplied.

    Raises:
        ValueError: if the axes differ in length.
    """
    a, b = numpy().asarray(array(x)), numpy().asarray(array(y))
    if a.ndim == 0 or b.ndim == 0:
        return multiply(x, y)
    if a.shape[-1] != b.shape[-2:][0]:
        raise ValueError(
            f"dot: sums over the last axis of x, of shape {a.shape}, and the last but "
            f"one of y, or its only one, of shape {b.shape}; they must be of one "
            "length, so transpose one of them"
        )
    if a.ndim <= 2 and b.ndim <= 2:
        return matmul(x, y)
    return tensordot(x, y, (-1, -2 if b.ndim > 1 else -1))


@operation(np.inner)
def inner(x: Any, y: Any) -> Tensor:
    """Return the sum of products over the last axis of both.

    Raises:
        ValueError: if they differ in length.
    """
    a, b = np.shape(array(x)), np.shape(array(y))
    if not a or not b:
        return multiply(x, y)
    if a[-1] != b[-1]:
        raise ValueError(
            f"inner: sums over the last axes, which must be of one length; got shapes "
            f"{a} and {b}; transpose one of them"
        )
    return tensordot(x, y, (-1, -1))


@operation(np.tensordot, np.linalg.tensordot)
def tensordot(x: Any, y: Any, axes: Any = 2) -> Tensor:
    """Return the sum of products over some axes of x and as many of y.

    The result has the other axes of x, then those of y.

    Args:
        x: the left factor.
        y: the right factor.
        axes: how many axes, the last of x and the first of y; or two numbers or two
            lists, axes of x and the matching axes of y.

    Raises:
        ValueError: if two matching axes differ in length, or one does not exist.
    """
    a, b = numpy().asarray(array(x)), numpy().asarray(array(y))
    left, right = pairs(axes, a.shape, b.shape)
    product = partial(np.tensordot, axes=(left, right))
    x, y = x if type(x) is Tensor else a, y if type(y) is Tensor else b
    return binary(
        product,
        x,
        vjp_left,
        Saved(y, left, right),
        y,
        vjp_right,
        Saved(x, left, right),
    )


def of_integers(axes: Any) -> bool:
    """Return whether an argument is an integer, or lists of integers."""
    if isinstance(axes, list | tuple | np.ndarray | range):
        return all(map(of_integers, axes))
    return isinstance(axes, int | np.integer) and type(axes) is not bool


def pairs(axes: Any, x: Places, y: Places) -> tuple[Places, Places]:
    """Return the summed axes of x and the matching ones of y, as numbers from 0 up."""
    sides: Any = axes
    if not of_integers(axes):
        raise TypeError(
            "tensordot: axes is a number of axes or two lists of axes, "
            f"got {axes!r:.60}"
        )
    if np.isscalar(axes):
        n: Any = axes
        sides = range(len(x) - n, len(x)), range(n)
    numbers = [np.ravel(side).tolist() for side in sides]
    left, right = numbers if len(numbers) == 2 else ([0], [])
    fits = len(left) == len(right)
    for i, j in zip(left, right, strict=False):
        known = -len(x) <= i < len(x) and -len(y) <= j < len(y)
        fits = fits and known and x[i] == y[j]
    places = [{i % (len(z) or 1) for i in s} for s, z in ((left, x), (right, y))]
    if not fits or any(len(s) < len(left) for s in places):
        raise ValueError(
            f"tensordot: axes {axes} of shapes {x} and {y} must exist, be as many in "
            "each, none of them twice, and be of one length, pair by pair"
        )
    return tuple(i % len(x) for i in left), tuple(j % len(y) for j in right)


@rule("linear", lambda t, saved: np.tensordot(t, saved[0], saved[1:]), complex=True)
def vjp_left(g: Any, saved: Any) -> Any:
    """Sum over y's other axes; y's summed axes take the places of x's."""
    y, left, right = saved
    alone = others(right, y.ndim)
    kept = g.ndim - len(alone)
    d = np.tensordot(g, y, (range(kept, g.ndim), alone))
    met = (i for _, i in sorted(zip(right, left, strict=True)))
    return d.transpose(np.argsort([*others(left, d.ndim), *met]).tolist())


@rule("linear", lambda t, saved: np.tensordot(saved[0], t, saved[1:]), complex=True)
def vjp_right(g: Any, saved: Any) -> Any:
    """Sum over x's other axes; x's summed axes take the places of y's."""
    x, left, right = saved
    alone = others(left, x.ndim)
    d = np.tensordot(x, g, (alone, range(len(alone))))
    met = (j for _, j in sorted(zip(left, right, strict=True)))
    return d.transpose(np.argsort([*met, *others(right, d.ndim)]).tolist())


def others(axes: Places, ndim: int) -> list[int]:
    """Return the axes that are not in `axes`."""
    return [i for i in range(ndim) if i not in axes]


@operation(np.outer)
def outer(x: Any, y: Any) -> Tensor:
    """Return each element of x times each element of y, a row for each element of x."""
    a, b = numpy().asarray(array(x)), numpy().asarray(array(y))
    left, right = Saved(a.shape, y), Saved(x, b.shape)
    return binary(np.outer, x, times_columns, left, y, times_rows, right)


@rule("linear", lambda t, saved: np.outer(t, saved[1]), complex=True)
def times_columns(g: Any, saved: Any) -> Any:
    """Each element of x was multiplied by all elements of y."""
    shape, y = saved
    return (g @ np.ravel(y)).reshape(shape)


@rule("linear", lambda t, saved: np.outer(saved[0], t), complex=True)
def times_rows(g: Any, saved: Any) -> Any:
    """Each element of y was multiplied by all elements of x."""
    x, shape = saved
    return (np.ravel(x) @ g).reshape(shape)


@operation(np.vdot)
def vdot(x: Any, y: Any) -> Tensor:
    """Return the sum of the products of all elements of x, conjugated, and y.

    Raises:
        ValueError: if they have different numbers of elements.
    """
    a, b = numpy().asarray(array(x)), numpy().asarray(array(y))
    if a.size != b.size:
        raise ValueError(
            f"vdot: x of shape {a.shape} and y of shape {b.shape} must have as many "
            "elements; use multiply and sum where one is to be broadcast"
        )
    if "c" in (a.dtype.kind, b.dtype.kind):
        return matmul(reshape(conjugate(x), (-1,)), reshape(y, (-1,)))
    left, right = Saved(y, a.shape), Saved(x, b.shape)
    return binary(np.vdot, x, times_all, left, y, times_all, right)


@rule("linear", lambda t, saved: np.vdot(t, saved[0]))
def times_all(g: Any, saved: Any) -> Any:
    """The slope is the other factor, in this factor's shape."""
    factor, shape = saved
    return g * np.reshape(factor, shape)


@operation(np.kron)
def kron(x: Any, y: Any) -> Tensor:
    """Return x with each element replaced by that element times y."""
    a, b = np.shape(array(x)), np.shape(array(y))
    if not a or not b:
        return multiply(x, y)
    x, y = as_tensor(x), as_tensor(y)
    n = max(len(a), len(b))
    a, b = (1,) * (n - len(a)) + a, (1,) * (n - len(b)) + b
    blocks = reshape(x, tuple(k for i in a for k in (i, 1)))
    within = reshape(y, tuple(k for j in b for k in (1, j)))
    whole = tuple(i * j for i, j in zip(a, b, strict=True))
    return reshape(blocks * within, whole)
