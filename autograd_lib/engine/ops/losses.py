"""The loss of a classifier (chapter 10).

NumPy doesn't have it, so it is a function of this module, and a method of tensors.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.ops.activations import below_largest, by_softmax, floats
from autograd_lib.engine.ops.arithmetic import array_of
from autograd_lib.engine.ops.options import in_single, is_half
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import OUTPUT, array, result
from autograd_lib.engine.tape.tensor import Tensor


def cross_entropy(x: Any, labels: Any) -> Tensor:
    """Return the mean of -log softmax(x) at the labels.

    Args:
        x: scores, of shape (…, number of classes).
        labels: for each row of scores an integer, the correct class.

    Raises:
        TypeError: if the labels are not integers.
        ValueError: if there is not one label for each row of scores, or none at all.
        IndexError: if there is no such class.
    """
    a, chosen = numpy().asarray(array(x)), numpy().asarray(array_of(labels))
    shape, n = a.shape, chosen.size
    if chosen.dtype.kind not in "iu":
        raise TypeError(
            f"cross_entropy: labels are integers, got {chosen.dtype}; for the share of "
            "each class use -(shares * x.log_softmax()).sum(axis=-1).mean()"
        )
    if not shape or chosen.shape != shape[:-1] or not n:
        raise ValueError(
            f"cross_entropy: scores of shape {shape} need a label for each row, so "
            f"labels of shape {shape[:-1]} that is not empty, got {chosen.shape}"
        )
    if is_half(a := floats(a)):
        return in_single(cross_entropy, x, labels)  # type: ignore[no-any-return]
    below, _ = below_largest("cross_entropy", a, -1)
    index = (numpy().arange(n), chosen.flatten())
    try:
        if np.minimum.reduce(index[1]) < 0:
            raise IndexError
        picked = below.reshape(-1, shape[-1])[index]
    except IndexError:
        raise IndexError(
            f"cross_entropy: labels are 0 to {shape[-1] - 1}, the places on the last "
            f"axis of shape {shape}, got {chosen.min()} to {chosen.max()}"
        ) from None
    y = np.exp(below, out=below)
    total = np.add.reduce(y, axis=-1, keepdims=True)
    y /= total
    loss = np.add.reduce(np.log(total).reshape(-1) - picked) / n
    softmax = result(y, x, by_softmax, Saved(OUTPUT, -1), cross_entropy)
    # Saved as a tensor, so that second derivatives work.
    return result(loss, x, vjp_scores, Saved(softmax, index), cross_entropy)


@rule("reducing", lambda _: (None, False))
def vjp_scores(g: Any, saved: Any) -> Any:
    """x̄ = (softmax - 1)/n at the labels, softmax/n elsewhere."""
    y, (places, labels) = saved
    rows, share = (labels.size, y.shape[-1]), g / labels.size
    if isinstance(g, Tensor):  # which can't be written in place like the array below
        right = numpy().zeros(y.shape, y.dtype)
        right.reshape(rows)[places, labels] = 1
        return (y - right) * share
    d = np.multiply(y, share, order="C")
    d.reshape(rows)[places, labels] -= share
    return d
