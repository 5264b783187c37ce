"""Layers that enlarge images: transposed convolution and upsampling (chapter 17)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_lib.engine.ops.arithmetic import add
from autograd_lib.engine.ops.repeating import repeat
from autograd_lib.engine.ops.shapes import reshape
from autograd_lib.engine.tape.record import array
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.nn.arguments import Random, floating, generator, whole
from autograd_lib.nn.bilinear import (
    either,
    filters_by_outputs,
    images_of,
    outputs_by_filters,
    shapes_of,
)
from autograd_lib.nn.module import Module, head
from autograd_lib.nn.sliding import Sides, pair
from autograd_lib.spelling import explain_keywords


@explain_keywords
def conv_transpose2d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Sides = 1,
    padding: Sides = 0,
    output_padding: Sides = 0,
) -> Tensor:
    """Return the sum of copies of each filter, one for each pixel, times that pixel.

    It is the transposed map of `conv2d`, which is also the VJP with respect to images.
    So a stride moves the copies apart, and padding is cropped from the result.

    Args:
        input: images, of shape (N, C, height, width).
        weight: filters, of shape (C, outputs, height, width).
        bias: a number for each output, or None.
        stride: the distance between the copies of neighbouring pixels.
        padding: how much of the border is cropped.
        output_padding: how many rows and columns are added at the end, fewer than the
            stride: with a stride, `conv2d` maps images of several sizes to one size.

    Returns:
        A tensor of shape (N, outputs, h, w) with h = (height - 1)·stride - 2·padding +
        the filter's height + output_padding, and likewise for w.

    Raises:
        TypeError: if a number is not whole.
        ValueError: if shapes do not fit.
    """
    name = "conv_transpose2d"
    x, w = np.shape(array(input)), np.shape(array(weight))
    if len(x) != 4 or len(w) != 4 or x[1] != w[0]:
        raise ValueError(
            f"{name}: input of shape {x} and weight of shape {w}; images have the "
            "shape (N, C, height, width), filters (C, outputs, height, width)"
        )
    steps = pair(name, "stride", stride, 1)
    cut = pair(name, "padding", padding, 0)
    more = pair(name, "output_padding", output_padding, 0)
    high, wide = (
        (n - 1) * s - 2 * p + k + m
        for n, s, p, k, m in zip(x[2:], steps, cut, w[2:], more, strict=True)
    )
    if min(high, wide) < 1 or any(m >= s for m, s in zip(more, steps, strict=True)):
        raise ValueError(
            f"{name}: images of {high}×{wide} would come of input of shape {x}, weight "
            f"of shape {w}, padding={padding} and output_padding={output_padding}; "
            f"they need a pixel, and output_padding must be below stride={stride}"
        )
    s = shapes_of((x[0], w[1], high, wide), w, steps, cut, (1, 1), 1)
    y = either(images_of, weight, filters_by_outputs, input, outputs_by_filters, s)
    if bias is None:
        return y
    if np.shape(array(bias)) != w[1:2]:
        raise ValueError(
            f"{name}: bias of shape {np.shape(array(bias))} does not fit {w[1]} outputs"
        )
    return add(y, reshape(bias, (w[1], 1, 1)))


class ConvTranspose2d(Module):
    """A layer of filters that are copied to each pixel, see `conv_transpose2d`.

    Weights and biases are initially uniform between ±1/√n, where a pixel's filters have
    n weights, as in PyTorch.

    Args:
        in_channels: how many channels the images have.
        out_channels: how many channels the result has.
        kernel_size: height and width of a filter, or one number for both.
        stride: the distance between the copies of neighbouring pixels.
        padding: how much of the border is cropped.
        output_padding: how many rows and columns are added at the end.
        bias: whether a bias is added for each output.
        rng: the generator of the initial weights, or its seed.
        dtype: the type of the weights.

    Attributes:
        weight: of shape (in_channels, out_channels, height, width).
        bias: of shape (out_channels,), or None.

    >>> up = ConvTranspose2d(8, 4, 2, stride=2)
    >>> up(np.zeros((5, 8, 7, 7), np.float32)).shape
    (5, 4, 14, 14)
    """

    def __init__(  # noqa: PLR0913 - the arguments are PyTorch's
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sides,
        stride: Sides = 1,
        padding: Sides = 0,
        output_padding: Sides = 0,
        *,
        bias: bool = True,
        rng: Random = None,
        dtype: Any = np.float32,
    ) -> None:
        name = "ConvTranspose2d"
        self.in_channels = whole(f"{name}: in_channels", in_channels)
        self.out_channels = whole(f"{name}: out_channels", out_channels)
        self.kernel_size = pair(name, "kernel_size", kernel_size, 1)
        self.stride = pair(name, "stride", stride, 1)
        self.padding = pair(name, "padding", padding, 0)
        self.output_padding = pair(name, "output_padding", output_padding, 0)
        rng, dtype = generator(name, rng), floating(name, dtype)
        shape = (in_channels, out_channels, *self.kernel_size)
        bound = 1 / math.sqrt(math.prod(shape[1:]))
        self.weight = Tensor(rng.uniform(-bound, bound, shape), True, dtype)
        self.bias: Tensor | None = None
        if bias:
            self.bias = Tensor(rng.uniform(-bound, bound, out_channels), True, dtype)

    def forward(self, x: Any) -> Tensor:
        """Return the transposed convolution of images.

        Raises:
            ValueError: if `x` is not images of `in_channels` channels.
        """
        shape = np.shape(x)
        if len(shape) != 4 or shape[1] != self.in_channels:
            raise ValueError(
                f"{head(self)}: needs images of shape (N, {self.in_channels}, height, "
                f"width), got shape {shape}"
            )
        steps = self.stride, self.padding, self.output_padding
        return conv_transpose2d(x, self.weight, self.bias, *steps)

    def extra_repr(self) -> str:
        """Return the sizes, and the settings that aren't the defaults."""
        usual = {"stride": (1, 1), "padding": (0, 0), "output_padding": (0, 0)}
        said = [
            f"{k}={getattr(self, k)}" for k, v in usual.items() if getattr(self, k) != v
        ]
        said += ["bias=False"] if self.bias is None else []
        sizes = self.in_channels, self.out_channels, self.kernel_size
        return ", ".join([*map(str, sizes), *said])


class Upsample(Module):
    """Repeat each pixel, down and across.

    Args:
        scale_factor: how often, one number, or two for down and across.
        mode: "nearest", the only mode.

    Raises:
        TypeError: if a number is not whole.
        ValueError: if it is below 1, or the mode is unknown.

    >>> Upsample(scale_factor=2)(np.zeros((5, 8, 7, 7))).shape
    (5, 8, 14, 14)
    """

    def __init__(self, *, scale_factor: Sides, mode: str = "nearest") -> None:
        self.scale_factor = pair("Upsample", "scale_factor", scale_factor, 1)
        if mode != "nearest":
            raise ValueError(
                f'Upsample: mode is "nearest", got {mode!r:.60}; a ConvTranspose2d '
                "learns how to fill in between"
            )

    def forward(self, x: Any) -> Tensor:
        """Return the larger images.

        Raises:
            ValueError: if `x` is not images.
        """
        if np.ndim(x) != 4:
            raise ValueError(
                "Upsample: needs images of shape (N, C, height, width), got shape "
                f"{np.shape(x)}"
            )
        down, across = self.scale_factor
        return repeat(repeat(x, down, axis=2), across, axis=3)

    def extra_repr(self) -> str:
        """Return the scale factor."""
        return f"scale_factor={self.scale_factor}"
