"""Convolution: one small filter for all places of an image (chapter 17).

It copies the pixels that the filter sees and does one matrix product, as one operation
with one node. Its first and second derivatives are the maps in `bilinear`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.ops.options import sum_in_rule
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import array, record
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.nn.arguments import Random, floating, generator, whole
from autograd_lib.nn.bilinear import (
    filters_of,
    images_by_filters,
    matched,
    outputs_of,
    seen,
    shapes_of,
    times,
)
from autograd_lib.nn.module import Module, head
from autograd_lib.nn.sliding import Sides, hashable, pair


def conv2d(  # noqa: PLR0913 - the arguments are PyTorch's
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Sides = 1,
    padding: Sides = 0,
    dilation: Sides = 1,
    groups: int = 1,
) -> Tensor:
    """Return how strongly each filter responds to each place of images.

    As in PyTorch, no filter is flipped: in mathematics this is a cross-correlation.

    Args:
        input: images, of shape (N, C, height, width).
        weight: filters, of shape (outputs, C / groups, height, width).
        bias: a number for each output, or None.
        stride: the filter's step, one number, or two for down and across.
        padding: how many zeros are put around an image.
        dilation: the distance between neighbours within a filter.
        groups: how many groups the channels and the outputs are divided into; each
            output sees only the channels of its group.

    Returns:
        A tensor of shape (N, outputs, h, w) with h = (height + 2·padding -
        dilation·(filter's height - 1) - 1) // stride + 1, and likewise for w. In memory
        its channels come before its images, so that nothing needs to be transposed.

    Raises:
        TypeError: if a number is not whole.
        ValueError: if shapes do not fit, or the filter does not fit into the images.
    """
    x, w = numpy().asarray(array(input)), numpy().asarray(array(weight))
    steps = map(hashable, (stride, padding, dilation))
    s = shapes_of(x.shape, w.shape, *steps, groups)
    columns = seen(x, s)
    y = times(w, columns, s)
    if bias is not None:
        y = plus_bias(y, numpy().asarray(array(bias)))
    input = input if type(input) is Tensor else x
    weight = weight if type(weight) is Tensor else w
    return record(
        y,
        (input, images_by_filters, Saved(weight, s)),
        (weight, vjp_filters, Saved(input, columns, s)),
        (bias, vjp_bias, None),
        by=conv2d,
    )


@rule("linear", lambda t, saved: outputs_of(saved[0], t, saved[2]))
def vjp_filters(g: Any, saved: Any) -> Any:
    """Each weight gets the sum of the pixels it met times the outputs' gradients."""
    x, columns, s = saved
    # The columns aren't a tensor, so a recorded rule computes them again from x.
    return filters_of(x, g, s) if type(g) is Tensor else matched(columns, g, s)


@rule("linear", lambda t, _: t[:, None, None])
def vjp_bias(g: Any, _: None) -> Any:
    """The bias is added in each image and at each place."""
    return sum_in_rule(g, (0, 2, 3))


def plus_bias(y: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return outputs with a bias added, in place if the types agree.

    Raises:
        ValueError: if there isn't one number for each output.
    """
    if b.shape != y.shape[1:2]:
        raise ValueError(
            f"conv2d: bias of shape {b.shape} does not fit {y.shape[1]} outputs; its "
            f"shape must be {y.shape[1:2]}"
        )
    b = b[:, None, None]
    sums: np.ndarray = np.add(y, b, out=y if y.dtype is b.dtype else None)
    return sums


class Conv2d(Module):
    """A layer of filters that slide over images, see `conv2d`.

    Weights and biases are initially uniform between ±1/√n, where a filter has n
    weights, as in PyTorch.

    Args:
        in_channels: how many channels the images have.
        out_channels: how many filters there are.
        kernel_size: height and width of a filter, or one number for both.
        stride: the filter's step.
        padding: how many zeros are put around an image.
        dilation: the distance between neighbours within a filter.
        groups: how many groups the channels are divided into.
        bias: whether a bias is added for each filter.
        rng: the generator of the initial weights, or its seed.
        dtype: the type of the weights.

    Attributes:
        weight: of shape (out_channels, in_channels / groups, height, width).
        bias: of shape (out_channels,), or None.

    Raises:
        ValueError: if the groups do not divide the channels.

    >>> Conv2d(1, 8, 3, padding=1)(np.zeros((5, 1, 28, 28), np.float32)).shape
    (5, 8, 28, 28)
    """

    def __init__(  # noqa: PLR0913 - the arguments are PyTorch's
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sides,
        stride: Sides = 1,
        padding: Sides = 0,
        dilation: Sides = 1,
        groups: int = 1,
        bias: bool = True,
        *,
        rng: Random = None,
        dtype: Any = np.float32,
    ) -> None:
        self.in_channels = whole("Conv2d: in_channels", in_channels)
        self.out_channels = whole("Conv2d: out_channels", out_channels)
        self.kernel_size = pair("Conv2d", "kernel_size", kernel_size, 1)
        self.stride = pair("Conv2d", "stride", stride, 1)
        self.padding = pair("Conv2d", "padding", padding, 0)
        self.dilation = pair("Conv2d", "dilation", dilation, 1)
        self.groups = whole("Conv2d: groups", groups)
        if in_channels % groups or out_channels % groups:
            raise ValueError(
                f"Conv2d: groups={groups} must divide in_channels={in_channels} and "
                f"out_channels={out_channels}"
            )
        rng, dtype = generator("Conv2d", rng), floating("Conv2d", dtype)
        shape = (out_channels, in_channels // groups, *self.kernel_size)
        bound = 1 / math.sqrt(math.prod(shape[1:]))
        self.weight = Tensor(rng.uniform(-bound, bound, shape), True, dtype)
        self.bias: Tensor | None = None
        if bias:
            self.bias = Tensor(rng.uniform(-bound, bound, out_channels), True, dtype)

    def forward(self, x: Any) -> Tensor:
        """Return how strongly each filter responds to each place of images.

        Raises:
            ValueError: if `x` is not images of `in_channels` channels, or they are
                smaller than a filter.
        """
        shape = np.shape(x)
        if len(shape) != 4 or shape[1] != self.in_channels:
            way = "x[:, None] gives images of shape (N, height, width) their channel"
            if len(shape) == 4:
                way = f"for these make it Conv2d({shape[1]}, {self.out_channels}, …)"
            raise ValueError(
                f"{head(self)}: needs images of shape (N, {self.in_channels}, height, "
                f"width), got shape {shape}; {way}"
            )
        steps = self.stride, self.padding, self.dilation
        return conv2d(x, self.weight, self.bias, *steps, self.groups)

    def extra_repr(self) -> str:
        """Return the sizes, and the settings that aren't the defaults."""
        usual = {"stride": (1, 1), "padding": (0, 0), "dilation": (1, 1), "groups": 1}
        other = {name: getattr(self, name) for name in usual}
        said = [f"{name}={v}" for name, v in other.items() if v != usual[name]]
        said += ["bias=False"] if self.bias is None else []
        sizes = self.in_channels, self.out_channels, self.kernel_size
        return ", ".join([*map(str, sizes), *said])
