"""How wrong a model is, as one number (chapter 18).

A classifier's losses are calculated from its scores, before softmax or sigmoid: their
logarithm is then never that of a 0. `cross_entropy` is an operation of chapter 13.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.ops.activations import floats, softplus
from autograd_lib.engine.ops.arithmetic import array_of
from autograd_lib.engine.ops.losses import cross_entropy
from autograd_lib.engine.tape.tensor import Tensor

__all__ = ["binary_cross_entropy_with_logits", "cross_entropy", "mse_loss"]


def mse_loss(x: Any, target: Any) -> Tensor:
    """Return the mean square of the differences.

    Args:
        x: what a model returned.
        target: what it should have returned, of the same shape.

    Raises:
        ValueError: if the shapes differ, or there are no numbers.
    """
    difference = x - same_kind("mse_loss", x, target)
    mean: Tensor = (difference * difference).mean()
    return mean


def binary_cross_entropy_with_logits(x: Any, target: Any) -> Tensor:
    """Return the mean of -t·log σ(x) - (1 - t)·log(1 - σ(x)).

    As -log σ(x) = log(1 + e⁻ˣ) = softplus(-x), no logarithm of a small number is taken.

    Args:
        x: scores, above 0 for yes.
        target: t, 1 for yes and 0 for no, or a probability; of the same shape.

    Raises:
        ValueError: if the shapes differ, there are no numbers, or a target is not from
            0 to 1.
    """
    t = same_kind("binary_cross_entropy_with_logits", x, target)
    numbers = array_of(t)
    if not ((numbers >= 0) & (numbers <= 1)).all():
        raise ValueError(
            "binary_cross_entropy_with_logits: targets are from 0 to 1, got "
            f"{numbers.min()} to {numbers.max()}; of several classes, cross_entropy"
        )
    mean: Tensor = (t * softplus(-x) + (1 - t) * softplus(x)).mean()
    return mean


def same_kind(who: str, x: Any, target: Any) -> Any:
    """Return a target, in the type of the numbers that it is compared with.

    Raises:
        ValueError: if the shapes differ, or there are no numbers. Broadcasting would
            compare each number with each.
    """
    if np.shape(x) != np.shape(target) or not np.size(x):
        raise ValueError(
            f"{who}: needs a target for each number, got shapes {np.shape(x)} and "
            f"{np.shape(target)}; reshape one of them, and let neither be empty"
        )
    if isinstance(target, Tensor) and target.requires_grad:
        return target
    return np.asarray(array_of(target), floats(array_of(x)).dtype)
