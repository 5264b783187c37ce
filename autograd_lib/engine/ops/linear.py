"""A matrix product plus a bias, as one operation (chapter 10).

Every linear layer is one. A single operation makes one array, to which the bias is
added in place, and one node.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.ops.matmul import vjp_left, vjp_right
from autograd_lib.engine.ops.options import sum_in_rule
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import array, record
from autograd_lib.engine.tape.tensor import Tensor


def linear(x: Any, weights: Any, bias: Any) -> Tensor:
    """Return x·W + b for each row of x.

    Args:
        x: rows of n numbers, of shape (…, n).
        weights: of shape (n, m).
        bias: of shape (m,).

    Raises:
        ValueError: if the shapes are not those.
    """
    a, w, b = array(x), array(weights), array(bias)
    try:
        rows, (n, m) = a.shape, w.shape
        fits = rows[-1:] == (n,) and b.shape == (m,)
    except (AttributeError, ValueError):  # a number, or weights that aren't a matrix
        fits = False
    if not fits:
        raise ValueError(
            f"linear: x of shape {np.shape(a)}, weights of shape {np.shape(w)} and "
            f"bias of shape {np.shape(b)} do not fit; for rows of n numbers the "
            "weights have shape (n, m) and the bias (m,)"
        )
    y = a @ w
    if y.dtype is b.dtype:
        y += b
    else:
        y = y + b
    return record(
        y,
        (x, vjp_left, Saved(rows, weights)),
        (weights, vjp_right, Saved(x, (n, m))),
        (bias, vjp_bias, None),
        by=linear,
    )


@rule("linear", lambda t, _: t, complex=True)
def vjp_bias(g: Any, _: None) -> Any:
    """The bias is added to each row, so b̄ is the sum of ȳ over the rows."""
    return sum_in_rule(g, tuple(range(g.ndim - 1)))
