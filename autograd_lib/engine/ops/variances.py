"""Variance and standard deviation (chapter 10)."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.mistakes import unknown_keywords
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.arithmetic import array_of, divide, multiply
from autograd_lib.engine.ops.axes import Axis, along
from autograd_lib.engine.ops.kinks import with_kink
from autograd_lib.engine.ops.options import in_single, is_half, prepared
from autograd_lib.engine.ops.reductions import count, number_of, one_for_zero
from autograd_lib.engine.ops.sums import spread, sum
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import OUTPUT, array, result, unary
from autograd_lib.engine.tape.tensor import Tensor


@operation(np.var)
def var(
    x: Any,
    axis: Axis = None,
    dtype: Any = None,
    out: Any = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: float | None = None,
    **unknown: Any,
) -> Tensor:
    """Return the mean squared distance from the mean, over n; over n - 1 with ddof=1.

    The default is NumPy's; PyTorch's is n - 1.

    Args:
        x: a tensor or an array.
        axis: an axis, several, or None for all.
        dtype: the type to calculate in.
        out: must be None.
        ddof: what is subtracted from the number of elements.
        keepdims: whether the axes are kept, with length 1.
        where: which elements take part.
        mean: the mean, if it is known, with the axes kept as length 1.
        correction: another name of `ddof`.

    Raises:
        ValueError: if there is both a `ddof` and a `correction`.
    """
    if unknown:
        raise unknown_keywords("var", var, unknown)
    ddof = one_of(ddof, correction)
    if dtype is not None or out is not None or where is not True or mean is not None:
        t = prepared("var", x, dtype, out, where)
        if is_half(t):
            more = {"where": where, "mean": mean}
            return in_single(var, t, axis, ddof=ddof, keepdims=keepdims, **more)  # type: ignore[no-any-return]
        if where is not True or mean is not None:
            return var_of_part(t, axis, ddof, keepdims, where, mean)
        x = t
    a = numpy().asarray(array(x))
    if is_half(a):
        return in_single(var, x, axis, ddof=ddof, keepdims=keepdims)  # type: ignore[no-any-return]
    y = along("var", np.ndarray.var, a, axis, ddof=ddof, keepdims=keepdims)
    return result(y, x, from_mean, Saved(x, (a.shape, axis, keepdims), ddof), np.var)


@rule("reducing", lambda saved: saved[1][1:], complex=True)
def from_mean(g: Any, saved: Any) -> Any:
    """dσ²/dx = 2·(x - mean)/(n - ddof), conjugated where x is complex."""
    x, to, ddof = saved
    n = count(x, g)
    slope = spread(g * 2.0 / max(n - ddof, 0), to)
    return slope * (x - x.sum(axis=to[1], keepdims=True) / n).conj()


def one_of(ddof: float, correction: float | None) -> float:
    """Return `ddof` or `correction`, whichever is given."""
    if correction is None:
        return ddof
    if ddof:
        raise ValueError("ddof and correction are the same; give one")
    return correction


def var_of_part(
    t: Tensor, axis: Axis, ddof: float, keepdims: bool, where: Any, middle: Any
) -> Tensor:
    """Return the variance of the selected elements, step by step."""
    n = number_of("var", where, t, axis, keepdims=True)
    if middle is None:
        middle = divide(sum(t, axis, keepdims=True, where=where), n)
    distance = t - middle
    squares = multiply(distance, distance.conj()).real
    total = sum(squares, axis, keepdims=keepdims, where=where)
    return divide(total, np.maximum(n.real - ddof, 0).reshape(total.shape))


@operation(np.std)
def std(
    x: Any,
    axis: Axis = None,
    dtype: Any = None,
    out: Any = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: float | None = None,
    **unknown: Any,
) -> Tensor:
    """Return the square root of `var`, over n; over n - 1, as in PyTorch, with ddof=1.

    It has the arguments of `var`. Where it is 0, its slope is 0 too.

    Raises:
        ValueError: if there is both a `ddof` and a `correction`.
    """
    if unknown:
        raise unknown_keywords("std", std, unknown)
    ddof = one_of(ddof, correction)
    if dtype is not None or out is not None or where is not True or mean is not None:
        t = prepared("std", x, dtype, out, where)
        if is_half(t):
            more = {"where": where, "mean": mean}
            return in_single(std, t, axis, ddof=ddof, keepdims=keepdims, **more)  # type: ignore[no-any-return]
        if where is not True or mean is not None:
            return root(var_of_part(t, axis, ddof, keepdims, where, mean))
        x = t
    a = numpy().asarray(array(x))
    if is_half(a):
        return in_single(std, x, axis, ddof=ddof, keepdims=keepdims)  # type: ignore[no-any-return]
    y = along("std", np.ndarray.std, a, axis, ddof=ddof, keepdims=keepdims)
    to = (a.shape, axis, keepdims)
    return result(y, x, from_mean_over, Saved(x, OUTPUT, to, ddof), np.std)


@rule("reducing", lambda saved: saved[2][1:], complex=True)
def from_mean_over(g: Any, saved: Any) -> Any:
    """dσ/dx = (x - mean)/((n - ddof)·σ), and 0 where σ is 0."""
    x, y, to, ddof = saved
    slope = with_kink(g * (array_of(y) != 0) * 0.5 / one_for_zero(y), y)
    return from_mean(slope, (x, to, ddof))


def root(x: Tensor) -> Tensor:
    """Return the square root, with a slope of 0 at 0."""
    return unary(np.sqrt, x, by_root, OUTPUT)


@rule("elementwise")
def by_root(g: Any, y: Any) -> Any:
    """d√x/dx = 1/(2·√x), and 0 where x is 0."""
    return with_kink(g * (array_of(y) != 0) * 0.5 / one_for_zero(y), y)
