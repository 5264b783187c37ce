"""Reductions that ignore NaN (chapter 10).

Each is the reduction of a part. The ignored elements get no gradient.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.axes import Axis, as_tensor
from autograd_lib.engine.ops.choices import where as choose
from autograd_lib.engine.ops.cumulative import cumprod, cumsum
from autograd_lib.engine.ops.extremes import max, min
from autograd_lib.engine.ops.options import mask_of, prepared
from autograd_lib.engine.ops.reductions import mean, prod
from autograd_lib.engine.ops.sums import sum
from autograd_lib.engine.ops.variances import std, var
from autograd_lib.engine.tape.tensor import Tensor


def numbers_in(x: Any, name: str = "", mask: Any = True) -> Any:
    """Return a mask of x's numbers within `mask`; True if it is all elements."""
    t = as_tensor(x)
    found = ~np.isnan(t._array)
    if mask is not True:
        found = found & mask_of(name, mask, t.shape)
    return True if found.all() else found


@operation(np.nansum)
def nansum(
    x: Any,
    axis: Axis = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Tensor:
    """Return the sum of the elements, ignoring NaN."""
    found = numbers_in(x, "nansum", where)
    return sum(x, axis, dtype, out, keepdims, initial, found)


@operation(np.nanprod)
def nanprod(
    x: Any,
    axis: Axis = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Tensor:
    """Return the product of the elements, ignoring NaN."""
    found = numbers_in(x, "nanprod", where)
    return prod(x, axis, dtype, out, keepdims, initial, found)


@operation(np.nanmean)
def nanmean(
    x: Any,
    axis: Axis = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    *,
    where: Any = True,
) -> Tensor:
    """Return the mean of the elements, ignoring NaN."""
    found = numbers_in(x, "nanmean", where)
    return mean(x, axis, dtype, out, keepdims, where=found)


@operation(np.nanvar)
def nanvar(
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
) -> Tensor:
    """Return the variance of the elements, ignoring NaN."""
    more: Any = {"mean": mean, "correction": correction}
    found = numbers_in(x, "nanvar", where)
    return var(x, axis, dtype, out, ddof, keepdims, where=found, **more)


@operation(np.nanstd)
def nanstd(
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
) -> Tensor:
    """Return the standard deviation of the elements, ignoring NaN."""
    more: Any = {"mean": mean, "correction": correction}
    found = numbers_in(x, "nanstd", where)
    return std(x, axis, dtype, out, ddof, keepdims, where=found, **more)


@operation(np.nanmax)
def nanmax(
    x: Any,
    axis: Axis = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Tensor:
    """Return the largest element, ignoring NaN; NaN if all are."""
    return extreme_number("nanmax", x, axis, out, keepdims, initial, where)


@operation(np.nanmin)
def nanmin(
    x: Any,
    axis: Axis = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Tensor:
    """Return the smallest element, ignoring NaN; NaN if all are."""
    return extreme_number("nanmin", x, axis, out, keepdims, initial, where)


def extreme_number(
    name: str,
    x: Any,
    axis: Axis,
    out: Any,
    keepdims: bool,
    initial: Any,
    mask: Any,
) -> Tensor:
    """Return the largest or the smallest element, ignoring NaN."""
    f, beyond = (max, -np.inf) if name == "nanmax" else (min, np.inf)
    t = prepared(name, x, None, out)
    found = numbers_in(t, name, mask)
    if found is True or initial is not None:
        return f(t, axis, None, keepdims, initial, found)
    y = f(choose(found, t, beyond), axis, keepdims=keepdims)
    none = ~found.any(axis=axis, keepdims=keepdims)
    filled: Tensor = choose(none, np.nan, y) if none.any() else y
    return filled


@operation(np.nancumsum)
def nancumsum(
    x: Any, axis: int | None = None, dtype: Any = None, out: Any = None
) -> Tensor:
    """Return running sums, in which NaN counts as 0."""
    t = prepared("nancumsum", x, dtype, out, numbers_in(x), 0)
    return cumsum(t, axis)


@operation(np.nancumprod)
def nancumprod(
    x: Any, axis: int | None = None, dtype: Any = None, out: Any = None
) -> Tensor:
    """Return running products, in which NaN counts as 1."""
    t = prepared("nancumprod", x, dtype, out, numbers_in(x), 1)
    return cumprod(t, axis)
