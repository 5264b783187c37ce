"""What a classifier is trained on (chapter 13).

NumPy has no such function, so it is one of this module, and a method of tensors.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.ops.activations import log_softmax
from autograd_lib.ops.arithmetic import plain
from autograd_lib.primitive import array, operation, result
from autograd_lib.tensor import Tensor


@operation(method="cross_entropy")
def cross_entropy(x: Any, labels: Any) -> Tensor:
    """Return the mean of -log softmax(x) at the labels.

    Args:
        x: scores, of shape (…, number of classes).
        labels: for each row of scores an integer, the class that is right.

    Raises:
        TypeError: if the labels are not integers.
        ValueError: if there is not one label for each row of scores, or none at all.
        IndexError: if there is no such class.
    """
    shape, chosen = np.shape(array(x)), np.asarray(plain(labels))
    if chosen.dtype.kind not in "iu":
        raise TypeError(
            f"cross_entropy: labels are integers, got {chosen.dtype}; for the share of "
            "each class use -(shares * x.log_softmax()).sum()"
        )
    if not shape or chosen.shape != shape[:-1] or not chosen.size:
        raise ValueError(
            f"cross_entropy: scores of shape {shape} need a label for each row, so "
            f"labels of shape {shape[:-1]} that is not empty, got {chosen.shape}"
        )
    logs = log_softmax(x)
    index = (np.arange(chosen.size), chosen.flatten())
    try:
        if np.minimum.reduce(index[1]) < 0:
            raise IndexError
        picked = logs._data.reshape(-1, shape[-1])[index]
    except IndexError:
        raise IndexError(
            f"cross_entropy: labels are 0 to {shape[-1] - 1}, the places on the last "
            f"axis of shape {shape}, got {chosen.min()} to {chosen.max()}"
        ) from None
    return result(picked.sum() / -chosen.size, logs, to_labels, (index, shape))


def to_labels(g: Any, saved: Any) -> Any:
    """Give each logarithm that was chosen its share of minus the gradient."""
    if isinstance(g, Tensor):
        return result(to_labels(g._data, saved), g, from_labels, saved)
    index, shape = saved
    d = np.zeros((len(index[0]), shape[-1]), g.dtype)
    d[index] = g / -len(d)
    return d if d.shape == shape else d.reshape(shape)


def from_labels(g: Any, saved: Any) -> Any:
    """Take the mean of minus what is at the labels, as `cross_entropy` does."""
    index, shape = saved
    n = len(index[0])
    return g.reshape(n, shape[-1])[index].sum() / -n
