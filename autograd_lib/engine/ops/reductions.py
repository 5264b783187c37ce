"""Means and products along axes (chapter 10).

The gradient of a mean is divided by n before it is broadcast, while it is small. The
slope of a product with respect to an element is the product of all others: the whole
product over the element, unless that would be 0 over 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.mistakes import unknown_keywords
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.arithmetic import array_of, divide, multiply
from autograd_lib.engine.ops.axes import Axis, along, as_tensor, in_rows, named_axes
from autograd_lib.engine.ops.options import (
    in_single,
    is_half,
    mask_of,
    prepared,
    reduced,
    sum_in_rule,
)
from autograd_lib.engine.ops.shapes import reshape, transpose
from autograd_lib.engine.ops.sums import broadcast_to, spread, sum
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import OUTPUT, array, result
from autograd_lib.engine.tape.tensor import Tensor, constant


@operation(np.mean)
def mean(
    x: Any,
    axis: Axis = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    *,
    where: Any = True,
    **unknown: Any,
) -> Tensor:
    """Return the mean over all axes, or over those given; NaN if there are no elements.

    The arguments are those of `sum`.
    """
    if unknown:
        raise unknown_keywords("mean", mean, unknown)
    if dtype is not None or out is not None or where is not True:
        t = prepared("mean", x, dtype, out, where)
        if where is True:
            return mean(t, axis, keepdims=keepdims)
        if is_half(t):
            return in_single(mean, t, axis, keepdims=keepdims, where=where)  # type: ignore[no-any-return]
        n = number_of("mean", where, t, axis, keepdims)
        return divide(sum(t, axis, keepdims=keepdims), n)
    a = numpy().asarray(array(x))
    if is_half(a):
        return in_single(mean, x, axis, keepdims=keepdims)  # type: ignore[no-any-return]
    y = along("mean", np.ndarray.mean, a, axis, keepdims=keepdims)
    return result(y, x, share, (a.shape, axis, keepdims, count(a, y)))


@rule("linear", lambda t, to: t.sum(axis=to[1], keepdims=to[2]) / to[3], complex=True)
def share(g: Any, saved: Any) -> Any:
    """Give each element 1/n of the gradient."""
    *to, n = saved
    return spread(g / n, to)


def count(a: Any, y: Any) -> int:
    """Return the number of elements for each one in `y`; 1 if there are none."""
    n: int = a.size // max(y.size, 1)
    return max(n, 1)


def number_of(name: str, where: Any, t: Tensor, axis: Axis, keepdims: bool) -> Any:
    """Return how many elements take part, as numbers in a mean's type."""
    mask = mask_of(name, where, t.shape)
    return np.sum(mask, axis, keepdims=keepdims).astype(floating(t))


def floating(t: Tensor) -> np.dtype[Any]:
    """Return the type of a mean of t."""
    return t.dtype if t.dtype.kind in "fc" else np.dtype(float)


def one_for_zero(x: Any) -> Any:
    """Return x with 1 in place of 0, as a divisor where the dividend is 0 as well."""
    return x + (array_of(x) == 0)


@operation(np.average)
def average(
    x: Any,
    axis: Axis = None,
    weights: Any = None,
    returned: bool = False,
    *,
    keepdims: bool = False,
) -> Any:
    """Return the weighted mean.

    Args:
        x: a tensor or an array.
        axis: an axis, several, or None for all.
        weights: of the shape of x, or of the axes named; by default equal.
        returned: whether to return the sum of the weights too, in a tuple.
        keepdims: whether the axes are kept, with length 1.

    Raises:
        ValueError: if the shapes do not fit.
        ZeroDivisionError: if weights sum to 0.
    """
    if weights is None:
        y = mean(x, axis, keepdims=keepdims)
        if not returned:
            return y
        n = numpy().full(y.shape, count(numpy().asarray(array(x)), y), y.dtype)
        return y, constant(n)
    shape, of_weights = np.shape(array(x)), np.shape(array(weights))
    axes = named_axes("average", axis, shape)
    if of_weights != shape:
        if of_weights != tuple(shape[a] for a in axes):
            raise ValueError(
                f"average: weights of shape {of_weights} fit neither x, of shape "
                f"{shape}, nor its axes that axis={axis} names; reshape them"
            )
        weights = transpose(as_tensor(weights), np.argsort(axes).tolist())
        form = tuple(n if a in axes else 1 for a, n in enumerate(shape))
        weights = broadcast_to(reshape(weights, form), shape)
    x, weights = as_tensor(x), as_tensor(weights)
    dtype = np.result_type(x.dtype, weights.dtype)
    if dtype.char == "e":
        single = np.astype(weights, np.float32)
        y = in_single(average, x, axis, single, keepdims=keepdims)
        return (y, sum_in_rule(weights, axis, keepdims)) if returned else y
    if is_half(weights):
        weights = np.astype(weights, dtype)
    total = sum(reshape(weights, shape), axis=axis, keepdims=keepdims)
    if np.any(array_of(total) == 0):
        raise ZeroDivisionError("average: weights sum to 0; give others")
    y = divide(sum(multiply(x, weights), axis=axis, keepdims=keepdims), total)
    return (y, total) if returned else y


@operation(np.prod)
def prod(
    x: Any,
    axis: Axis = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
    **unknown: Any,
) -> Tensor:
    """Return the product over all axes, or over those given; 1 if there are no numbers.

    The arguments are those of `sum`.
    """
    if unknown:
        raise unknown_keywords("prod", prod, unknown)
    if dtype is not None or out is not None or initial is not None or where is not True:
        t = prepared("prod", x, dtype, out, where, 1)
        return reduced(prod, t, axis, keepdims, multiply, initial)
    a = numpy().asarray(array(x))
    y = along("prod", np.ndarray.prod, a, axis, keepdims=keepdims)
    saved = Saved(x, OUTPUT, (a.shape, axis, keepdims))
    return result(y, x, by_others, saved, np.prod)


@rule("reducing", lambda saved: saved[2][1:], complex=True)
def by_others(g: Any, saved: Any) -> Any:
    """The slope with respect to an element is the product of all others."""
    x, y, to = saved
    if divisible(array_of(y)):
        return spread(g * y, to) / x
    axes = named_axes("prod", to[1], x.shape) if x.shape else ()
    rows, back = in_rows(x, axes)
    return spread(g, to) * back(others(rows))


def divisible(y: np.ndarray) -> bool:
    """Return whether all products are normal numbers, not 0, tiny or infinite."""
    size = np.abs(y)
    limits = np.finfo(y.dtype)
    return not size.size or bool(size.min() >= limits.tiny and size.max() <= limits.max)


def others(x: Any) -> Any:
    """Return, for each element of the last axis, the product of all others.

    Elements are multiplied in pairs. The product of all elements outside a pair, times
    one of the pair, is the result for the other.
    """
    n = x.shape[-1]
    if n < 2:
        return numpy().ones(x.shape, x.dtype)
    if n == 2:
        return np.flip(x, -1)
    left, right, rest = (
        x[..., : n // 2],
        x[..., n // 2 : n // 2 * 2],
        x[..., n // 2 * 2 :],
    )
    of_pairs = others(np.concatenate([left * right, rest], -1))
    y = of_pairs[..., : n // 2]
    return np.concatenate([y * right, y * left, of_pairs[..., n // 2 :]], -1)
