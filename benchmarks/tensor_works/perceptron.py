"""A network of linear layers with ReLU between them, and cross-entropy at the end."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks.tensor_engines.base import Arrays, Engine


def data(dtype: Any, widths: tuple[int, ...], batch: int) -> tuple[Arrays, Any]:
    """Return weights and biases, layer by layer, and a batch with labels."""
    rng = np.random.default_rng(0)
    parameters: Arrays = []
    for n, m in pairwise(widths):
        parameters.append((rng.standard_normal((n, m)) * (2 / n) ** 0.5).astype(dtype))
        parameters.append((rng.standard_normal(m) * 0.1).astype(dtype))
    x = rng.standard_normal((batch, widths[0])).astype(dtype)
    return parameters, {"x": x, "labels": rng.integers(0, widths[-1], batch)}


def loss(engine: Engine, parameters: Any, constants: Any) -> Any:
    """Return the loss of the batch."""
    h = constants.x
    for i in range(0, len(parameters), 2):
        h = engine.linear(h, parameters[i], parameters[i + 1])
        if i < len(parameters) - 2:
            h = engine.relu(h)
    return engine.cross_entropy(h, constants.labels)


def forward(parameters: Arrays, constants: Any) -> tuple[Arrays, np.ndarray]:
    """Return the input of each layer, and the probabilities."""
    h = constants.x
    inputs: Arrays = []
    for i in range(0, len(parameters), 2):
        inputs.append(h)
        h = h @ parameters[i]
        h += parameters[i + 1]
        if i < len(parameters) - 2:
            np.maximum(h, 0, out=h)
    h -= h.max(axis=-1, keepdims=True)
    np.exp(h, out=h)
    h /= h.sum(axis=-1, keepdims=True)
    return inputs, h


def by_hand(parameters: Arrays, constants: Any) -> Arrays:
    """Return the gradients, which do not need the value of the loss."""
    inputs, g = forward(parameters, constants)
    n = len(g)
    g[np.arange(n), constants.labels] -= 1
    g *= 1 / n
    found: Arrays = []
    for i in range(len(parameters) - 2, -1, -2):
        h = inputs.pop()
        found += [g.sum(axis=0), h.T @ g]
        if i:
            g = g @ parameters[i].T
            g *= h > 0
    return found[::-1]


def hessian_by_hand(parameters: Arrays, constants: Any, vectors: Arrays) -> Arrays:
    """Return the Hessian times a vector: the derivative of `by_hand` along the vector.

    This is Pearlmutter's operator R: each line of the calculation is followed by its
    derivative. The gradients themselves are not calculated.
    """
    inputs, p = forward(parameters, constants)
    moved: list[Any] = [None]  # R of the input of each layer; it is 0 for the data
    for i in range(0, len(parameters), 2):
        r = inputs[i // 2] @ vectors[i]
        r += vectors[i + 1]
        if moved[-1] is not None:
            r += moved[-1] @ parameters[i]
        if i < len(parameters) - 2:
            r *= inputs[i // 2 + 1] > 0
            moved.append(r)
    n = len(p)
    r *= p
    r -= p * r.sum(axis=-1, keepdims=True)
    g = p
    g[np.arange(n), constants.labels] -= 1
    g *= 1 / n
    r *= 1 / n
    found: Arrays = []
    for i in range(len(parameters) - 2, -1, -2):
        h, rh = inputs.pop(), moved.pop()
        product = h.T @ r
        if rh is not None:
            product += rh.T @ g
        found += [r.sum(axis=0), product]
        if i:
            mask = h > 0
            r = r @ parameters[i].T
            r += g @ vectors[i].T
            r *= mask
            g = g @ parameters[i].T
            g *= mask
    return found[::-1]
