"""Initial weights (chapter 16).

Each function fills a tensor in place and returns it, like PyTorch's of the same name.
With rows of n independent numbers of variance 1, a layer's output has variance
n·Var(w): so weights of variance 1/n keep the size of numbers from layer to layer, and
relu, which halves it, needs 2/n (He et al., 2015, arXiv:1502.01852). For gradients the
same holds with the number of outputs, and 2/(in + out) is a compromise (Glorot and
Bengio, 2010).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.nn.arguments import Random, generator
from autograd_lib.spelling import missing

GAINS = {
    "linear": 1.0,
    "sigmoid": 1.0,
    "tanh": 5 / 3,
    "relu": math.sqrt(2),
}


def zeros_(tensor: Tensor) -> Tensor:
    """Fill a tensor with 0."""
    return filled("zeros_", tensor, numpy().zeros(np.shape(tensor)))


def ones_(tensor: Tensor) -> Tensor:
    """Fill a tensor with 1."""
    return filled("ones_", tensor, numpy().ones(np.shape(tensor)))


def normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, *, rng: Random = None
) -> Tensor:
    """Fill a tensor with normally distributed numbers.

    Args:
        tensor: the tensor to fill.
        mean: the mean of the numbers.
        std: their standard deviation.
        rng: their generator, or its seed.
    """
    rng = generator("normal_", rng)
    return filled("normal_", tensor, rng.normal(mean, std, np.shape(tensor)))


def uniform_(
    tensor: Tensor, a: float = 0.0, b: float = 1.0, *, rng: Random = None
) -> Tensor:
    """Fill a tensor with uniform numbers from `a` to `b`."""
    rng = generator("uniform_", rng)
    return filled("uniform_", tensor, rng.uniform(a, b, np.shape(tensor)))


def xavier_normal_(tensor: Tensor, gain: float = 1.0, *, rng: Random = None) -> Tensor:
    """Fill weights with normal numbers of variance gain²·2/(in + out)."""
    std = gain * math.sqrt(2 / sum(fans("xavier_normal_", tensor)))
    return normal_(tensor, 0.0, std, rng=rng)


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, *, rng: Random = None) -> Tensor:
    """Fill weights with uniform numbers of variance gain²·2/(in + out)."""
    bound = gain * math.sqrt(6 / sum(fans("xavier_uniform_", tensor)))
    return uniform_(tensor, -bound, bound, rng=rng)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0.0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    *,
    rng: Random = None,
) -> Tensor:
    """Fill weights with normal numbers of variance gain²/in.

    Args:
        tensor: weights, of shape (out, in, …).
        a: the slope of a leaky relu below 0; relu's is 0.
        mode: "fan_in", or "fan_out" for the number of outputs instead of inputs.
        nonlinearity: the function after the layer, as for `calculate_gain`.
        rng: the generator of the numbers, or its seed.
    """
    std = kaiming_std("kaiming_normal_", tensor, a, mode, nonlinearity)
    return normal_(tensor, 0.0, std, rng=rng)


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0.0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    *,
    rng: Random = None,
) -> Tensor:
    """Fill weights with uniform numbers of variance gain²/in; see `kaiming_normal_`."""
    std = kaiming_std("kaiming_uniform_", tensor, a, mode, nonlinearity)
    bound = math.sqrt(3) * std
    return uniform_(tensor, -bound, bound, rng=rng)


def kaiming_std(
    who: str, tensor: Tensor, a: float, mode: str, nonlinearity: str
) -> float:
    """Return gain/√n, where n is the number of inputs or outputs."""
    modes = ("fan_in", "fan_out")
    if mode not in modes:
        raise ValueError(f"{who}: mode is 'fan_in' or 'fan_out', got {mode!r}")
    n = fans(who, tensor)[modes.index(mode)]
    return calculate_gain(nonlinearity, a) / math.sqrt(n)


def calculate_gain(nonlinearity: str, param: float = 0.01) -> float:
    """Return the factor on weights that makes up for the function after the layer.

    Args:
        nonlinearity: "linear", "sigmoid", "tanh", "relu" or "leaky_relu".
        param: the slope of a leaky relu below 0.

    Raises:
        ValueError: if the function is none of these.
    """
    if nonlinearity == "leaky_relu":
        return math.sqrt(2 / (1 + param**2))
    if nonlinearity not in GAINS:
        raise ValueError(
            f"calculate_gain: nonlinearity is leaky_relu or one of {', '.join(GAINS)}, "
            f"got {nonlinearity!r}"
        )
    return GAINS[nonlinearity]


def fans(who: str, tensor: Tensor) -> tuple[int, int]:
    """Return how many inputs an output has, and how many outputs an input has.

    Raises:
        ValueError: if the tensor has fewer than two axes, or is empty.
    """
    shape = np.shape(tensor)
    if len(shape) < 2 or 0 in shape:
        raise ValueError(
            f"{who}: needs weights of shape (out, in, …), got {shape}; a bias begins "
            "with zeros_ or uniform_"
        )
    window = math.prod(shape[2:])
    return shape[1] * window, shape[0] * window


def filled(who: str, tensor: Any, numbers: np.ndarray) -> Tensor:
    """Write numbers into a leaf.

    Raises:
        TypeError: if it isn't a tensor.
        ValueError: if an operation made it.
    """
    if not isinstance(tensor, Tensor):
        raise TypeError(f"{who}: fills a tensor, got {tensor!r:.60}")
    if not tensor.is_leaf:
        raise ValueError(f"{who}: fills a leaf, and an operation made this tensor")
    tensor.data = numbers.astype(tensor.dtype)
    return tensor


if not TYPE_CHECKING:  # it would hide missing names from type checkers

    def __getattr__(name: str) -> object:
        has = [n for n in globals() if n.endswith("_") and not n.startswith("_")]
        raise missing(__name__, name, [*has, "calculate_gain"])
