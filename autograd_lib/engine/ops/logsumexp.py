"""The logarithm of a sum of exponentials, without overflow (chapter 10).

The largest element is subtracted first, so that no exponential is above 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.numpy.mistakes import unknown_keywords
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.activations import floats
from autograd_lib.engine.ops.arithmetic import array_of
from autograd_lib.engine.ops.axes import Axis, along
from autograd_lib.engine.ops.exponential import LOG_2
from autograd_lib.engine.ops.options import in_single, is_half
from autograd_lib.engine.ops.reductions import one_for_zero
from autograd_lib.engine.ops.sums import spread, with_axes
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import OUTPUT, array, binary, result
from autograd_lib.engine.tape.tensor import Tensor


def logsumexp(
    x: Any, axis: Axis = None, keepdims: bool = False, **unknown: Any
) -> Tensor:
    """Return log(exp(x₁) + exp(x₂) + …), -inf if all are -inf or there are none.

    >>> round(float(logsumexp(Tensor([1000.0, 1000.0])) - 1000.0), 6)
    0.693147
    """
    if unknown:
        raise unknown_keywords("logsumexp", logsumexp, unknown)
    a = floats(array(x))
    if is_half(a):
        return in_single(logsumexp, x, axis, keepdims)  # type: ignore[no-any-return]
    largest = along(
        "logsumexp", np.ndarray.max, a, axis, keepdims=True, initial=-np.inf
    )
    largest = np.where(np.isfinite(largest), largest, a.dtype.type(0))
    with np.errstate(divide="ignore"):  # log 0 is right where all are -inf
        parts = np.exp(a - largest)
        whole = parts.sum(axis=axis, keepdims=True)
        y = np.log(whole) + largest
    if not keepdims:
        y = y.squeeze(axis)
    to = (a.shape, axis, keepdims)
    return result(y, x, by_share, Saved(x, OUTPUT, to, parts, whole), logsumexp)


@rule("reducing", lambda saved: saved[2][1:])
def by_share(g: Any, saved: Any) -> Any:
    """The slope with respect to an element is its share of the sum, exp(x - y).

    The exponentials were saved; only a recorded rule computes them from x again.
    """
    x, y, to, parts, whole = saved
    if not isinstance(g, Tensor):
        return with_axes(g, *to) / one_for_zero(whole) * parts
    if np.isneginf(array_of(y)).any():  # where x - y would be NaN, and exp(x) is 0
        y = np.where(np.isneginf(array_of(y)), array_of(y).dtype.type(0), y)
    return spread(g, to) * np.exp(x - with_axes(y, *to))


@operation(np.logaddexp)
def logaddexp(x: Any, y: Any) -> Tensor:
    """Return log(exp(x) + exp(y)), element by element."""
    return binary(
        np.logaddexp, x, by_share_of_two, Saved(x, y), y, by_share_of_two, Saved(y, x)
    )


@operation(np.logaddexp2)
def logaddexp2(x: Any, y: Any) -> Tensor:
    """Return log₂(2ˣ + 2ʸ), element by element."""
    return binary(
        np.logaddexp2,
        x,
        by_powers_of_two,
        Saved(x, y),
        y,
        by_powers_of_two,
        Saved(y, x),
    )


@rule("elementwise", broadcasts=True)
def by_powers_of_two(g: Any, saved: Any) -> Any:
    """The slope with respect to x is 1/(1 + 2^(y - x)), and 0 where x is -inf."""
    x, y = saved
    return by_share_of_two(g, (x * LOG_2, y * LOG_2))


@rule("elementwise", broadcasts=True)
def by_share_of_two(g: Any, saved: Any) -> Any:
    """The slope with respect to x is 1/(1 + exp(y - x)), and 0 where x is -inf.

    Written as a power of e, it doesn't overflow, and keeps its slope where it is near
    1.
    """
    x, y = saved
    nothing = np.isneginf(array_of(x))
    if nothing.any():  # where y - x would be NaN if y is -inf too
        y = np.where(nothing, array_of(x).dtype.type(0), y)
    return g * np.exp(-np.logaddexp(0.0, y - x))
