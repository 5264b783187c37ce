"""Means, variances and products along axes (chapter 13).

The gradient of a mean is divided while it is small, before it is spread over what the
mean was taken of. A product's is the product of all other elements: the product over
the element itself, unless that would be 0 over 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.node import Saved
from autograd_lib.ops.arithmetic import divide, multiply, plain
from autograd_lib.ops.axes import Axis, along, in_rows, named_axes
from autograd_lib.ops.shapes import reshape
from autograd_lib.ops.sums import broadcast_to, spread, sum
from autograd_lib.primitive import OUT, array, operation, result
from autograd_lib.tensor import Tensor


@operation(np.mean, method="mean")
def mean(x: Any, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """Return the mean over all axes, or over those given; of no elements, it is nan."""
    a = np.asarray(array(x))
    y = along("mean", np.ndarray.mean, a, axis, keepdims=keepdims)
    return result(y, x, share, (a.shape, axis, keepdims, count(a, y)))


def share(g: Any, saved: Any) -> Any:
    """Give each element 1/n of the gradient."""
    *to, n = saved
    return spread(g / n, to)


def count(a: Any, y: Any) -> int:
    """Return of how many elements each in `y` was made; 1 if there are none."""
    n: int = a.size // max(y.size, 1)
    return max(n, 1)


@operation(np.var, method="var")
def var(
    x: Any, axis: Axis = None, *, ddof: float = 0, keepdims: bool = False
) -> Tensor:
    """Return the mean square distance from the mean, over n - ddof."""
    a = np.asarray(array(x))
    y = along("var", np.ndarray.var, a, axis, ddof=ddof, keepdims=keepdims)
    return result(y, x, from_mean, Saved(x, (a.shape, axis, keepdims), ddof))


def from_mean(g: Any, saved: Any) -> Any:
    """dσ²/dx = 2·(x - mean)/(n - ddof)."""
    x, to, ddof = saved
    n = count(x, g)
    slope = spread(g * 2.0 / max(n - ddof, 0), to)
    return slope * (x - x.sum(axis=to[1], keepdims=True) / n)


@operation(np.std, method="std")
def std(
    x: Any, axis: Axis = None, *, ddof: float = 0, keepdims: bool = False
) -> Tensor:
    """Return the root of `var`. Where it is 0, so is its slope."""
    a = np.asarray(array(x))
    y = along("std", np.ndarray.std, a, axis, ddof=ddof, keepdims=keepdims)
    to = (a.shape, axis, keepdims)
    return result(y, x, from_mean_over, Saved(x, OUT, to, ddof))


def from_mean_over(g: Any, saved: Any) -> Any:
    """dσ/dx = (x - mean)/((n - ddof)·σ)."""
    x, y, to, ddof = saved
    return from_mean(g * 0.5 / one_for_zero(y), (x, to, ddof))


def one_for_zero(x: Any) -> Any:
    """Return x with 1 for 0, to divide by where the dividend is 0 as well."""
    return x + (plain(x) == 0)


@operation(np.average)
def average(
    x: Any, axis: Axis = None, weights: Any = None, *, keepdims: bool = False
) -> Tensor:
    """Return the mean, in which each element counts as much as its weight.

    Args:
        x: a tensor or an array.
        axis: what to take the mean over.
        weights: of the shape of x, or of one axis for the one `axis`; by default equal.
        keepdims: whether the axes stay, with length 1.

    Raises:
        ValueError: if the shapes do not fit.
        ZeroDivisionError: if weights sum to 0.
    """
    if weights is None:
        return mean(x, axis, keepdims=keepdims)
    shape, of_weights = np.shape(array(x)), np.shape(array(weights))
    axes = named_axes("average", axis, shape)
    if of_weights != shape:
        if len(axes) != 1 or of_weights != (shape[axes[0]],):
            raise ValueError(
                f"average: weights of shape {of_weights} fit neither x, of shape "
                f"{shape}, nor one axis of it that axis={axis} names; reshape them"
            )
        column = reshape(weights, (-1,) + (1,) * (len(shape) - axes[0] - 1))
        weights = broadcast_to(column, shape)
    total = sum(reshape(weights, shape), axis=axis, keepdims=keepdims)
    if np.any(plain(total) == 0):
        raise ZeroDivisionError("average: weights sum to 0; give others")
    return divide(sum(multiply(x, weights), axis=axis, keepdims=keepdims), total)


@operation(np.prod, method="prod")
def prod(x: Any, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """Return the product over all axes, or over those given; of no elements, 1."""
    a = np.asarray(array(x))
    y = along("prod", np.ndarray.prod, a, axis, keepdims=keepdims)
    return result(y, x, by_others, Saved(x, OUT, (a.shape, axis, keepdims)))


def by_others(g: Any, saved: Any) -> Any:
    """The slope toward an element is the product of all others."""
    x, y, to = saved
    if divisible(plain(y)):
        return spread(g * y, to) / x
    rows, back = in_rows(x, named_axes("prod", to[1], x.shape))
    return spread(g, to) * back(others(rows))


def divisible(y: np.ndarray) -> bool:
    """Say whether products are neither 0, nor too small or large for their digits."""
    size = np.abs(y)
    limits = np.finfo(y.dtype)
    return not size.size or bool(size.min() >= limits.tiny and size.max() <= limits.max)


def others(x: Any) -> Any:
    """Return, for each element of the last axis, the product of all others.

    Elements are multiplied in pairs. The product of all that a pair is not in, times
    one of the pair, is the product of all others for the other one.
    """
    n = x.shape[-1]
    if n < 2:
        return np.ones(x.shape, x.dtype)
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
