"""Quantiles, percentiles and partition (chapter 10).

A quantile is interpolated between two neighbours in ascending order, and each gets its
share of the gradient. The choice of the two is piecewise constant.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.axes import Axis, as_tensor, in_rows, named_axes, one_axis
from autograd_lib.engine.ops.choices import where
from autograd_lib.engine.ops.extremes import empty_error, permuted, sort
from autograd_lib.engine.ops.options import prepared
from autograd_lib.engine.ops.shapes import ravel, reshape
from autograd_lib.engine.ops.taking import take_along_axis
from autograd_lib.engine.tape.record import array
from autograd_lib.engine.tape.tensor import Tensor


def quantiles(function: Any, whole: float, skip: bool) -> Callable[..., Tensor]:
    """Return an operation for one of NumPy's quantile functions.

    Args:
        function: NumPy's function.
        whole: the largest q, 1 or 100.
        skip: whether NaN is ignored.
    """
    name = function.__name__

    def quantile(
        x: Any,
        q: Any,
        axis: Axis = None,
        out: Any = None,
        overwrite_input: bool = False,
        method: str = "linear",
        keepdims: bool = False,
        *,
        weights: Any = None,
    ) -> Tensor:
        """Return the q-quantile of the elements, interpolated between neighbours.

        Args:
            x: a tensor or an array.
            q: a number or an array, from 0 to 1, or to 100 for percentiles, without
                a gradient. Its axes come first in the result.
            axis: an axis, several, or None for all.
            out: must be None.
            overwrite_input: has no effect; the input is never overwritten.
            method: "linear".
            keepdims: whether the axes are kept, with length 1.
            weights: must be None.

        Raises:
            NotImplementedError: for another method, or weights.
            TypeError: for complex numbers.
            ValueError: if q is out of range, or there are no elements.
        """
        if method != "linear" or weights is not None:
            what = f"method={method!r}" if weights is None else "weights="
            raise NotImplementedError(
                f"{name}: {what} has no rule; only method='linear' without weights "
                "has. np.sort and an index take any element"
            )
        t = prepared(name, x, None, out)
        if t.dtype.kind == "c":
            raise TypeError(
                f"{name}: complex numbers have no order; give it t.real, t.imag or "
                "np.abs(t)"
            )
        return of_rows(name, t, q, axis, keepdims, whole, skip)

    quantile.__name__ = quantile.__qualname__ = name
    return quantile


for function, whole, skip in (
    (np.quantile, 1.0, False),
    (np.percentile, 100.0, False),
    (np.nanquantile, 1.0, True),
    (np.nanpercentile, 100.0, True),
):
    operation(function)(quantiles(function, whole, skip))


@operation(np.nanmedian)
def nanmedian(
    x: Any,
    axis: Axis = None,
    out: Any = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> Tensor:
    """Return the median of the elements, ignoring NaN; NaN if all are."""
    t = prepared("nanmedian", x, None, out)
    return of_rows("nanmedian", t, 0.5, axis, keepdims, skip=True)


def fractions_of(name: str, q: Any, whole: float) -> np.ndarray:
    """Return q as fractions of 1."""
    if isinstance(q, Tensor) and q.node is not None:
        raise TypeError(f"{name}: q has no gradient; give q.detach()")
    found = numpy().asarray(array(q), float) / whole
    if not ((found >= 0.0) & (found <= 1.0)).all():
        raise ValueError(f"{name}: q must be from 0 to {whole:g}, got {q!r:.60}")
    return found


def of_rows(
    name: str,
    t: Tensor,
    q: Any,
    axis: Axis,
    keepdims: bool,
    whole: float = 1.0,
    skip: bool = False,
) -> Tensor:
    """Return the quantiles of the elements along axes, ignoring NaN if `skip` is True.

    NaN comes after all numbers in ascending order.
    """
    one = isinstance(q, int | float)  # then float32 stays float32
    q, axes = fractions_of(name, q, whole), named_axes(name, axis, t.shape)
    rows = sort(in_rows(t, axes)[0])
    if not rows.shape[-1]:
        raise empty_error(name, t.shape, axis)
    absent = np.isnan(rows._array)
    number = rows.shape[-1] - absent.sum(-1, keepdims=True) * skip
    at = q.ravel() * np.maximum(number - 1, 0)
    below = np.floor(at).astype(int)
    above = np.minimum(below + 1, np.maximum(number - 1, 0))
    kind = rows.dtype if one and rows.dtype.kind == "f" else float
    share = (at - below).astype(kind)
    low = take_along_axis(rows, below, -1)
    # Like NumPy, start at the nearer neighbour, which is exact if both are equal.
    step = take_along_axis(rows, above, -1) - low
    y = where(share < 0.5, low + step * share, low + step - step * (1 - share))
    if not skip and absent.any():
        y = where(absent.any(-1, keepdims=True), rows[..., -1:], y)
    kept = tuple(1 if i in axes else n for i, n in enumerate(t.shape))
    if not keepdims:
        kept = tuple(n for i, n in enumerate(t.shape) if i not in axes)
    return reshape(np.moveaxis(y, -1, 0), q.shape + kept)


@operation(np.partition)
def partition(
    x: Any, kth: Any, axis: int | None = -1, kind: str = "introselect"
) -> Tensor:
    """Return the elements along an axis, or all of them, with the kth in its place.

    Smaller ones come before it, larger ones after it, in an unspecified order.

    Args:
        x: a tensor or an array.
        kth: its place in ascending order, or several places.
        axis: the axis, or None for all elements in one row.
        kind: "introselect".
    """
    if axis is None:
        return partition(ravel(as_tensor(x)), kth, 0)
    t = as_tensor(x)
    axis = one_axis("partition", axis, t.shape)
    return permuted(t, np.argpartition(t._array, kth, axis), axis)
