"""Rounds of relu(x·a + b) − 0.1; chosen after the compiler was finished."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.tensor_engines.base import Arrays, Engine

LESS = 0.1


def data(dtype: Any, rounds: int, size: int) -> tuple[Arrays, Any]:
    """Return a start, factors about 1, and terms."""
    rng = np.random.default_rng(0)
    start, factor, term = rng.standard_normal((3, size))
    several = [start, 1 + 0.1 * factor, 0.1 * term]
    return [a.astype(dtype) for a in several], {"rounds": rounds}


def loss(engine: Engine, parameters: Any, constants: Any) -> Any:
    """Return the sum of the last round's result."""
    h, factor, term = parameters
    for _ in range(constants.rounds):
        h = engine.relu(h * factor + term) - LESS
    return h.sum()


def by_hand(parameters: Arrays, constants: Any) -> Arrays:
    """Return the gradients."""
    h, factor, term = parameters
    before: list[tuple[np.ndarray, np.ndarray]] = []
    for _ in range(constants.rounds):
        r = h * factor
        r += term
        np.maximum(r, 0, out=r)
        before.append((h, r))
        h = r - h.dtype.type(LESS)
    h.sum()
    g = np.ones_like(h)
    toward_factor, toward_term = np.zeros_like(h), np.zeros_like(h)
    while before:
        h, r = before.pop()
        g *= r > 0
        toward_term += g
        np.multiply(g, h, out=r)
        toward_factor += r
        g *= factor
    return [g, toward_factor, toward_term]
