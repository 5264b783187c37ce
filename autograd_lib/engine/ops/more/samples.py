"""Functions given by samples (chapter 10).

Interpolated values, integrals and slopes are sums of the samples, with weights that
depend on where the points are. So both have gradients.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.arithmetic import array_of
from autograd_lib.engine.ops.axes import as_tensor, named_axes, on_axis, one_axis
from autograd_lib.engine.ops.choices import where
from autograd_lib.engine.ops.copies import astype
from autograd_lib.engine.ops.cumulative import diff
from autograd_lib.engine.ops.joining import concatenate, tensors
from autograd_lib.engine.ops.shapes import reshape
from autograd_lib.engine.ops.sums import sum
from autograd_lib.engine.tape.tensor import Tensor


@operation(np.interp)
def interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Tensor:
    """Return values of the piecewise linear function through points.

    At a kink, the slope is that of the next piece.

    Args:
        x: where to interpolate.
        xp: the abscissas of the points, ascending unless there is a period.
        fp: their ordinates.
        left: the value before the first point, by default the first ordinate.
        right: the value after the last point, by default the last ordinate.
        period: the period of the function; left and right are then ignored.

    Returns:
        A tensor of float64, or of complex128 if fp is complex, as in NumPy.

    Raises:
        TypeError: if x or xp is complex.
        ValueError: if xp and fp aren't vectors of one length, or are empty.
    """
    x, xp, fp = (as_tensor(a) for a in (x, xp, fp))
    if "c" in (x.dtype.kind, xp.dtype.kind):
        raise TypeError(
            f"interp: x, of {x.dtype}, and xp, of {xp.dtype}, must be real numbers; "
            "only fp may be complex"
        )
    x, xp = (astype(t, float, copy=False) for t in (x, xp))
    fp = astype(fp, np.result_type(fp.dtype, float), copy=False)
    if xp.ndim != 1 or xp.shape != fp.shape or not xp.size:
        raise ValueError(
            f"interp: xp of shape {xp.shape} and fp of shape {fp.shape} must be rows "
            "of one length, 1 at least"
        )
    if period is not None:
        x, (xp, fp) = x % period, around(xp % period, fp, period)
        left = right = None
    last = len(xp) - 1
    known = xp._array
    before = np.clip(np.searchsorted(known, x._array, "right") - 1, 0, max(last - 1, 0))
    after = np.minimum(before + 1, last)
    run: Any = xp[after] - xp[before] if last else 1.0
    y = fp[before] + (fp[after] - fp[before]) / run * (x - xp[before])
    y = where(x._array >= known[-1], fp[-1], y) if last == 0 else y
    y = where(x._array < known[0], fp[0] if left is None else left, y)
    beyond: Tensor = where(x._array > known[-1], fp[-1] if right is None else right, y)
    return beyond


def around(xp: Tensor, fp: Tensor, period: Any) -> tuple[Tensor, Tensor]:
    """Return the points of a period in order, with one more at either end."""
    order = np.argsort(xp._array)
    xp, fp = xp[order], fp[order]
    return (
        concatenate([xp[-1:] - period, xp, xp[:1] + period]),
        concatenate([fp[-1:], fp, fp[:1]]),
    )


@operation(np.trapezoid)
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Tensor:
    """Return the integral of the piecewise linear function through points.

    Args:
        y: the ordinates.
        x: the abscissas, a vector or of the shape of y; by default `dx` apart.
        dx: the distance of the points, if there is no x.
        axis: the axis.
    """
    t = as_tensor(y)
    axis = one_axis("trapezoid", axis, t.shape)
    width = dx
    if x is not None:
        x = as_tensor(x)
        width = diff(x, axis=axis if x.ndim > 1 else -1)
        width = on_own_axis(width, axis, t.ndim) if x.ndim == 1 else width
    later, earlier = on_axis(axis, slice(1, None)), on_axis(axis, slice(None, -1))
    return sum(width * (t[later] + t[earlier]) / 2.0, axis)


def on_own_axis(row: Any, axis: int, ndim: int) -> Any:
    """Reshape a vector to broadcast along one axis."""
    return reshape(row, (-1,) + (1,) * (ndim - axis - 1))


@operation(np.gradient)
def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """Return the slopes of a function at points on a grid, by finite differences.

    Args:
        f: the values of the function.
        varargs: the distance of the points, or a vector of their positions: one for all
            axes, or one for each.
        axis: an axis, several, or None for all.
        edge_order: 1 or 2, the order of accuracy of the slopes at the ends.

    Returns:
        A tensor for each axis; in a tuple if there are several.

    Raises:
        ValueError: if there are too few points, or `varargs` do not fit.
    """
    t = as_tensor(f)
    if t.dtype.kind in "iub":  # differences of small integers would wrap around
        t = t.astype(float)
    axes = named_axes("gradient", axis, t.shape)
    apart = list(varargs) or [1.0]
    apart = apart * len(axes) if len(apart) == 1 else apart
    if len(apart) != len(axes) or edge_order not in (1, 2):
        raise ValueError(
            f"gradient: {len(varargs)} distances for {len(axes)} axes of shape "
            f"{t.shape}, edge_order={edge_order}; give one for all or one for each, "
            "and edge_order 1 or 2"
        )
    slopes = tuple(
        along_one(t, step, i, edge_order) for step, i in zip(apart, axes, strict=True)
    )
    return slopes[0] if len(slopes) == 1 else slopes


def along_one(t: Tensor, apart: Any, axis: int, edge_order: int) -> Tensor:
    """Return slopes along one axis."""
    n = t.shape[axis]
    if n <= edge_order:
        raise ValueError(
            f"gradient: axis {axis} of shape {t.shape} needs {edge_order + 1} points "
            f"at least for edge_order={edge_order}"
        )
    steps = apart if np.ndim(array_of(apart)) == 0 else diff(as_tensor(apart))
    if np.ndim(array_of(steps)) == 0:
        steps = as_tensor(numpy().ones(n - 1, t.dtype)) * steps
    elif steps.shape != (n - 1,):
        raise ValueError(
            f"gradient: {len(steps) + 1} places do not fit axis {axis} of shape "
            f"{t.shape}"
        )
    steps = on_own_axis(steps, axis, t.ndim)

    def cut(x: Any, start: int | None, stop: int | None) -> Any:
        return x[on_axis(x.ndim - t.ndim + axis, slice(start, stop))]

    h = reshape(steps, (1,) * (t.ndim - steps.ndim) + steps.shape)
    rise = cut(t, 1, None) - cut(t, None, -1)
    lines = rise / h  # the slope between neighbours
    one, two = cut(h, None, -1), cut(h, 1, None)
    first, second = cut(lines, None, -1), cut(lines, 1, None)
    inner = (two * first + one * second) / (one + two)
    start, end = cut(lines, None, 1), cut(lines, -1, None)
    if edge_order == 2:  # extrapolate the change of the slope
        change = (second - first) / (one + two)
        start = start - cut(one, None, 1) * cut(change, None, 1)
        end = end + cut(two, -1, None) * cut(change, -1, None)
    return concatenate([start, inner, end], axis)


@operation(np.polyval)
def polyval(p: Any, x: Any) -> Tensor:
    """Return the values at x of a polynomial with these coefficients.

    Args:
        p: the coefficients, that of the highest power first.
        x: the points.
    """
    x = as_tensor(x)
    y: Any = numpy().zeros(x.shape, x.dtype)
    for coefficient in p if isinstance(p, Tensor) else tensors("polyval", p):
        y = y * x + coefficient
    return as_tensor(y)
