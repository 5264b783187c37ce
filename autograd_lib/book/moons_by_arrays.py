"""The network of chapter 05 on arrays: a loss, and its gradients derived by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def hinge_by_arrays(
    layers: Sequence[tuple[np.ndarray, np.ndarray]],
    points: np.ndarray,
    sides: np.ndarray,
) -> tuple[float, list[tuple[np.ndarray, np.ndarray]]]:
    """Return the mean hinge loss of a relu network, and its gradients by hand.

    Args:
        layers: the weights, a column for each neuron, and the biases of each layer. The
            last one has a single neuron, without relu, whose output is the score.
        points: the inputs, a row each.
        sides: -1 or 1 for each point.

    Returns:
        The loss, and the gradients of weights and biases, as in `layers`.
    """
    x, kept = points, [points]
    for i, (weights, biases) in enumerate(layers, start=1):
        x = x @ weights + biases
        x = x if i == len(layers) else np.maximum(x, 0)
        kept.append(x)
    margins = 1 - sides * kept.pop()[:, 0]
    grad, found = (-sides * (margins > 0) / len(points))[:, None], []
    for (weights, _), x in zip(reversed(layers), reversed(kept), strict=True):
        found.append((x.T @ grad, grad.sum(0)))
        grad = grad @ weights.T * (x > 0)
    return float(np.maximum(margins, 0).mean()), found[::-1]
