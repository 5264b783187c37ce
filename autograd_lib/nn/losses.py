"""Loss functions (chapter 16).

The losses of a classifier are calculated from its scores, before softmax or sigmoid, so
that no logarithm of 0 is taken. `cross_entropy` is an operation of chapter 10; its
options are here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.ops.activations import floats, log_softmax, softplus
from autograd_lib.engine.ops.arithmetic import array_of
from autograd_lib.engine.ops.axes import as_tensor, one_axis
from autograd_lib.engine.ops.losses import cross_entropy as mean_cross_entropy
from autograd_lib.engine.ops.options import is_half, refuse_complex
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.nn.arguments import real, whole
from autograd_lib.spelling import no_keyword

__all__ = ["binary_cross_entropy_with_logits", "cross_entropy", "mse_loss", "nll_loss"]


def cross_entropy(  # noqa: PLR0913 - PyTorch's options
    x: Any,
    labels: Any,
    *,
    weight: Any = None,
    ignore_index: int | None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
    axis: int | None = None,
    **unknown: Any,
) -> Tensor:
    """Return the mean of -log softmax(x) at the labels.

    Args:
        x: scores, of shape (…, number of classes).
        labels: for each row of scores an integer, the correct class; or floats in the
            shape of x, the share of each class.
        weight: a number for each class, by which its losses count; the mean is then
            divided by the sum of the weights of the labels.
        ignore_index: the label of rows that do not count, such as -100.
        reduction: "mean" over the rows that count, "sum", or "none" for one loss per
            row, which is 0 if the row does not count.
        label_smoothing: ε; the target is 1 - ε for the label, plus ε divided evenly
            among all classes (Szegedy et al., arXiv:1512.00567).
        axis: the axis of the classes: the last by default, and 1 in PyTorch's layout
            (batch, classes, …). It must be given where the shapes allow both.

    Raises:
        TypeError: if the labels are not integers or shares, or an option has the wrong
            type.
        ValueError: if there isn't one label for each row of scores, no row counts, an
            option is out of range, or the labels fit both the last axis and axis 1.
        IndexError: if there is no such class.
    """
    how = reduction_of("cross_entropy", reduction, unknown)
    name = "cross_entropy: label_smoothing"
    share = real(name, label_smoothing, lambda e: 0 <= e <= 1, "from 0 to 1")
    x, target = classes_last("cross_entropy", x, labels, axis)
    chosen = numpy().asarray(array_of(target))
    if chosen.dtype.kind == "f" and chosen.shape == np.shape(x):
        return of_shares(x, target, (weight, ignore_index, share), how)
    if weight is None and ignore_index is None and how == "mean" and not share:
        return mean_cross_entropy(x, chosen)
    counts, chosen = counting("cross_entropy", x, chosen, ignore_index)
    log: Any = log_softmax(x)
    w = class_weights("cross_entropy", weight, log)
    losses = at_labels(log, chosen, w)
    if share:
        others = (log if w is None else log * w).mean(axis=-1)
        losses = (1 - share) * losses - share * others
    return counted("cross_entropy", losses, (counts, chosen, w), how)


def of_shares(x: Any, target: Any, options: tuple[Any, Any, float], how: str) -> Tensor:
    """Return the cross-entropy for shares of the classes instead of labels.

    Raises:
        ValueError: if there are no numbers, or rows are to be ignored.
    """
    weight, ignored, share = options
    if ignored is not None:
        raise ValueError(
            "cross_entropy: ignore_index is for labels, and floats are shares of the "
            "classes; a row of zeros adds nothing"
        )
    t, log = same_kind("cross_entropy", x, target), log_softmax(x)
    t = (1 - share) * t + share / log.shape[-1] if share else t
    w = class_weights("cross_entropy", weight, log)
    losses: Any = -(t * log if w is None else t * log * w).sum(axis=-1)
    return reduced(losses, how)


def nll_loss(
    x: Any,
    labels: Any,
    *,
    weight: Any = None,
    ignore_index: int | None = None,
    reduction: str = "mean",
    axis: int | None = None,
    **unknown: Any,
) -> Tensor:
    """Return the mean of -x at the labels, where x are logarithms of probabilities.

    `cross_entropy` of scores is the same and faster: ``nll_loss(x.log_softmax(), …)``.

    Args:
        x: logarithms of probabilities, of shape (…, number of classes).
        labels: for each row an integer, the correct class.
        weight: as in `cross_entropy`, like the options after it.
        ignore_index: the label of rows that do not count.
        reduction: "mean", "sum" or "none".
        axis: the axis of the classes.

    Raises:
        TypeError: if the labels are not integers.
        ValueError: as `cross_entropy`.
        IndexError: if there is no such class.
    """
    how = reduction_of("nll_loss", reduction, unknown)
    x, target = classes_last("nll_loss", x, labels, axis)
    chosen = numpy().asarray(array_of(target))
    counts, chosen = counting("nll_loss", x, chosen, ignore_index)
    log = as_tensor(x)
    w = class_weights("nll_loss", weight, log)
    losses = at_labels(log, chosen, w)
    return counted("nll_loss", losses, (counts, chosen, w), how)


def classes_last(who: str, x: Any, target: Any, axis: int | None) -> tuple[Any, Any]:
    """Return scores, and shares of classes, with the classes on the last axis.

    Raises:
        ValueError: if no axis is given, and the labels fit axis 1.
    """
    shape, given = np.shape(x), np.shape(target)
    if axis is not None:
        at = one_axis(who, axis, shape)
        moved: list[Any] = [x, target]
        for i, t in enumerate(moved):
            if len(np.shape(t)) == len(shape):
                moved[i] = np.moveaxis(as_tensor(t), at, -1)  # type: ignore[type-var]
        return moved[0], moved[1]
    second = (shape[:1] + shape[2:], shape)  # PyTorch's layout: labels, shares
    if len(shape) > 2 and given in second:
        either = given in (shape[:-1], shape)
        raise ValueError(
            f"{who}: of scores of shape {shape} and labels of shape {given}, "
            f"{'either the last axis or axis 1' if either else 'axis 1'} may be the "
            "classes'; write axis=-1 for the last, or axis=1 for PyTorch's layout "
            "(batch, classes, …)"
        )
    return x, target


def counting(who: str, x: Any, chosen: Any, ignore_index: int | None) -> Any:
    """Return which rows count, and labels in which the others are 0.

    Raises:
        TypeError: if the labels are not integers.
        ValueError: if there isn't one label for each row of scores.
        IndexError: if there is no such class.
    """
    counts: Any = True
    if ignore_index is not None:
        counts = chosen != whole(f"{who}: ignore_index", ignore_index, -(2**63))
        chosen = np.where(counts, chosen, chosen.dtype.type(0))
    mean_cross_entropy(x, chosen)  # raises for wrong arguments
    return counts, chosen


def class_weights(who: str, weight: Any, log: Any) -> Any:
    """Return the weights of the classes in the type of the losses, or None.

    Raises:
        ValueError: if there isn't one for each class, or one is negative or NaN.
    """
    if weight is None:
        return None
    refuse_complex(f"{who}: weight", as_tensor(weight))
    w = numpy().asarray(array_of(weight), log.dtype)
    if w.shape != log.shape[-1:] or not (w >= 0).all():
        raise ValueError(
            f"{who}: weight is a number of at least 0 for each of the "
            f"{log.shape[-1]} classes, got shape {w.shape}: {w!r:.60}"
        )
    return w


def at_labels(log: Any, chosen: Any, w: Any) -> Any:
    """Return minus the logarithm at each label, times the weight of its class."""
    rows = log.reshape(-1, log.shape[-1])
    picked = rows[numpy().arange(chosen.size), chosen.reshape(-1)]
    picked = -picked if w is None else -picked * w[chosen.reshape(-1)]
    return picked.reshape(chosen.shape)


def counted(who: str, losses: Any, rows: tuple[Any, Any, Any], how: str) -> Tensor:
    """Return the losses of the rows that count, reduced.

    Raises:
        ValueError: if their mean is wanted, and no row counts.
    """
    counts, chosen, w = rows
    losses, dtype = np.where(counts, losses, 0), losses.dtype
    if how != "mean":
        return reduced(losses, how)
    if is_half(losses):
        losses = np.astype(losses, np.float32)
    each = numpy().ones(chosen.shape, losses.dtype) if w is None else w[chosen]
    number = np.where(counts, each, 0).sum(dtype=losses.dtype)
    if not np.any(counts):
        raise ValueError(
            f"{who}: no row counts, for all labels are the ignore_index; leave the "
            'batch out, or take reduction="sum"'
        )
    mean: Any = losses.sum() / number
    return mean if mean.dtype == dtype else mean.astype(dtype)  # type: ignore[no-any-return]


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
    x: Any,
    target: Any,
    *,
    weight: Any = None,
    pos_weight: Any = None,
    reduction: str = "mean",
    **unknown: Any,
) -> Tensor:
    """Return the mean of -t·log σ(x) - (1 - t)·log(1 - σ(x)).

    As -log σ(x) = log(1 + e⁻ˣ) = softplus(-x), no logarithm of a small number is taken.

    Args:
        x: scores, above 0 for yes.
        target: t, 1 for yes and 0 for no, or a probability; of the same shape.
        weight: factors of the losses, which broadcast to them.
        pos_weight: factors of the part of yes, -t·log σ(x), such as how many times
            more often no is the answer; they broadcast to the losses.
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
    yes, no = t * softplus(-x), (1 - t) * softplus(x)
    if pos_weight is not None:
        yes = yes * factors("pos_weight", pos_weight, x)
    losses = yes + no if weight is None else (yes + no) * factors("weight", weight, x)
    return reduced(losses, how)


def factors(name: str, given: Any, x: Tensor) -> Any:
    """Return factors of the losses in their type.

    Raises:
        ValueError: if they don't broadcast to the losses.
    """
    refuse_complex(f"binary_cross_entropy_with_logits: {name}", as_tensor(given))
    w = given if isinstance(given, Tensor) else numpy().asarray(given, x.dtype)
    try:
        fits = np.broadcast_shapes(w.shape, x.shape) == x.shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"binary_cross_entropy_with_logits: {name} of shape {w.shape} does not "
            f"broadcast to the scores, of shape {x.shape}"
        )
    return w


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
        TypeError: if one is complex.
        ValueError: if the shapes differ, or there are no numbers. Broadcasting would
            compare every number with every other.
    """
    refuse_complex(who, as_tensor(x), as_tensor(target))
    if np.shape(x) != np.shape(target) or not np.size(x):
        raise ValueError(
            f"{who}: needs a target for each number, got shapes {np.shape(x)} and "
            f"{np.shape(target)}; reshape one of them, and let neither be empty"
        )
    if isinstance(target, Tensor) and target.requires_grad:
        return target
    return numpy().asarray(array_of(target), floats(array_of(x)).dtype)
