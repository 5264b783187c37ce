"""Running sums and products, and differences (chapter 10).

Each element of a running sum depends on all elements up to its place. So the gradient
of an element is the sum of the gradients from its place to the end: a running sum too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.mistakes import unknown_keywords
from autograd_lib.engine.numpy.protocol import newer, operation
from autograd_lib.engine.ops.arithmetic import array_of, subtract
from autograd_lib.engine.ops.axes import as_tensor, on_axis, one_axis, row_or_axis
from autograd_lib.engine.ops.joining import concatenate
from autograd_lib.engine.ops.options import in_single, is_half, prepared
from autograd_lib.engine.ops.reductions import divisible
from autograd_lib.engine.ops.shapes import reshape
from autograd_lib.engine.ops.sums import broadcast_to
from autograd_lib.engine.rules import jvp_of, rule
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import OUTPUT, result
from autograd_lib.engine.tape.tensor import Tensor, constant


@operation(np.cumsum)
def cumsum(
    x: Any,
    axis: int | None = None,
    dtype: Any = None,
    out: Any = None,
    **unknown: Any,
) -> Tensor:
    """Return running sums along an axis, or of all elements in one row."""
    if unknown:
        raise unknown_keywords("cumsum", cumsum, unknown)
    t, axis = row_or_axis("cumsum", prepared("cumsum", x, dtype, out), axis)
    return result(np.cumsum(t._array, axis), t, from_the_end, axis)


@rule("linear", np.cumsum, complex=True)
def from_the_end(g: Any, axis: int) -> Any:
    """Return the running sums of the gradients from the end."""
    if is_half(g):
        return in_single(from_the_end, g, axis)
    return np.flip(np.cumsum(np.flip(g, axis), axis), axis)


@operation(np.cumprod)
def cumprod(
    x: Any,
    axis: int | None = None,
    dtype: Any = None,
    out: Any = None,
    **unknown: Any,
) -> Tensor:
    """Return running products along an axis, or of all elements in one row."""
    if unknown:
        raise unknown_keywords("cumprod", cumprod, unknown)
    t, axis = row_or_axis("cumprod", prepared("cumprod", x, dtype, out), axis)
    y = np.cumprod(t._array, axis)
    return result(y, t, by_runs, Saved(t, OUTPUT, axis), np.cumprod)


@rule(complex=True)
def by_runs(g: Any, saved: Any) -> Any:
    """x̄ₖ = Σᵢ gᵢ·yᵢ/xₖ, summed over i ≥ k.

    If an element is 0, it is the product of all elements before xₖ, times sₖ, where
    sₖ = gₖ + xₖ₊₁·sₖ₊₁.
    """
    x, y, axis = saved
    if divisible(array_of(y)):
        return from_the_end(g * y, axis) / x
    g, x, y = (np.swapaxes(a, axis, -1) for a in (g, x, y))
    before = np.concatenate(
        [numpy().ones((*y.shape[:-1], 1), y.dtype), y[..., :-1]], -1
    )
    return np.swapaxes(before * recurrence(g, x[..., 1:]), axis, -1)


@jvp_of(by_runs)
def through_runs(t: Any, saved: Any) -> Any:
    """dyₖ = dyₖ₋₁·xₖ + yₖ₋₁·dxₖ, the same recurrence from the front."""
    x, y, axis = saved
    t, x, y = (np.swapaxes(a, axis, -1) for a in (t, x, y))
    before = np.concatenate(
        [numpy().ones((*y.shape[:-1], 1), y.dtype), y[..., :-1]], -1
    )
    d = recurrence(np.flip(before * t, -1), np.flip(x[..., 1:], -1))
    return np.swapaxes(np.flip(d, -1), axis, -1)


def recurrence(s: Any, factors: Any) -> Any:
    """Return s after s[k] += factors[k]·s[k + 1], from the end to the front.

    Each round doubles the number of later elements that have been added to each
    element, and the number that a factor leads across.
    """
    n, step = s.shape[-1], 1
    while step < n:
        s = np.concatenate(
            [s[..., :-step] + factors * s[..., step:], s[..., -step:]], -1
        )
        factors = factors[..., :-step] * factors[..., step:]
        step *= 2
    return s


@operation(*newer("cumulative_sum"))
def cumulative_sum(
    x: Any,
    *,
    axis: int | None = None,
    dtype: Any = None,
    out: Any = None,
    include_initial: bool = False,
) -> Tensor:
    """Return running sums along an axis, after a 0 if `include_initial`."""
    t, axis = the_axis(
        "cumulative_sum", prepared("cumulative_sum", x, dtype, out), axis
    )
    return after(0, cumsum(t, axis), axis) if include_initial else cumsum(t, axis)


@operation(*newer("cumulative_prod"))
def cumulative_prod(
    x: Any,
    *,
    axis: int | None = None,
    dtype: Any = None,
    out: Any = None,
    include_initial: bool = False,
) -> Tensor:
    """Return running products along an axis, after a 1 if `include_initial`."""
    name = "cumulative_prod"
    t, axis = the_axis(name, prepared(name, x, dtype, out), axis)
    return after(1, cumprod(t, axis), axis) if include_initial else cumprod(t, axis)


def the_axis(name: str, t: Tensor, axis: int | None) -> tuple[Tensor, int]:
    """Return t and the axis from 0 up, which may be omitted for one axis only."""
    t = reshape(t, (1,)) if t.ndim == 0 else t
    if axis is None and t.ndim != 1:
        raise ValueError(
            f"{name}: a tensor of shape {t.shape} needs axis=, along which to run"
        )
    return t, one_axis(name, 0 if axis is None else axis, t.shape)


def after(first: int, t: Tensor, axis: int) -> Tensor:
    """Return t with a number put before it along an axis."""
    one = (*t.shape[:axis], 1, *t.shape[axis + 1 :])
    return concatenate([numpy().full(one, first, t.dtype), t], axis)


@operation(np.diff)
def diff(
    x: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None
) -> Tensor:
    """Return each element minus its predecessor along an axis, repeated n times.

    Args:
        x: a tensor or an array.
        n: how often.
        axis: the axis.
        prepend: a number, or a tensor or array that fits, to put before x.
        append: the same, to put after x.
    """
    if n < 0:
        raise ValueError(f"diff: n={n} is how often, so it is at least 0")
    t = as_tensor(x)
    axis = one_axis("diff", axis, t.shape)
    if n == 0:
        return t
    ends = [at_end(end, t) for end in (prepend, append)]
    one = (*t.shape[:axis], 1, *t.shape[axis + 1 :])
    first, last = (
        broadcast_to(end, one) if end is not None and end.ndim == 0 else end
        for end in ends
    )
    pieces = [piece for piece in (first, t, last) if piece is not None]
    t = concatenate(pieces, axis) if len(pieces) > 1 else t
    if t.node is None:
        return constant(np.diff(t._array, n, axis))  # of truth values too
    for _ in range(n):
        later, earlier = on_axis(axis, slice(1, None)), on_axis(axis, slice(None, -1))
        t = subtract(t[later], t[earlier])
    return t


def at_end(end: Any, t: Tensor) -> Tensor | None:
    """Return `prepend` or `append` as a tensor; a Python number gets the type of t."""
    if type(end) in (int, float):
        return constant(numpy().asarray(end, np.result_type(t.dtype, end)))
    return None if end is None else as_tensor(end)
