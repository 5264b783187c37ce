"""A network of many equal layers, whose graph is large compared with a layer."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.tensor_engines.base import Arrays, Engine


def data(dtype: Any, layers: int, width: int, batch: int) -> tuple[Arrays, Any]:
    """Return weights and biases, layer by layer, and a batch."""
    rng = np.random.default_rng(0)
    parameters: Arrays = []
    for _ in range(layers):
        parameters.append(
            (rng.standard_normal((width, width)) * width**-0.5).astype(dtype)
        )
        parameters.append(np.zeros(width, dtype))
    return parameters, {"x": rng.standard_normal((batch, width)).astype(dtype)}


def loss(engine: Engine, parameters: Any, constants: Any) -> Any:
    """Return the sum of the last layer."""
    h = constants.x
    for i in range(0, len(parameters), 2):
        h = engine.tanh(engine.linear(h, parameters[i], parameters[i + 1]))
    return h.sum()


def by_hand(parameters: Arrays, constants: Any) -> Arrays:
    """Return the gradients, freeing each layer after its use."""
    inputs = [constants.x]
    for i in range(0, len(parameters), 2):
        h = inputs[-1] @ parameters[i]
        h += parameters[i + 1]
        np.tanh(h, out=h)
        inputs.append(h)
    h.sum()
    g: Any = np.ones_like(h)
    found: Arrays = []
    for i in range(len(parameters) - 2, -1, -2):
        h = inputs.pop()
        slope = h * h
        np.subtract(1, slope, out=slope)
        slope *= g
        h = g = None  # free what is not needed any more
        found += [slope.sum(axis=0), inputs[-1].T @ slope]
        if i:
            g = slope @ parameters[i].T
    return found[::-1]
