"""Cases of `ops/linear.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.ops.linear import linear
from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal

NAME = "ops.linear.linear"
W, B = normal(4, 3), normal(3)


def in_torch(x: Any, w: Any, b: Any) -> Any:
    return torch.nn.functional.linear(x, w.T, b)


CASES = [
    Case(NAME, "a batch", linear, (normal(5, 4), W, B), torch=in_torch),
    Case(NAME, "one row", linear, (normal(4), W, B), torch=in_torch),
    Case(NAME, "a batch of batches", linear, (normal(2, 5, 4), W, B), torch=in_torch),
    Case(NAME, "no rows", linear, (np.zeros((0, 4)), W, B), torch=in_torch),
    Case(
        NAME,
        "the method, on a constant",
        lambda w, b: linear(normal(5, 4).astype(w.dtype), w, b),
        (W, B),
        torch=lambda w, b: in_torch(torch.asarray(normal(5, 4), dtype=w.dtype), w, b),
    ),
]
