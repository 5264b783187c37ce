"""The three maps of a convolution, each a rule of the others (chapter 17).

Given images x, filters w and outputs y, sum x·w·y over all pixels, weights and outputs
that meet. The slope of this number with respect to y is the convolution of x with w;
with respect to x it is the transposed convolution of y with w; with respect to w it is
the correlation of x and y. So there are three maps, each linear in two operands, and
the derivatives of each are the other two. That holds for the second derivatives, too.
"""

from __future__ import annotations

from functools import lru_cache, partial
from math import prod
from typing import Any, NamedTuple

import numpy as np

from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.node import Rule, Saved
from autograd_lib.engine.tape.record import binary
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.nn.sliding import (
    Fixed,
    Sliding,
    batch_first,
    batch_last,
    put_back,
    sliding,
    windows_of,
)


class Shapes(NamedTuple):
    """The shapes that the three maps need.

    Attributes:
        window: how the filter slides.
        groups: how many groups the channels are divided into.
        n: how many images there are.
        inputs: how many channels the images have.
        filters: the shape of the filters.
    """

    window: Sliding
    groups: int
    n: int
    inputs: int
    filters: tuple[int, ...]


@lru_cache(maxsize=256, typed=True)
def shapes_of(
    x: tuple[int, ...],
    w: tuple[int, ...],
    stride: Fixed,
    padding: Fixed,
    dilation: Fixed,
    groups: int,
) -> Shapes:
    """Return the `Shapes` for images and filters of the given shapes.

    Raises:
        TypeError: if a number is not whole.
        ValueError: if the shapes do not fit.
    """
    if len(x) != 4 or len(w) != 4:
        raise ValueError(
            f"conv2d: input of shape {x} and weight of shape {w}; images have the "
            "shape (N, C, height, width), filters (outputs, C / groups, height, "
            "width); a single image is x[None]"
        )
    if type(groups) is not int or groups < 1 or w[0] % groups:
        raise ValueError(
            f"conv2d: groups is a whole number that divides the {w[0]} outputs of the "
            f"weight of shape {w}, got {groups!r}"
        )
    if x[1] != w[1] * groups:
        raise ValueError(
            f"conv2d: input of shape {x} has {x[1]} channels, but a weight of shape "
            f"{w} with groups={groups} looks at {w[1] * groups}; the weight's axis 1 "
            "must be the input's channels divided by the groups"
        )
    window = sliding("conv2d", x[2:], w[2:], stride, padding, dilation)
    return Shapes(window, groups, x[0], x[1], w)


def outputs_of(x: Any, w: Any, s: Shapes) -> Any:
    """Return the convolution of images with filters."""
    if type(x) is Tensor or type(w) is Tensor:
        return either(outputs_of, x, images_by_filters, w, filters_by_images, s)
    return times(w, seen(x, s), s)


def images_of(w: Any, y: Any, s: Shapes) -> Any:
    """Return the transposed convolution of outputs with filters."""
    if type(w) is Tensor or type(y) is Tensor:
        return either(images_of, w, filters_by_outputs, y, outputs_by_filters, s)
    parts = in_groups(w, s).swapaxes(1, 2) @ per_output(y, s)
    parts = parts.reshape(s.inputs, *s.window.window, *s.window.out, s.n)
    return put_back(parts, s.window)


def filters_of(x: Any, y: Any, s: Shapes) -> Any:
    """Return the correlation of the pixels that each weight sees with the outputs."""
    if type(x) is Tensor or type(y) is Tensor:
        return either(filters_of, x, images_by_outputs, y, outputs_by_images, s)
    return matched(seen(x, s), y, s)


def either(f: Any, a: Any, rule: Rule, b: Any, rule_b: Rule, s: Shapes) -> Tensor:
    """Record a map of two operands, at least one of which is a tensor."""
    return binary(partial(f, s=s), a, rule, Saved(b, s), b, rule_b, Saved(a, s))


@rule("linear", lambda t, saved: outputs_of(t, *saved))
def images_by_filters(y: Any, saved: Any) -> Any:
    """X̄ of the convolution."""
    w, s = saved
    return images_of(w, y, s)


@rule("linear", lambda t, saved: outputs_of(saved[0], t, saved[1]))
def filters_by_images(y: Any, saved: Any) -> Any:
    """W̄ of the convolution."""
    x, s = saved
    return filters_of(x, y, s)


@rule("linear", lambda t, saved: images_of(t, *saved))
def filters_by_outputs(x: Any, saved: Any) -> Any:
    """W̄ of the transposed convolution; the gradient has the shape of images."""
    y, s = saved
    return filters_of(x, y, s)


@rule("linear", lambda t, saved: images_of(saved[0], t, saved[1]))
def outputs_by_filters(x: Any, saved: Any) -> Any:
    """Ȳ of the transposed convolution."""
    w, s = saved
    return outputs_of(x, w, s)


@rule("linear", lambda t, saved: filters_of(t, *saved))
def images_by_outputs(w: Any, saved: Any) -> Any:
    """X̄ of the correlation; the gradient has the shape of filters."""
    y, s = saved
    return images_of(w, y, s)


@rule("linear", lambda t, saved: filters_of(saved[0], t, saved[1]))
def outputs_by_images(w: Any, saved: Any) -> Any:
    """Ȳ of the correlation."""
    x, s = saved
    return outputs_of(x, w, s)


# The maps as matrix products, one for each group.


def seen(x: np.ndarray, s: Shapes) -> np.ndarray:
    """Return a copy of the pixels that filters see, as (groups, weights, places)."""
    windows: np.ndarray = windows_of(batch_last(x, s.window), s.window)
    weights = prod(s.filters[1:])
    return windows.reshape(s.groups, weights, s.n * prod(s.window.out))


def times(w: np.ndarray, columns: np.ndarray, s: Shapes) -> np.ndarray:
    """Return filters times the pixels that they see, as outputs."""
    y = in_groups(w, s) @ columns
    return batch_first(y.reshape(s.filters[0], *s.window.out, s.n))


def matched(columns: np.ndarray, y: np.ndarray, s: Shapes) -> np.ndarray:
    """Return outputs times the pixels that the filters saw, as filters."""
    w: np.ndarray = per_output(y, s) @ columns.swapaxes(1, 2)
    return w.reshape(s.filters)


def in_groups(w: np.ndarray, s: Shapes) -> np.ndarray:
    """Return filters as (groups, outputs of a group, weights)."""
    return w.reshape(s.groups, s.filters[0] // s.groups, prod(s.filters[1:]))


def per_output(y: np.ndarray, s: Shapes) -> np.ndarray:
    """Return outputs as (groups, outputs of a group, places)."""
    shape = s.groups, s.filters[0] // s.groups, s.n * prod(s.window.out)
    return y.transpose(1, 2, 3, 0).reshape(shape)
