"""Gradient clipping by the common norm (chapter 16)."""

from __future__ import annotations

import math
from functools import reduce
from typing import Any

import numpy as np

from autograd_lib.engine.tape.tensor import constant
from autograd_lib.nn.arguments import real
from autograd_lib.optim.parameters import Parameters, in_groups, is_finite, listed
from autograd_lib.spelling import explain_keywords


@explain_keywords
def clip_grad_norm(params: Parameters, max_norm: float) -> float:
    """Scale all gradients by one factor if their common norm is above `max_norm`.

    Args:
        params: parameters; those without a gradient, or frozen, do not count.
        max_norm: the largest norm allowed.

    Returns:
        The norm before, the square root of the sum of all squares.

    Raises:
        TypeError: if `params` or `max_norm` has another type.
        ValueError: if there are no parameters, or `max_norm` is not above 0.
        FloatingPointError: if a gradient is NaN or infinite (the message names the
            first), or their norm is beyond the largest float. Nothing is changed.
    """
    limit = real("clip_grad_norm: max_norm", max_norm, lambda n: n > 0, "above 0")
    groups = in_groups("clip_grad_norm", params)
    named = listed("clip_grad_norm", [p for g in groups for p in g["params"]]).items()
    graded = [(name, p) for name, p in named if p.requires_grad and p.grad is not None]
    norms = [norm_of(p.grad.data) for _, p in graded]
    for (name, p), one in zip(graded, norms, strict=True):
        if not (one < math.inf or is_finite(p.grad.data)):
            raise FloatingPointError(
                f"clip_grad_norm: the gradient of {name}, of shape {p.shape}, holds "
                "nan or infinity, which no factor makes smaller; nothing was changed. "
                "Look at the loss and at what it was calculated from"
            )
    with np.errstate(over="ignore"):
        norm: Any = reduce(np.hypot, norms, np.float64(0))
    if not norm < math.inf:
        raise FloatingPointError(
            "clip_grad_norm: the gradients are finite, but their common norm is beyond "
            "1.8e308, so no factor can be calculated; nothing was changed. Look at the "
            "loss and at what it was calculated from"
        )
    with np.errstate(divide="ignore"):
        factor = np.minimum(1.0, limit / norm)  # no `if`, which `compile` refuses
    for _, p in graded:
        scale = factor.astype(np.result_type(p.dtype, np.float32))
        p.grad = constant((p.grad.data * scale).astype(p.dtype, copy=False))
    total: float = norm
    return total


def norm_of(a: np.ndarray) -> Any:
    """Return the square root of the sum of squares, even if a square overflows."""
    with np.errstate(all="ignore"):
        norm = np.linalg.norm(a).astype(float)
        if norm < math.inf:
            return norm
        largest = np.abs(a).max().astype(float)
        return largest * np.linalg.norm(a.astype(float) / largest)
