"""The same model on each rank, and a part of the batch for each (chapter 27)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.parallel.ranks import Ranks, world


def share(tensors: Iterable[Tensor], ranks: Ranks | None = None) -> None:
    """Write rank 0's numbers into the tensors of all ranks, such as first weights.

    Args:
        tensors: such as ``model.parameters()``, of the same shapes on each rank.
        ranks: the processes; by default all.
    """
    ranks = ranks or world()
    for t in tensors:
        mine = t.data if ranks.me == 0 else np.zeros_like(t.data)
        t.data = ranks.sum(mine, "share")


def average_gradients(
    parameters: Iterable[Tensor], examples: int, ranks: Ranks | None = None
) -> None:
    """Replace each gradient by that of the mean over the examples of all ranks.

    Each rank has called ``backward()`` on the mean of its own loss. The mean of these
    means would be wrong where parts are unequal, so each counts by its examples. All
    gradients of a type go in one message. A parameter that has a gradient on some ranks
    only counts as 0 on the others; one that has none anywhere keeps none.

    Args:
        parameters: leaves, the same on each rank.
        examples: how many this rank's mean was taken over, 0 or more.
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
    """Return the gradient of a leaf, zeros where it has none."""
    return np.zeros_like(p.data) if p.grad is None else p.grad.data


def cut(flat: np.ndarray, like: list[Tensor]) -> list[np.ndarray]:
    """Cut one long row into arrays of these tensors' shapes."""
    ends = np.cumsum([p.size for p in like])[:-1]
    parts = np.split(flat, ends)
    return [part.reshape(p.shape) for part, p in zip(parts, like, strict=True)]
