"""A layer norm and GELU; chosen after the compiler was finished."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.tensor_engines.base import FLAT, Arrays, Engine
from benchmarks.tensor_works.block import norm_back, normed


def data(dtype: Any, rows: int, width: int) -> tuple[Arrays, Any]:
    """Return rows, scale and shift, and the weights of the results."""
    rng = np.random.default_rng(0)

    def normal(*shape: int) -> np.ndarray:
        return rng.standard_normal(shape).astype(dtype)

    parameters = [normal(rows, width), 1 + normal(width) / 10, normal(width) / 10]
    return [p.astype(dtype) for p in parameters], {"weights": normal(rows, width)}


def loss(engine: Engine, parameters: Any, constants: Any) -> Any:
    """Return a weighted sum, so that no gradient is simple."""
    x, scale, shift = parameters
    return (engine.gelu(engine.layer_norm(x, scale, shift)) * constants.weights).sum()


def by_hand(parameters: Arrays, constants: Any) -> Arrays:
    """Return the gradients."""
    x, scale, shift = parameters
    f, hat, r = normed(x, scale, shift)
    square = f * f
    th = square * (0.044715 * FLAT)
    th += FLAT
    th *= f
    np.tanh(th, out=th)
    u = th + 1
    u *= f
    u *= 0.5
    u *= constants.weights
    u.sum()
    square *= 3 * 0.044715 * FLAT
    square += FLAT
    square *= f
    slope = th * th
    np.subtract(1, slope, out=slope)
    slope *= square
    slope += th
    slope += 1
    slope *= 0.5
    slope *= constants.weights
    return list(norm_back(slope, hat, r, scale))
