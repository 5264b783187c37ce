"""Relatives of relu that let negative numbers through, as functions and as layers.

They are built of `numpy.where` (chapter 16). Its untaken side is calculated too, so
`elu` keeps large numbers away from the exponential: where that overflowed, the gradient
of the taken side would be multiplied by infinity times 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.ops.activations import floats
from autograd_lib.engine.ops.axes import as_tensor
from autograd_lib.engine.tape.record import array
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.nn.arguments import real
from autograd_lib.nn.module import Module


def leaky_relu(x: Any, negative_slope: float = 0.01) -> Tensor:
    """Return x where it is above 0, and negative_slope·x elsewhere.

    Maas, Hannun and Ng, "Rectifier Nonlinearities Improve Neural Network Acoustic
    Models" (2013). At 0 the derivative is `negative_slope`, as in PyTorch.
    """
    slope = real("leaky_relu: negative_slope", negative_slope, always, "that is finite")
    t = as_tensor(x)
    y: Tensor = np.where(t._array > 0, t, slope * t)  # type: ignore[assignment]
    return y


def elu(x: Any, alpha: float = 1.0) -> Tensor:
    """Return x where it is above 0, and alpha·(eˣ - 1) elsewhere.

    Clevert, Unterthiner and Hochreiter, arXiv:1511.07289. At 0 the derivative is
    `alpha`, as in PyTorch.
    """
    factor = real("elu: alpha", alpha, always, "that is finite")
    t = as_tensor(x if isinstance(x, Tensor) else floats(array(x)))
    above = t._array > 0
    low = np.expm1(np.where(above, 0.0, t))
    y: Tensor = np.where(above, t, factor * low)  # type: ignore[assignment]
    return y


def always(_: float) -> bool:
    """Return True: any number is allowed."""
    return True


class LeakyReLU(Module):
    """x where it is above 0, and negative_slope·x elsewhere.

    Args:
        negative_slope: the slope below 0.
    """

    def __init__(self, negative_slope: float = 0.01) -> None:
        self.negative_slope = real(
            "LeakyReLU: negative_slope", negative_slope, always, ""
        )

    def forward(self, x: Any) -> Tensor:
        """Return `leaky_relu` of x."""
        return leaky_relu(x, self.negative_slope)

    def extra_repr(self) -> str:
        """Return the slope."""
        return f"{self.negative_slope:g}"


class ELU(Module):
    """x where it is above 0, and alpha·(eˣ - 1) elsewhere.

    Args:
        alpha: minus the limit for large negative numbers.
    """

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = real("ELU: alpha", alpha, always, "that is finite")

    def forward(self, x: Any) -> Tensor:
        """Return `elu` of x."""
        return elu(x, self.alpha)

    def extra_repr(self) -> str:
        """Return alpha."""
        return f"{self.alpha:g}"
