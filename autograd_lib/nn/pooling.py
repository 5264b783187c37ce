"""Pooling: one number for each window, its maximum or mean (chapter 17).

If several pixels of a window are the largest, they share its gradient evenly, as in
`numpy.max`, so their order doesn't matter. PyTorch gives all of it to the first.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.ops.arithmetic import array_of
from autograd_lib.engine.ops.options import in_single, is_half, refuse_complex
from autograd_lib.engine.rules import linear_map
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import OUTPUT, array, result
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.nn.module import Module
from autograd_lib.nn.sliding import (
    Sides,
    Sliding,
    batch_first,
    batch_last,
    hashable,
    pair,
    put_back,
    sliding,
    windows_of,
)


def max_pool2d(
    input: Any, kernel_size: Sides, stride: Sides | None = None, padding: Sides = 0
) -> Tensor:
    """Return the largest pixel of each window; NaN if it contains NaN.

    Args:
        input: images, of shape (N, C, height, width).
        kernel_size: height and width of the window, or one number for both.
        stride: the window's step; by default its own size, so that none overlap.
        padding: the width of a border around an image, which is never the largest.

    Raises:
        TypeError: if a number is not whole.
        ValueError: if `input` is not images, or the window does not fit into them.
    """
    x = numpy().asarray(array(input))
    refuse_complex("max_pool2d", x)
    if is_half(x):
        return in_single(max_pool2d, input, kernel_size, stride, padding)  # type: ignore[no-any-return]
    s = window_of("max_pool2d", x, kernel_size, stride, padding)
    seen = windows_of(batch_last(x, s, lowest(x.dtype)), s)
    y = seen[:, 0, 0].copy()
    for i, j in s.places[1:]:
        np.maximum(y, seen[:, i, j], out=y)
    y = batch_first(y)
    return result(y, input, vjp_largest, Saved(input, OUTPUT, s), max_pool2d)


def avg_pool2d(
    input: Any, kernel_size: Sides, stride: Sides | None = None, padding: Sides = 0
) -> Tensor:
    """Return the mean of each window, including zeros of the border.

    The arguments are those of `max_pool2d`.

    Raises:
        TypeError: if a number is not whole.
        ValueError: if `input` is not images, or the window does not fit into them.
    """
    x = numpy().asarray(array(input))
    refuse_complex("avg_pool2d", x)
    x = x if x.dtype.kind == "f" else x.astype(float)
    if is_half(x):
        return in_single(avg_pool2d, input, kernel_size, stride, padding)  # type: ignore[no-any-return]
    s = window_of("avg_pool2d", x, kernel_size, stride, padding)
    return result(mean_of(x, s), input, vjp_mean, s, avg_pool2d)


def mean_of(x: Any, s: Sliding) -> Any:
    """Return the mean of each window."""
    if type(x) is Tensor:
        return result(mean_of(x.data, s), x, vjp_mean, s, avg_pool2d)
    seen = windows_of(batch_last(x, s), s)
    y = seen[:, 0, 0].copy()
    for i, j in s.places[1:]:
        y += seen[:, i, j]
    y *= 1 / prod(s.window)
    return batch_first(y)


@linear_map(transpose=mean_of)
def vjp_mean(g: Any, s: Sliding) -> Any:
    """Each pixel gets an equal part of its window's gradient."""
    share = g.transpose(1, 2, 3, 0) * (1 / prod(s.window))
    return put_back(share[:, None, None], s)


def largest_of(g: Any, saved: Any) -> Any:
    """Return the mean of `g` over each window's largest pixels."""
    if type(g) is Tensor:  # not `linear_map`, whose transpose must be defined first
        return result(largest_of(g.data, saved), g, vjp_largest, saved, max_pool2d)
    wins, number = winners(saved)
    seen = windows_of(batch_last(g, saved[2]), saved[2])
    return batch_first(np.where(wins, seen, 0.0).sum(axis=(1, 2)) / number)


@linear_map(transpose=largest_of)
def vjp_largest(g: Any, saved: Any) -> Any:
    """Share each window's gradient evenly among its largest pixels."""
    wins, number = winners(saved)
    share = (g.transpose(1, 2, 3, 0) / number)[:, None, None]
    return put_back(np.where(wins, share, 0.0), saved[2])


def winners(saved: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return which pixels of each window equal the result, and their number.

    Pixels of the border never do.
    """
    x, y, s = saved
    y = array_of(y).transpose(1, 2, 3, 0)[:, None, None]
    seen = windows_of(batch_last(array_of(x), s, np.nan), s)
    wins = seen == y
    if np.isnan(y).any():
        wins |= np.isnan(seen) & np.isnan(y)
    return wins, wins.sum(axis=(1, 2), dtype=y.dtype)


def lowest(dtype: np.dtype[Any]) -> Any:
    """Return a number that no other of its type is less than."""
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def window_of(
    name: str, x: np.ndarray, size: Sides, stride: Sides | None, padding: Sides
) -> Sliding:
    """Return how a pooling window slides over images.

    Raises:
        TypeError: if a number is not whole.
        ValueError: if these are not images, or the window does not fit into them.
    """
    if x.ndim != 4:
        raise ValueError(
            f"{name}: input of shape {x.shape} is not images of shape (N, C, height, "
            "width); a single one is x[None]"
        )
    step = size if stride is None else stride
    s = sliding(name, x.shape[2:], *map(hashable, (size, step, padding)), 1)
    if any(2 * p > k for p, k in zip(s.padding, s.window, strict=True)):
        raise ValueError(
            f"{name}: padding={padding!r} may be half as wide as the window of "
            f"{s.window} at most, else a window could see nothing of the image"
        )
    return s


class Pooling(Module):
    """The arguments of both kinds of pooling.

    Args:
        kernel_size: height and width of a window, or one number for both.
        stride: the window's step; by default its own size.
        padding: the width of a border around an image.
    """

    def __init__(
        self, kernel_size: Sides, stride: Sides | None = None, padding: Sides = 0
    ) -> None:
        name = type(self).__name__
        self.kernel_size = pair(name, "kernel_size", kernel_size, 1)
        self.stride = self.kernel_size
        if stride is not None:
            self.stride = pair(name, "stride", stride, 1)
        self.padding = pair(name, "padding", padding, 0)

    def extra_repr(self) -> str:
        """Return the sizes."""
        stride = f", stride={self.stride}" if self.stride != self.kernel_size else ""
        padding = f", padding={self.padding}" if self.padding != (0, 0) else ""
        return f"{self.kernel_size}{stride}{padding}"


class MaxPool2d(Pooling):
    """The largest pixel of each window, see `max_pool2d`."""

    def forward(self, x: Any) -> Tensor:
        """Return the largest pixel of each window."""
        return max_pool2d(x, self.kernel_size, self.stride, self.padding)


class AvgPool2d(Pooling):
    """The mean of each window, see `avg_pool2d`."""

    def forward(self, x: Any) -> Tensor:
        """Return the mean of each window."""
        return avg_pool2d(x, self.kernel_size, self.stride, self.padding)
