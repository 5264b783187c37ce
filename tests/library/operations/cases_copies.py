"""Cases of `ops/copies.py`."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal
from tests.library.operations.elementwise import elementwise

A = normal(3, 4)


def written_into(x: Any) -> Any:
    """Return a copy that is written into: only what is not written over has a slope."""
    y = np.copy(x * x)
    y[0] = x[1] * x[2]
    return y


def written_into_in_torch(x: Any) -> Any:
    y = torch.clone(x * x)
    y[0] = x[1] * x[2]
    return y


def to_its_type(x: Any) -> Any:
    return x.to(x.dtype)


CASES = [
    *elementwise("numpy.positive", np.positive, A, torch="positive"),
    *elementwise("numpy.copy", np.copy, A, torch="clone"),
    Case("numpy.positive", "the operator", operator.pos, (A,), torch=operator.pos),
    Case("Tensor.copy", "by rows", lambda x: x.copy(), (A,), torch=lambda x: x.clone()),
    Case(
        "Tensor.copy",
        "by columns",
        lambda x: x.copy("F") * x,
        (A,),
        torch=lambda x: x.T.contiguous().T * x,
    ),
    Case(
        "numpy.copy",
        "written into",
        written_into,
        (A,),
        torch=written_into_in_torch,
        complex_step=False,
    ),
    Case(
        "Tensor.astype",
        "the same type",
        lambda x: x.astype(x.dtype) * x,
        (A,),
        torch=lambda x: x.to(x.dtype, copy=True) * x,
    ),
    Case(
        "Tensor.astype",
        "the same, not copied",
        lambda x: x.astype(x.dtype, copy=False),
        (A,),
        torch=to_its_type,
    ),
    *(
        Case(
            "Tensor.astype",
            name,
            lambda x: x.astype(x.dtype),
            (x,),
            torch=to_its_type,
        )
        for name, x in (("shape ()", normal()), ("shape (0, 3)", A[:0, :3]))
    ),
]
