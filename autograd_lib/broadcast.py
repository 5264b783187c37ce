"""The transpose of broadcasting is a sum (chapter 08).

Where NumPy copies an element to several places, the element's gradient is the sum of
the gradients of all its copies.
"""

from __future__ import annotations

import numpy as np


def unbroadcast(grad: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Return the gradient toward an array of a shape that was broadcast.

    Args:
        grad: the gradient toward the broadcast array, of its shape.
        shape: the array's own shape, before it was broadcast.

    Returns:
        The sum of `grad` over the copies of each element, of shape `shape`; `grad`
        itself where nothing was copied.

    Raises:
        ValueError: if broadcasting an array of `shape` cannot give the shape of `grad`.

    >>> unbroadcast(np.ones((2, 3)), (3,))
    array([2., 2., 2.])
    """
    if grad.shape == shape:
        return grad
    new = grad.ndim - len(shape)
    pairs = list(zip(shape, grad.shape[max(new, 0) :], strict=False))
    if new < 0 or any(old not in (1, n) for old, n in pairs):
        raise ValueError(
            f"unbroadcast: a gradient of shape {grad.shape} is not that of an array "
            f"of shape {shape} that was broadcast; check the shapes that were combined"
        )
    stretched = (new + i for i, (old, n) in enumerate(pairs) if old != n)
    return np.asarray(grad.sum(axis=(*range(new), *stretched))).reshape(shape)
