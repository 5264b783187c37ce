"""Random functions of tensors, for tests that compare two ways to run them."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autograd_lib import nn
from autograd_lib.checkpointing import checkpoint
from autograd_lib.engine import Tensor, grad


def leaf(data: Any) -> Tensor:
    return Tensor(data, requires_grad=True)


def matrix(*shape: int) -> Tensor:
    return leaf(np.random.default_rng(shape).normal(size=shape or (3, 3)))


STEPS: list[Callable[[Any, Any], Any]] = [
    lambda h, w: np.tanh(h @ w),
    lambda h, w: h * w,
    lambda h, w: np.exp(h * 0.1) + w,
    lambda h, w: h.T @ h * 0.1 + h,
    lambda h, w: np.where(h.data > 0, h, 0.5 * h * w),
    lambda h, w: h[[0, 2, 2]] * np.sin(h),
    lambda h, w: (h - h.mean(axis=0)) / (1 + h.var()),
    lambda h, w: np.linalg.solve(w @ w.T + np.eye(3), h),
    lambda h, w: np.concatenate([h[:1] * h[1:2], w[1:] * h[:2]]),
    lambda h, w: h.softmax() + np.maximum(h, w),
    lambda h, w: nn.functional.normalize(h, (1,), w[0], None, 1e-5),
]


def program(seed: int) -> Callable[..., Any]:
    """Return a random function of h that closes over a parameter w."""
    steps = random.Random(seed).choices(STEPS, k=5)

    def run(h: Any, w: Any) -> Any:
        for step in steps:
            h = step(h, w)
        return h

    return run


def orders(run: Callable[..., Any]) -> list[Any]:
    """Return value, gradients and second derivatives of a function of two tensors."""
    x, w = matrix(3, 3), matrix(3, 3, 1)
    w = leaf(w.data[..., 0])
    y = run(x, w)
    loss = (y * y).sum()
    first = grad(loss, [x, w], create_graph=True, allow_unused=True)
    size = sum(((g * g).sum() for g in first if g is not None), leaf(0.0) * 1.0)
    second = grad(size, [x, w], retain_graph=True, allow_unused=True)
    loss.backward()
    found = [y, *first, *second, x.grad, w.grad]
    return [None if t is None else t.tolist() for t in found]


def again(f: Callable[..., Any]) -> Callable[..., Any]:
    return partial(checkpoint, f)
