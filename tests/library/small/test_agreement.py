"""Random programs have the library's gradients on the reader's engine, twice."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import autograd_lib.engine as library
import autograd_lib.small.gpt as small

OPERATIONS: list[Callable[[Any, Any], Any]] = [
    lambda x, y: x + y,
    lambda x, y: x - y * 0.5,
    lambda x, y: x * y,
    lambda x, y: x / (y * y + 1.0),
    lambda x, y: np.tanh(x) - y,
    lambda x, y: np.exp(x * 0.3),
    lambda x, y: np.log(x * x + 1.0),
    lambda x, y: np.sqrt(y * y + 0.5),
    lambda x, y: np.maximum(x, 0.3 * y),
    lambda x, y: np.where(x.data > 0, x, y),
    lambda x, y: x.sum(-1, keepdims=True) * y if x.shape else y**3,
    lambda x, y: x.mean(0) + y if x.shape else 2.0 - x,
    lambda x, y: x.reshape(-1)[::2].sum() * y,
    lambda x, y: x[None] * y if len(x.shape) < 3 else x**2,
    lambda x, y: x.T @ x if len(x.shape) == 2 else x.T * y,
    lambda x, y: x.swapaxes(0, -1)[0] * 2.0 if x.shape else y**-2.0,
]
SHAPES = [(), (3,), (2, 3), (2, 1)]


def program(engine: ModuleType, seed: int) -> tuple[list[Any], Any]:
    """Return the inputs and the result of a program, on one engine."""
    rng = np.random.default_rng(seed)
    arrays = [rng.normal(size=SHAPES[k]) for k in rng.integers(len(SHAPES), size=3)]
    pool = [engine.Tensor(a, requires_grad=True) for a in arrays]
    for _ in range(rng.integers(2, 7)):
        operation, i, j = rng.integers([len(OPERATIONS), 3, len(pool)])
        try:
            pool.append(OPERATIONS[operation](pool[-1 - i], pool[j]))
        except ValueError:  # shapes that do not fit: on both engines alike
            continue
    total = sum((p.sum() * 0.1 for p in pool[:3]), np.tanh(pool[-1]).sum())
    return pool[:3], total


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_first_and_second_gradients_agree(first: int) -> None:
    for seed in range(first, first + 20):
        results = []
        for engine in (library, small):
            xs, y = program(engine, seed)
            grads = engine.grad(y, xs, create_graph=True)
            again = sum((g * x).sum() for g, x in zip(grads, xs, strict=True))
            second = engine.grad(again, xs)
            results.append([y.data, *(g.data for g in (*grads, *second))])
        for theirs, ours in zip(*results, strict=True):
            np.testing.assert_allclose(ours, theirs, 1e-8, 1e-8, err_msg=f"{seed}")
