"""Evenly spaced numbers, and geometric sequences (chapter 10).

The ends may be tensors. The slope of each number with respect to an end is a weight
between 0 and 1 that grows towards that end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.arithmetic import divide, power, subtract
from autograd_lib.engine.ops.axes import as_tensor
from autograd_lib.engine.ops.copies import astype
from autograd_lib.engine.ops.shapes import expand_dims
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.gradient import sum_to
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import OUTPUT, record
from autograd_lib.engine.tape.tensor import Tensor


@operation(np.linspace)
def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
    *,
    device: Any = None,
) -> Any:
    """Return evenly spaced numbers from `start` to `stop`.

    Args:
        start: the first number, a tensor or an array; both ends are broadcast.
        stop: the last number.
        num: how many numbers.
        endpoint: whether `stop` is included.
        retstep: whether to return the distance too, in a tuple.
        dtype: the type of the result.
        axis: the axis of the result along which they are.
        device: must be None or "cpu".
    """
    a, b = as_tensor(start), as_tensor(stop)
    y = np.linspace(a._array, b._array, num, endpoint, axis=axis)
    after, axis = nearness(y, axis, num, endpoint)
    t = record(
        y,
        (a, by_nearness, (1 - after, axis, a.shape)),
        (b, by_nearness, (after, axis, b.shape)),
        by=np.linspace,
    )
    if dtype is not None and np.dtype(dtype).kind in "iu":
        t = as_tensor(np.floor(y).astype(dtype))  # down, as NumPy does
    elif dtype is not None:
        t = astype(t, dtype)
    gaps = num - 1 if endpoint else num
    return (t, divide(subtract(b, a), gaps or np.nan)) if retstep else t


def nearness(y: Any, axis: int, num: int, endpoint: bool) -> tuple[Any, int]:
    """Return each number's weight of the second end, from 0 to 1, and the axis."""
    axis = axis % y.ndim
    after = numpy().arange(num) / max(num - endpoint, 1)
    column = after.astype(y.dtype).reshape((-1,) + (1,) * (y.ndim - axis - 1))
    return column, axis


@rule("linear", lambda t, saved: along_line(t, saved))
def by_nearness(g: Any, saved: Any) -> Any:
    """Sum the gradients times their weights, and over copies of the end."""
    weight, axis, shape = saved
    return sum_to((g * weight).sum(axis=axis), shape)


def along_line(t: Any, saved: Any) -> Any:
    """Return an end's tangent times the weight of each number."""
    weight, axis, shape = saved
    before = (1,) * (weight.ndim - 1 + axis - len(shape))
    return weight * np.expand_dims(t.reshape((*before, *shape)), axis)


@operation(np.logspace)
def logspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: int = 0,
) -> Tensor:
    """Return `base` to the power of evenly spaced numbers. See `linspace`."""
    exponents = linspace(start, stop, num, endpoint, axis=axis)
    if np.ndim(base):
        base = expand_dims(as_tensor(base), axis)
    y = power(base, exponents)
    return y if dtype is None else astype(y, dtype)


@operation(np.geomspace)
def geomspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    dtype: Any = None,
    axis: int = 0,
) -> Tensor:
    """Return a geometric sequence from `start` to `stop`. See `linspace`.

    Raises:
        ValueError: if an end is 0, or the ends have different signs.
    """
    a, b = as_tensor(start), as_tensor(stop)
    if not np.all(a._array * b._array > 0):
        raise ValueError(
            "geomspace: both ends must be positive, or both negative; numbers in equal "
            "ratios never reach 0, nor cross it"
        )
    y = np.geomspace(a._array, b._array, num, endpoint, axis=axis)
    after, axis = nearness(y, axis, num, endpoint)
    t = record(
        y,
        (a, by_ratio, Saved(a, OUTPUT, (1 - after, axis, a.shape))),
        (b, by_ratio, Saved(b, OUTPUT, (after, axis, b.shape))),
        by=np.geomspace,
    )
    return t if dtype is None else astype(t, dtype)


@rule("linear", lambda t, saved: saved[1] * along_line(t / saved[0], saved[2]))
def by_ratio(g: Any, saved: Any) -> Any:
    """For y = a¹⁻ᵗ·bᵗ, dy/da = (1 - t)·y/a."""
    end, y, weight = saved
    return by_nearness(g * y, weight) / end
