"""Layer and batch normalization (chapter 18)."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.ops.shapes import reshape
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.nn.arguments import at_least_zero, floating, real, whole
from autograd_lib.nn.functional import normalize
from autograd_lib.nn.module import Module, head


class LayerNorm(Module):
    """Normalize each item to mean 0 and variance 1, with a learned scale and shift.

    Ba, Kiros and Hinton, "Layer Normalization" (2016), arXiv:1607.06450.

    Args:
        normalized_shape: the length of the last axis, or the shape of the last axes,
            which form an item.
        eps: a number added to the variance.
        dtype: the type of weight and bias.

    Attributes:
        weight: the scale, initially 1.
        bias: the shift, initially 0.
    """

    def __init__(
        self,
        normalized_shape: int | tuple[int, ...],
        eps: float = 1e-5,
        *,
        dtype: Any = np.float32,
    ) -> None:
        given = normalized_shape
        lengths = given if isinstance(given, tuple) else (given,)
        self.shape = tuple(whole("LayerNorm: normalized_shape", n) for n in lengths)
        self.eps = at_least_zero("LayerNorm: eps", eps)
        dtype = floating("LayerNorm", dtype)
        self.weight = Tensor(numpy().ones(self.shape), True, dtype)
        self.bias = Tensor(numpy().zeros(self.shape), True, dtype)

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
        """Return the shape."""
        return sizes(self.shape)


class BatchNorm(Module):
    """Normalize each feature over the batch, with a learned scale and shift.

    In training, mean and variance are those of the batch, and running means of them are
    kept, which are used outside training. Ioffe and Szegedy, "Batch Normalization"
    (2015), arXiv:1502.03167. It replaces PyTorch's BatchNorm1d, 2d and 3d.

    Args:
        num_features: the length of axis 1: (batch, features, …).
        eps: a number added to the variance.
        momentum: the weight of a new batch in the running means.
        dtype: the type of weight and bias.

    Attributes:
        weight: the scale, initially 1.
        bias: the shift, initially 0.
        running_mean: a buffer, initially 0. Batches with NaN or infinity change neither
            it nor the next.
        running_var: a buffer, initially 1; of variances over n - 1.
    """

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        *,
        dtype: Any = np.float32,
    ) -> None:
        self.num_features = n = whole("BatchNorm: num_features", num_features)
        self.eps = at_least_zero("BatchNorm: eps", eps)
        self.momentum = real(
            "BatchNorm: momentum", momentum, lambda m: 0 <= m <= 1, "from 0 to 1"
        )
        dtype = floating("BatchNorm", dtype)
        self.weight = Tensor(numpy().ones(n), True, dtype)
        self.bias = Tensor(numpy().zeros(n), True, dtype)
        self.running_mean = Tensor(numpy().zeros(n), dtype=dtype)
        self.running_var = Tensor(numpy().ones(n), dtype=dtype)

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
        weight, bias = reshape(self.weight, form), reshape(self.bias, form)
        if self.training:
            if prod(shape[axis] for axis in axes) < 2:
                raise ValueError(
                    f"{head(self)}: needs 2 numbers or more of each feature in "
                    f"training, got shape {shape}; use a larger batch, or model.eval()"
                )
            normal = normalize(x, axes, weight, bias, self.eps)
            self._note(x, axes)  # after the errors for a wrong batch
            return normal
        scale = weight / np.sqrt(self.running_var.data + self.eps).reshape(form)
        y: Tensor = (x - self.running_mean.data.reshape(form)) * scale + bias
        return y

    def _note(self, x: Any, axes: tuple[int, ...]) -> None:
        """Update the running means with this batch."""
        a = numpy().asarray(getattr(x, "data", x) if isinstance(x, Tensor) else x)
        mean, var = a.mean(axis=axes), a.var(axis=axes, ddof=1)
        if np.isfinite(mean).all() and np.isfinite(var).all():
            old = 1 - self.momentum
            for kept, new in ((self.running_mean, mean), (self.running_var, var)):
                new = old * kept.data + self.momentum * new
                kept.data = new.astype(kept.dtype, copy=False)

    def extra_repr(self) -> str:
        """Return the number of features."""
        return str(self.num_features)


def sizes(shape: tuple[int, ...]) -> str:
    """Return a shape as an argument: its length, if it has only one axis."""
    return str(shape[0] if len(shape) == 1 else shape)
