"""Sliding windows, as a convolution needs them (chapter 10).

All windows are one view, in which each element appears in every window that covers it.
So an element's gradient is the sum over these windows.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple
from numpy.lib.stride_tricks import sliding_window_view

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.axes import as_tensor
from autograd_lib.engine.ops.shapes import Axes
from autograd_lib.engine.rules import linear_map, rule, view
from autograd_lib.engine.tape.tensor import Tensor

Spec = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


@operation(sliding_window_view)
def windows(
    x: Any,
    window_shape: Axes,
    axis: Axes | None = None,
    *,
    subok: bool = False,
    writeable: bool = False,
) -> Tensor:
    """Return all windows of a shape, as a read-only view.

    Args:
        x: a tensor or an array.
        window_shape: the length of a window along each of the axes.
        axis: the axes along which windows slide, or None for all.
        subok: False.
        writeable: False.

    Returns:
        A tensor whose first axes say where a window begins: they are those of x, each
        shorter by the window's length minus 1. Then there is an axis for each of
        `window_shape`.

    Raises:
        ValueError: if an axis does not exist, there isn't one length for each, or a
            window is longer than its axis.
        TypeError: if `writeable` is asked for.
    """
    if subok or writeable:
        raise TypeError(
            "sliding_window_view: windows of a tensor overlap and are for reading "
            "only; write into the tensor, and leave subok and writeable out"
        )
    t = as_tensor(x)
    lengths = window_shape if isinstance(window_shape, tuple | list) else [window_shape]
    lengths = tuple([length.__index__() for length in lengths])
    several = range(t.ndim) if axis is None else axis
    axes = normalize_axis_tuple(several, t.ndim, allow_duplicate=True)
    if len(lengths) != len(axes):
        raise ValueError(
            f"sliding_window_view: window_shape {lengths} must have a length for each "
            f"of the axes {axes} of shape {t.shape}"
        )
    left = list(t.shape)
    for i, length in zip(axes, lengths, strict=True):
        left[i] -= length - 1
        if length < 0 or left[i] < 1:
            raise ValueError(
                f"sliding_window_view: a window of {lengths} along the axes {axes} "
                f"does not fit into shape {t.shape}"
            )
    y = sliding(t._array, (*left, *lengths), axes)
    return view(y, x, sum_of_windows, (y.shape, axes, t.shape))


def sliding(
    a: Any, shape: tuple[int, ...], axes: tuple[int, ...], write: bool = False
) -> Any:
    """Return a view of all windows: a step within one has the same stride as in `a`.

    NumPy's function does the same after its checks, which take longer.
    """
    strides = (*a.strides, *[a.strides[i] for i in axes])
    return numpy().as_strided(a, shape, strides, writeable=write)


def windows_of(g: Any, saved: Spec) -> Any:
    """Return the windows of a gradient: the transpose of their sum."""
    shape, axes, whole = saved
    return sliding_window_view(g, shape[len(whole) :], axes)


@rule("view", lambda a, saved, _: sliding(a, saved[0], saved[1]))
@linear_map(transpose=windows_of)
def sum_of_windows(g: Any, saved: Spec) -> Any:
    """Add up the gradients of all windows, one place within the window at a time."""
    shape, axes, whole = saved
    total = numpy().zeros(whole, g.dtype)
    seen = sliding(total, shape, axes, write=True)
    for place in product(*map(range, shape[len(whole) :])):
        at: Any = (..., *place)
        np.add(seen[at], g[at], seen[at])
    return total
