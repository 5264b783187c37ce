"""Rounds of four operations: multiply, add, tanh, multiply by a number.

The factors keep numbers and gradients at about the same size in all rounds. Gradients
that vanish would become subnormal numbers, with which processors are slow, and the time
would be theirs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.tensor_engines.base import Arrays, Engine

HALF = 0.5


def data(dtype: Any, rounds: int, size: int) -> tuple[Arrays, Any]:
    """Return a start, a factor and a term."""
    rng = np.random.default_rng(0)
    start = rng.uniform(0.1, 0.9, size).astype(dtype)
    factor = rng.uniform(1.95, 2.0, size).astype(dtype)
    term = rng.uniform(-0.001, 0.001, size).astype(dtype)
    return [start, factor, term], {"rounds": rounds}


def loss(engine: Engine, parameters: Any, constants: Any) -> Any:
    """Return the sum of the last round's result."""
    h, factor, term = parameters
    for _ in range(constants.rounds):
        h = engine.tanh(h * factor + term) * HALF
    return h.sum()


def by_hand(parameters: Arrays, constants: Any) -> Arrays:
    """Return the gradients."""
    h, factor, term = parameters
    before: list[tuple[np.ndarray, np.ndarray]] = []
    for _ in range(constants.rounds):
        t = h * factor
        t += term
        np.tanh(t, out=t)
        before.append((h, t))
        h = t * HALF
    h.sum()
    g = np.ones_like(h)
    toward_factor, toward_term = np.zeros_like(h), np.zeros_like(h)
    while before:
        h, t = before.pop()
        g *= HALF
        t *= t
        np.subtract(1, t, out=t)
        g *= t
        toward_term += g
        np.multiply(g, h, out=t)
        toward_factor += t
        g *= factor
    return [g, toward_factor, toward_term]
