"""Windows that slide over images, as a view of them (chapter 17).

Images have the batch as the last axis, (C, H, W, N). Then the pixels of all images that
a window sees at one place in a row are contiguous, and copying the view is fast.
"""

from __future__ import annotations

import operator
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from autograd_lib.engine.arrays import numpy

Pair = tuple[int, int]
Sides = int | tuple[int, ...] | list[int]
Fixed = int | tuple[int, ...]


class Sliding(NamedTuple):
    """A window that slides over images of one size.

    Attributes:
        size: height and width of an image.
        window: height and width of the window.
        stride: its step, down and across.
        padding: the width of the border around an image, for each axis.
        dilation: the distance between neighbours in the window.
        out: how often it fits, down and across.
        places: row and column of each place in the window.
        disjoint: whether no two windows see the same pixel.
    """

    size: Pair
    window: Pair
    stride: Pair
    padding: Pair
    dilation: Pair
    out: Pair
    places: tuple[Pair, ...]
    disjoint: bool


@lru_cache(maxsize=256, typed=True)
def sliding(
    name: str, size: Pair, window: Fixed, stride: Fixed, padding: Fixed, dilation: Fixed
) -> Sliding:
    """Return how a window slides; results are cached.

    Args:
        name: the function that the user called, for messages.
        size: height and width of an image.
        window: height and width of the window, one number for both or two.
        stride: its step.
        padding: the width of the border.
        dilation: the distance between neighbours in the window.

    Raises:
        TypeError: if a number is not whole.
        ValueError: if one is too small, or the window does not fit into the image.
    """
    windows = pair(name, "the size of a window", window, 1)
    strides = pair(name, "stride", stride, 1)
    borders = pair(name, "padding", padding, 0)
    gaps = pair(name, "dilation", dilation, 1)
    reach = [d * (k - 1) + 1 for k, d in zip(windows, gaps, strict=True)]
    whole = [n + 2 * p for n, p in zip(size, borders, strict=True)]
    if any(r > n for r, n in zip(reach, whole, strict=True)):
        raise ValueError(
            f"{name}: a window of {windows[0]}×{windows[1]} with dilation={dilation} "
            f"covers {reach[0]}×{reach[1]} pixels, more than an image of {size[0]}×"
            f"{size[1]} with padding={padding} has; take a smaller window, larger "
            "images or more padding"
        )
    down, across = (
        (n - r) // s + 1 for n, r, s in zip(whole, reach, strides, strict=True)
    )
    return Sliding(
        size,
        windows,
        strides,
        borders,
        gaps,
        (down, across),
        tuple(product(range(windows[0]), range(windows[1]))),
        all(r <= s for r, s in zip(reach, strides, strict=True)),
    )


SAME = (
    "; with a stride of 1 and an odd filter, padding=size // 2 keeps the image's size"
)


def pair(name: str, argument: str, value: Sides, least: int) -> Pair:
    """Return one number, or two for down and across, as a pair.

    Args:
        name: the function that the user called, for messages.
        argument: the argument's name.
        value: a whole number, or two.
        least: the smallest allowed number.

    Raises:
        TypeError: if it isn't whole numbers.
        ValueError: if one is too small, or there aren't two.
    """
    sides = value if isinstance(value, tuple | list) else (value, value)
    try:
        numbers = [operator.index(side) for side in sides]
    except TypeError:
        raise TypeError(
            f"{name}: {argument} is a whole number, or two for height and width, got "
            f"{value!r}{SAME if str(value) == 'same' else ''}"
        ) from None
    if len(numbers) != 2 or min(numbers) < least:
        raise ValueError(
            f"{name}: {argument} is a whole number of at least {least}, or two for "
            f"height and width, got {value!r}"
        )
    return numbers[0], numbers[1]


def hashable(value: Sides) -> Fixed:
    """Return a list as a tuple, as the cache needs it."""
    return tuple(value) if isinstance(value, list) else value


def batch_last(x: np.ndarray, s: Sliding, border: float = 0) -> np.ndarray:
    """Return images (N, C, H, W) as (C, H, W, N), contiguous and with their border."""
    x = x.transpose(1, 2, 3, 0)
    if s.padding == (0, 0):
        return numpy().ascontiguousarray(x)
    (channels, high, wide, n), (p, q) = x.shape, s.padding
    framed = numpy().full((channels, high + 2 * p, wide + 2 * q, n), border, x.dtype)
    cropped(framed, s)[...] = x
    return framed


def cropped(x: np.ndarray, s: Sliding) -> np.ndarray:
    """Return images (C, H, W, N) without their border, as a view."""
    (high, wide), (p, q) = s.size, s.padding
    return x[:, p : p + high, q : q + wide]


def batch_first(x: np.ndarray) -> np.ndarray:
    """Return images (C, H, W, N) as (N, C, H, W), as a view."""
    return x.transpose(3, 0, 1, 2)


def windows_of(x: Any, s: Sliding) -> Any:
    """Return all windows of images (C, H, W, N), as a view.

    Its shape is (C, window's height, its width, windows down, windows across, N). A
    step within the window is `dilation` pixels, and from one window to the next
    `stride`.
    """
    channel, row, column, image = x.strides
    (d, e), (s_d, s_e) = s.dilation, s.stride
    shape = x.shape[0], *s.window, *s.out, x.shape[3]
    strides = channel, d * row, e * column, s_d * row, s_e * column, image
    if type(x) is not np.ndarray:  # a stand-in that `compile` records (chapter 22)
        return numpy().as_strided(x, shape, strides)
    return np.ndarray(shape, x.dtype, x, 0, strides)


def put_back(parts: np.ndarray, s: Sliding) -> np.ndarray:
    """Return images (N, C, H, W) that are the sums of the windows.

    It is the transpose of `windows_of`: a pixel gets the sum over all windows that saw
    it. They are added one place in the window at a time, or all at once if none
    overlap.

    Args:
        parts: the windows, in the shape of `windows_of`, or one that broadcasts to it.
        s: how the windows slide.
    """
    (high, wide), (p, q) = s.size, s.padding
    shape = parts.shape[0], high + 2 * p, wide + 2 * q, parts.shape[-1]
    total = numpy().zeros(shape, parts.dtype)
    windows = windows_of(total, s)
    if s.disjoint:
        windows[...] = parts
    else:
        if parts.shape != windows.shape:
            parts = np.broadcast_to(parts, windows.shape)
        for i, j in s.places:
            place = windows[:, i, j]
            place += parts[:, i, j]
    return batch_first(cropped(total, s))
