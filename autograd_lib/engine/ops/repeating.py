"""Repeated elements, and padding (chapter 10).

An element that is repeated gets the sum of its copies' gradients.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.operands import refuse_subclass
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.axes import as_tensor, on_axis, row_or_axis
from autograd_lib.engine.ops.indexing import gather, scatter
from autograd_lib.engine.ops.options import in_single, is_half, sum_in_rule
from autograd_lib.engine.rules import linear_map, rule
from autograd_lib.engine.tape.record import array, result
from autograd_lib.engine.tape.tensor import Tensor


@operation(np.tile)
def tile(x: Any, reps: Any) -> Tensor:
    """Return x repeated as a whole, `reps` times along each axis."""
    t, reps = as_tensor(x), array(reps)
    times = tuple(reps) if np.ndim(reps) else (reps,)
    ndim = max(t.ndim, len(times))
    shape = (1,) * (ndim - t.ndim) + t.shape
    times = (1,) * (ndim - len(times)) + times
    pairs = tuple(n for pair in zip(times, shape, strict=True) for n in pair)
    return result(np.tile(t._array, reps), x, sum_of_tiles, (pairs, t.shape))


@rule("linear", lambda t, saved: tiled(t, saved), complex=True)
def sum_of_tiles(g: Any, saved: Any) -> Any:
    """Sum over the copies, each of which gets an axis of its own."""
    pairs, shape = saved
    copies = tuple(range(0, len(pairs), 2))
    return sum_in_rule(g.reshape(pairs), copies).reshape(shape)


def tiled(t: Any, saved: Any) -> Any:
    """Return the tiles of a tangent."""
    pairs, shape = saved
    ones = (1,) * (len(pairs) // 2 - len(shape))
    one_of_each = tuple(n for length in (*ones, *shape) for n in (1, length))
    whole = tuple(m * n for m, n in zip(pairs[::2], pairs[1::2], strict=True))
    return np.broadcast_to(t.reshape(one_of_each), pairs).reshape(whole)


@operation(np.repeat)
def repeat(x: Any, repeats: Any, axis: int | None = None) -> Tensor:
    """Return each element, or each slice along an axis, several times.

    Args:
        x: a tensor or an array.
        repeats: how often, an integer or one for each slice.
        axis: the axis, or None for the elements of x in one row.

    Raises:
        ValueError: if there isn't one number for each slice.
    """
    t, axis = row_or_axis("repeat", x, axis)
    times = numpy().array(array(repeats))
    n = t.shape[axis]
    if times.ndim > 1 or times.size not in (1, n) or times.dtype.kind not in "iu":
        raise ValueError(
            f"repeat: repeats must be a whole number, or {n} of them for axis {axis} "
            f"of shape {t.shape}, got {times.dtype} of shape {times.shape}"
        )
    y = np.repeat(t._array, times, axis)
    return result(y, t, sum_of_runs, (np.broadcast_to(times, n), axis))


@rule(complex=True)
def repeated(g: Any, saved: tuple[np.ndarray, int]) -> Any:
    """Give each copy the gradient of the sum."""
    return np.repeat(g, *saved)


@linear_map(transpose=repeated, complex=True)
def sum_of_runs(g: Any, saved: tuple[np.ndarray, int]) -> Any:
    """Sum over the copies, which are neighbours."""
    times, axis = saved
    if is_half(g):
        return in_single(sum_of_runs, g, saved)
    if len(times) and (times == times[0]).all():  # an axis of their own
        shape = (*g.shape[:axis], len(times), int(times[0]), *g.shape[axis + 1 :])
        return g.reshape(shape).sum(axis=axis + 1)
    d = numpy().zeros((*g.shape[:axis], len(times), *g.shape[axis + 1 :]), g.dtype)
    if times.any():
        starts = (np.cumsum(times) - times)[times > 0]
        d[on_axis(axis, times > 0)] = np.add.reduceat(g, starts, axis)
    return d


@operation(np.pad)
def pad(x: Any, pad_width: Any, mode: Any = "constant", **options: Any) -> Tensor:
    """Return x surrounded by a constant, or by copies of its own elements.

    Args:
        x: a tensor or an array.
        pad_width: the width on each side, a pair of widths before and after, or such a
            pair for each axis.
        mode: "constant"; "edge" for the element at the edge; "reflect" or "symmetric"
            for a mirror at that element, or beyond it; "wrap" for periodic copies.
        options: for "constant" ``constant_values=``, a number, or as `pad_width`; by
            default 0.

    Raises:
        NotImplementedError: if the mode is another.
        ValueError: if `pad_width` does not fit the shape.
    """
    t = as_tensor(x)
    copied = mode in ("edge", "reflect", "symmetric", "wrap")
    if (mode != "constant" and not copied) or "reflect_type" in options:
        raise NotImplementedError(
            f"pad: mode={mode!r} with {options} has no rule; 'constant', 'edge', "
            "'reflect', 'symmetric' and 'wrap' have; np.concatenate puts all around"
        )
    refuse_subclass("pad: an argument", [pad_width, *options.values()])
    if isinstance(options.get("constant_values"), Tensor):
        raise TypeError(
            "pad: constant_values must be numbers; for a tensor around a tensor use "
            "np.concatenate"
        )
    try:
        widths = np.broadcast_to(numpy().asarray(pad_width, int), (t.ndim, 2)).tolist()
    except (TypeError, ValueError):
        raise ValueError(
            f"pad: pad_width={pad_width!r:.60} does not fit shape {t.shape}; give a "
            f"number, a pair (before, after), or {t.ndim} pairs"
        ) from None
    y = np.pad(t._array, pad_width, mode, **options)
    if copied:
        lines = [
            np.pad(numpy().arange(n), around, mode)
            for n, around in zip(t.shape, widths, strict=True)
        ]
        return result(y, x, scatter, (np.ix_(*lines), t.shape))
    inside = tuple(
        slice(before, before + n)
        for (before, _), n in zip(widths, t.shape, strict=True)
    )
    return result(y, x, gather, (inside, y.shape))
