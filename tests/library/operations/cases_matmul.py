"""Cases of `ops/matmul.py`."""

from __future__ import annotations

import operator

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal

SHAPES = {
    "two vectors": ((3,), (3,)),
    "a vector and a matrix": ((3,), (3, 2)),
    "a matrix and a vector": ((2, 3), (3,)),
    "two matrices": ((2, 3), (3, 4)),
    "a column and a row": ((3, 1), (1, 2)),
    "a vector and a batch": ((3,), (2, 3, 4)),
    "a batch and a vector": ((2, 4, 3), (3,)),
    "a batch and a matrix": ((2, 4, 3), (3, 2)),
    "a matrix and a batch": ((4, 3), (2, 3, 2)),
    "two batches": ((2, 4, 3), (2, 3, 2)),
    "a batch of one and a batch": ((1, 4, 3), (2, 3, 2)),
    "a batch and a batch of one": ((2, 4, 3), (1, 3, 2)),
    "batches broadcast both ways": ((3, 1, 2, 3), (2, 3, 1)),
    "heads of attention": ((2, 2, 3, 2), (2, 2, 2, 3)),
    "no rows": ((0, 3), (3, 2)),
    "nothing to sum": ((2, 0), (0, 3)),
    "nothing to sum, in a batch": ((2, 2, 0), (0, 3)),
    "nothing to sum, vectors": ((0,), (0,)),
    "no columns, in a batch": ((2, 3, 2), (2, 0)),
    "no matrices": ((0, 2, 3), (3, 2)),
}
A = normal(3, 3)

CASES = [
    Case(
        "numpy.matmul",
        name,
        np.matmul,
        (normal(*left), normal(*right, seed=1)),
        torch=torch.function("matmul"),
    )
    for name, (left, right) in SHAPES.items()
]
CASES += [
    Case("numpy.matmul", "a matrix by itself", lambda x: x @ x, (A,), lambda x: x @ x),
    Case(
        "numpy.linalg.matmul",
        "two matrices",
        np.linalg.matmul,
        (normal(2, 3), normal(3, 4, seed=1)),
        operator.matmul,
    ),
    Case(
        "Tensor.__matmul__",
        "two matrices",
        operator.matmul,
        (normal(2, 3), normal(3, 4, seed=1)),
        operator.matmul,
    ),
    Case(
        "Tensor.__rmatmul__",
        "an array on the left",
        lambda x: np.array([[1, 2, 3]], np.float32) @ x,
        (A,),
        lambda x: torch.tensor([[1.0, 2.0, 3.0]], dtype=x.dtype) @ x,
    ),
]
