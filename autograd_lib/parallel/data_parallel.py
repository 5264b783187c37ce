"""The same model on each rank, with a part of the batch for each (chapter 24)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.parallel.ranks import Ranks, world


def share(tensors: Iterable[Tensor], ranks: Ranks | None = None) -> None:
    """Copy the tensors of rank 0, such as initial weights, to all ranks.

    Args:
        tensors: ``model.parameters()``, say, of the same shapes on each rank.
        ranks: the processes; by default all.
    """
    ranks = ranks or world()
    for t in tensors:
        mine = t.data if ranks.me == 0 else np.zeros_like(t.data)
        t.data = ranks.sum(mine, "share")


def average_gradients(
    parameters: Iterable[Tensor], examples: int, ranks: Ranks | None = None
) -> None:
    """Replace each gradient by that of the mean loss over the examples of all ranks.

    Each rank has called ``backward()`` on its own mean loss. The mean of these means
    would be wrong for unequal parts, so each is weighted by its number of examples. All
    gradients of a type are sent in one message. A gradient that is missing on some
    ranks counts as 0 there; one that is missing on all stays None.

    Args:
        parameters: leaves, the same on each rank.
        examples: the number of examples in this rank's mean, 0 or more.
        ranks: the processes; by default all.

    Raises:
        ValueError: if no rank has an example.
    """
    ranks, leaves = ranks or world(), list(parameters)
    here = numpy().array([examples, *(p.grad is not None for p in leaves)], np.int64)
    total, *with_gradient = ranks.sum(here, "average_gradients")
    if total < 1:
        raise ValueError("average_gradients: no rank has an example")
    moved = [p for p, n in zip(leaves, with_gradient, strict=True) if n]
    for dtype in sorted({p.dtype for p in moved}, key=str):
        group = [p for p in moved if p.dtype == dtype]
        flat = np.concatenate([gradient_of(p).ravel() for p in group])
        mean = ranks.sum(flat * dtype.type(examples / total), "average_gradients")
        for p, g in zip(group, cut(mean, group), strict=True):
            p.grad = Tensor(g)


def gradient_of(p: Tensor) -> np.ndarray:
    """Return the gradient of a leaf, zeros if it has none."""
    return np.zeros_like(p.data) if p.grad is None else p.grad.data


def cut(flat: np.ndarray, like: list[Tensor]) -> list[np.ndarray]:
    """Split a vector into arrays of these tensors' shapes."""
    ends = np.cumsum([p.size for p in like])[:-1]
    parts = np.split(flat, ends)
    return [part.reshape(p.shape) for part, p in zip(parts, like, strict=True)]
