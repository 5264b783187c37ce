"""A matrix product and a sum, in one operation (chapter 13).

Every layer of a network is one. As one operation it makes one array, into which the
bias is added, and one node.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.node import Saved
from autograd_lib.ops.arithmetic import same
from autograd_lib.ops.matmul import toward_left, toward_right
from autograd_lib.primitive import array, operation, record
from autograd_lib.tensor import Tensor


@operation(method="linear")
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
    shapes = np.shape(a), np.shape(w), np.shape(b)
    if len(shapes[1]) != 2 or shapes[0][-1:] != w.shape[:1] or shapes[2] != w.shape[1:]:
        raise ValueError(
            f"linear: x of shape {shapes[0]}, weights of shape {shapes[1]} and bias of "
            f"shape {shapes[2]} do not fit; for rows of n numbers the weights have "
            "shape (n, m) and the bias (m,)"
        )
    y = a @ w
    if y.dtype == np.result_type(y, b):
        y += b
    else:
        y = y + b
    return record(
        y,
        (x, toward_left, Saved(shapes[0], weights)),
        (weights, toward_right, Saved(x, shapes[1])),
        (bias, same, None),
    )
