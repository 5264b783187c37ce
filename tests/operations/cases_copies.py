"""Cases of `ops/copies.py`."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from tests.operations.case import Case, normal
from tests.operations.elementwise import elementwise

A = normal(3, 4)


def written_into(x: Any) -> Any:
    """Return a copy that is written into: only what is not written over has a slope."""
    y = np.copy(x * x)
    y[0] = x[1] * x[2]
    return y


CASES = [
    *elementwise("numpy.positive", np.positive, A, torch="positive"),
    *elementwise("numpy.copy", np.copy, A, torch="clone"),
    Case("numpy.positive", "the operator", operator.pos, (A,), torch=operator.pos),
    Case("Tensor.copy", "by rows", lambda x: x.copy(), (A,), torch=lambda x: x.clone()),
    Case("Tensor.copy", "by columns", lambda x: x.copy("F") * x, (A,)),
    Case("numpy.copy", "written into", written_into, (A,), complex_step=False),
    Case(
        "Tensor.astype",
        "the same type",
        lambda x: x.astype(x.dtype) * x,
        (A,),
        torch=lambda x: x.type(x.dtype) * x,
    ),
    Case(
        "Tensor.astype",
        "the same, not copied",
        lambda x: x.astype(x.dtype, copy=False),
        (A,),
    ),
    Case("Tensor.astype", "shape ()", lambda x: x.astype(x.dtype), (normal(),)),
    Case("Tensor.astype", "shape (0, 3)", lambda x: x.astype(x.dtype), (A[:0, :3],)),
]
