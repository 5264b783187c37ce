"""The tape's own operation: a sum over broadcast copies (chapter 12)."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.broadcast import unbroadcast
from autograd_lib.engine.tape.record import linear_map
from autograd_lib.engine.tape.rules import complex_ready


@complex_ready
def copy_out(g: Any, saved: tuple[tuple[int, ...], tuple[int, ...]]) -> Any:
    """Give each copy the gradient of the sum."""
    return np.broadcast_to(g, saved[1])


@complex_ready
@linear_map(transpose=copy_out)
def summed_over_copies(g: Any, saved: tuple[tuple[int, ...], tuple[int, ...]]) -> Any:
    """Sum over the copies that broadcasting made, from one shape to another."""
    return unbroadcast(g, saved[0])


def sum_to(x: Any, shape: tuple[int, ...]) -> Any:
    """Return the sum over the copies that broadcasting from a shape would make."""
    return x if x.shape == shape else summed_over_copies(x, (shape, x.shape))
