"""Loss functions (chapter 18).

The losses of a classifier are calculated from its scores, before softmax or sigmoid, so
that no logarithm of 0 is taken. `cross_entropy` is an operation of chapter 13; its
options are here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.ops.activations import floats, log_softmax, softplus
from autograd_lib.engine.ops.arithmetic import array_of
from autograd_lib.engine.ops.axes import as_tensor
from autograd_lib.engine.ops.losses import cross_entropy as mean_cross_entropy
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.nn.arguments import real, whole
from autograd_lib.spelling import no_keyword

__all__ = ["binary_cross_entropy_with_logits", "cross_entropy", "mse_loss"]


def cross_entropy(
    x: Any,
    labels: Any,
    *,
    ignore_index: int | None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
    **unknown: Any,
) -> Tensor:
    """Return the mean of -log softmax(x) at the labels.

    Args:
        x: scores, of shape (…, number of classes).
        labels: for each row of scores an integer, the correct class.
        ignore_index: the label of rows that do not count, such as -100.
        reduction: "mean" over the rows that count, "sum", or "none" for one loss per
            row, which is 0 if the row does not count.
        label_smoothing: ε; the target is 1 - ε for the label, plus ε divided evenly
            among all classes (Szegedy et al., arXiv:1512.00567).

    Raises:
        TypeError: if the labels are not integers, or an option has the wrong type.
        ValueError: if there isn't one label for each row of scores, no row counts, or
            an option is out of range.
        IndexError: if there is no such class.
    """
    how = reduction_of("cross_entropy", reduction, unknown)
    name = "cross_entropy: label_smoothing"
    share = real(name, label_smoothing, lambda e: 0 <= e <= 1, "from 0 to 1")
    if ignore_index is None and how == "mean" and not share:
        return mean_cross_entropy(x, labels)
    counts, chosen = True, numpy().asarray(array_of(labels))
    if ignore_index is not None:
        counts = chosen != whole("cross_entropy: ignore_index", ignore_index, -(2**63))
        chosen = np.where(counts, chosen, chosen.dtype.type(0))
    mean_cross_entropy(x, chosen)  # raises for wrong arguments
    number = np.broadcast_to(counts, chosen.shape).sum()
    if how == "mean" and not number:
        raise ValueError(
            f"cross_entropy: no row counts, for all labels are {ignore_index}, the "
            'ignore_index; leave the batch out, or take reduction="sum"'
        )
    log = log_softmax(x).reshape(-1, np.shape(x)[-1])
    losses: Any = (share - 1) * log[numpy().arange(chosen.size), chosen.reshape(-1)]
    if share:
        losses = losses - share * log.mean(axis=-1)
    losses = np.where(counts, losses.reshape(chosen.shape), 0)
    number = number.astype(losses.dtype)  # a wider type would make the loss wider
    return losses.sum() / number if how == "mean" else reduced(losses, how)


def mse_loss(x: Any, target: Any, *, reduction: str = "mean", **unknown: Any) -> Tensor:
    """Return the mean squared difference.

    Args:
        x: the result of a model.
        target: the desired result, of the same shape.
        reduction: "mean", "sum", or "none" for all squares.

    Raises:
        ValueError: if the shapes differ, there are no numbers, or `reduction` is
            unknown.
    """
    how = reduction_of("mse_loss", reduction, unknown)
    difference = as_tensor(x) - same_kind("mse_loss", x, target)
    return reduced(difference * difference, how)


def binary_cross_entropy_with_logits(
    x: Any, target: Any, *, reduction: str = "mean", **unknown: Any
) -> Tensor:
    """Return the mean of -t·log σ(x) - (1 - t)·log(1 - σ(x)).

    As -log σ(x) = log(1 + e⁻ˣ) = softplus(-x), no logarithm of a small number is taken.

    Args:
        x: scores, above 0 for yes.
        target: t, 1 for yes and 0 for no, or a probability; of the same shape.
        reduction: "mean", "sum", or "none" for all of them.

    Raises:
        ValueError: if the shapes differ, there are no numbers, a target is not from 0
            to 1, or `reduction` is unknown.
    """
    how = reduction_of("binary_cross_entropy_with_logits", reduction, unknown)
    x, t = as_tensor(x), same_kind("binary_cross_entropy_with_logits", x, target)
    numbers = array_of(t)
    if not ((numbers >= 0) & (numbers <= 1)).all():
        raise ValueError(
            "binary_cross_entropy_with_logits: targets are from 0 to 1, got "
            f"{numbers.min()} to {numbers.max()}; of several classes, cross_entropy"
        )
    return reduced(t * softplus(-x) + (1 - t) * softplus(x), how)


def reduction_of(who: str, reduction: str, unknown: dict[str, Any]) -> str:
    """Return the reduction, after checking it.

    Raises:
        TypeError: if there are unknown keywords.
        ValueError: if the reduction is unknown.
    """
    if unknown:
        raise no_keyword(who, unknown)
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(
            f'{who}: reduction is "mean", "sum" or "none", got {reduction!r:.60}'
        )
    return reduction


def reduced(losses: Any, how: str) -> Tensor:
    """Return the mean of losses, their sum, or all of them."""
    whole: Tensor = losses if how == "none" else getattr(losses, how)()
    return whole


def same_kind(who: str, x: Any, target: Any) -> Any:
    """Return a target in the type of the result that it is compared with.

    Raises:
        ValueError: if the shapes differ, or there are no numbers. Broadcasting would
            compare every number with every other.
    """
    if np.shape(x) != np.shape(target) or not np.size(x):
        raise ValueError(
            f"{who}: needs a target for each number, got shapes {np.shape(x)} and "
            f"{np.shape(target)}; reshape one of them, and let neither be empty"
        )
    if isinstance(target, Tensor) and target.requires_grad:
        return target
    return numpy().asarray(array_of(target), floats(array_of(x)).dtype)
