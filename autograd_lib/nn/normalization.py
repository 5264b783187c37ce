"""Layer and batch normalization (chapter 16)."""

from __future__ import annotations

from math import prod
from typing import Any, ClassVar

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.operands import truth
from autograd_lib.engine.ops.options import is_half
from autograd_lib.engine.ops.shapes import reshape
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.nn.arguments import at_least_zero, floating, share, whole
from autograd_lib.nn.functional import normalize
from autograd_lib.nn.module import Module, head


class LayerNorm(Module):
    """Normalize each item to mean 0 and variance 1, with a learned scale and shift.

    Ba, Kiros and Hinton, "Layer Normalization" (2016), arXiv:1607.06450.

    Args:
        normalized_shape: the length of the last axis, or the shape of the last axes,
            which form an item.
        eps: a number added to the variance.
        elementwise_affine: whether there is a learned scale, and a shift.
        bias: whether there is a shift beside the scale.
        dtype: the type of weight and bias.

    Attributes:
        weight: the scale, initially 1, or None.
        bias: the shift, initially 0, or None.
    """

    _settings: ClassVar = {"eps": at_least_zero}

    weight: Tensor | None
    bias: Tensor | None

    def __init__(
        self,
        normalized_shape: int | tuple[int, ...] | list[int],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        *,
        dtype: Any = np.float32,
    ) -> None:
        given = normalized_shape
        lengths = tuple(given) if isinstance(given, tuple | list) else (given,)
        self.shape = tuple(whole("LayerNorm: normalized_shape", n) for n in lengths)
        self.eps = eps
        scaled = truth(elementwise_affine, "LayerNorm: elementwise_affine")
        shifted = truth(bias, "LayerNorm: bias") and scaled
        self.weight, self.bias = scale_and_shift(
            self.shape, scaled, shifted, floating("LayerNorm", dtype)
        )

    def forward(self, x: Any) -> Tensor:
        """Return the items of `x`, normalized.

        Raises:
            ValueError: if the last axes of `x` have another shape.
        """
        n, shape = len(self.shape), np.shape(x)
        if shape[-n:] != self.shape:
            raise ValueError(
                f"{head(self)}: needs {self.shape} as the last axes, got shape "
                f"{shape}; make it LayerNorm({sizes(shape[-n:])}) for these"
            )
        axes = tuple(range(-n, 0))
        return normalize(x, axes, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """Return the shape, and what is left out."""
        without = "elementwise_affine" if self.weight is None else "bias"
        left_out = f", {without}=False" if self.bias is None else ""
        return f"{sizes(self.shape)}{left_out}"


class BatchNorm(Module):
    """Normalize each feature over the batch, with a learned scale and shift.

    In training, mean and variance are those of the batch, and running means of them are
    kept, which are used outside training. Ioffe and Szegedy, "Batch Normalization"
    (2015), arXiv:1502.03167. It replaces PyTorch's BatchNorm1d, 2d and 3d.

    Args:
        num_features: the length of axis 1: (batch, features, …).
        eps: a number added to the variance.
        momentum: the weight of a new batch in the running means; None for the mean over
            all batches so far.
        affine: whether there are a learned scale and shift.
        track_running_stats: whether running means are kept; without them, mean and
            variance are those of the batch outside training too.
        dtype: the type of weight and bias.

    Attributes:
        weight: the scale, initially 1, or None.
        bias: the shift, initially 0, or None.
        running_mean: a buffer, initially 0, or None. Batches with NaN or infinity
            change neither it nor the next.
        running_var: a buffer, initially 1, or None; of variances over n - 1.
        num_batches_tracked: a buffer, with momentum=None: how many batches the running
            means are of.
    """

    _settings: ClassVar = {
        "eps": at_least_zero,
        "momentum": lambda name, value: None if value is None else share(name, value),
    }

    weight: Tensor | None
    bias: Tensor | None

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        *,
        dtype: Any = np.float32,
    ) -> None:
        self.num_features = n = whole("BatchNorm: num_features", num_features)
        self.eps = eps
        self.momentum = momentum
        dtype, scaled = floating("BatchNorm", dtype), truth(affine, "BatchNorm: affine")
        self.weight, self.bias = scale_and_shift((n,), scaled, scaled, dtype)
        self.running_mean = self.running_var = None
        if truth(track_running_stats, "BatchNorm: track_running_stats"):
            self.running_mean = Tensor(numpy().zeros(n), dtype=dtype)
            self.running_var = Tensor(numpy().ones(n), dtype=dtype)
            if momentum is None:
                self.num_batches_tracked = Tensor(0)

    def forward(self, x: Any) -> Tensor:
        """Return `x`, normalized.

        Raises:
            ValueError: if axis 1 of `x` has another length, or there is only one number
                for each feature in training, whose variance would be 0.
        """
        shape = np.shape(x)
        if len(shape) < 2 or shape[1] != self.num_features:
            raise ValueError(
                f"{head(self)}: needs a batch of shape (n, {self.num_features}, …), "
                f"got {shape}; features are axis 1"
            )
        axes = (0, *range(2, len(shape)))
        form = (self.num_features, *[1] * (len(shape) - 2))
        weight = None if self.weight is None else reshape(self.weight, form)
        bias = None if self.bias is None else reshape(self.bias, form)
        mean, var = self.running_mean, self.running_var
        if self.training or mean is None or var is None:
            if self.training and prod(shape[axis] for axis in axes) < 2:
                raise ValueError(
                    f"{head(self)}: needs 2 numbers or more of each feature in "
                    f"training, got shape {shape}; use a larger batch, or model.eval()"
                )
            normal = normalize(x, axes, weight, bias, self.eps)
            if self.training and mean is not None and var is not None:
                self._note(x, axes, mean, var)  # after the errors for a wrong batch
            return normal
        scale: Any = 1 / np.sqrt(var.data + self.eps).reshape(form)
        if weight is not None:
            scale = weight * scale
        y: Any = (x - mean.data.reshape(form)) * scale
        y = y if bias is None else y + bias
        return y if isinstance(y, Tensor) else Tensor(y)

    def _note(
        self, x: Any, axes: tuple[int, ...], mean_of_all: Tensor, var_of_all: Tensor
    ) -> None:
        """Update the running means with this batch."""
        a = numpy().asarray(getattr(x, "data", x) if isinstance(x, Tensor) else x)
        a = a.astype(np.float32) if is_half(a) else a
        mean, var = a.mean(axis=axes), a.var(axis=axes, ddof=1)
        if np.isfinite(mean).all() and np.isfinite(var).all():
            share: Any = self.momentum
            if share is None:
                self.num_batches_tracked.data += 1
                share = 1 / self.num_batches_tracked.data
            for kept, new in ((mean_of_all, mean), (var_of_all, var)):
                new = (1 - share) * kept.data + share * new
                kept.data = new.astype(kept.dtype, copy=False)

    def extra_repr(self) -> str:
        """Return the number of features, and what is left out."""
        without = ["affine"] * (self.weight is None)
        without += ["track_running_stats"] * (self.running_mean is None)
        return ", ".join(
            [str(self.num_features), *[f"{name}=False" for name in without]]
        )


def scale_and_shift(
    shape: tuple[int, ...], scaled: bool, shifted: bool, dtype: Any
) -> tuple[Tensor | None, Tensor | None]:
    """Return a scale of ones and a shift of zeros, or None for what is left out."""
    return (
        Tensor(numpy().ones(shape), True, dtype) if scaled else None,
        Tensor(numpy().zeros(shape), True, dtype) if shifted else None,
    )


def sizes(shape: tuple[int, ...]) -> str:
    """Return a shape as an argument: its length, if it has only one axis."""
    return str(shape[0] if len(shape) == 1 else shape)
