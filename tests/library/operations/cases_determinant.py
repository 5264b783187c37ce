"""Cases of `ops/determinant.py`."""

from __future__ import annotations

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal

det, in_torch = np.linalg.det, torch.function("linalg.det")
RANK_ONE = np.outer(normal(3), normal(3, seed=1))
RANK_TWO = RANK_ONE + np.outer(normal(3, seed=2), normal(3, seed=3))
WHY = (
    "the slopes are cofactors, as differences find too; in PyTorch the first ones are "
    "0 for a determinant of 0, unless recorded, and the second NaN below rank n - 1"
)
SINGULAR = {
    "a singular matrix, 2 by 2": np.array([[1.0, 2.0], [2.0, 4.0]]),
    "a zero row": np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [4.0, 5.0, 7.0]]),
    "rank n - 2": np.diag([1.0, 0.0, 0.0]),
    "zeros, 2 by 2": np.zeros((2, 2)),
    "one singular matrix in a stack": np.stack([np.eye(2), np.ones((2, 2))]),
}
ROUNDED = {
    "rank n - 1, rounded": RANK_TWO,
    "rank n - 2, rounded": RANK_ONE,
}

CASES = [
    Case("numpy.linalg.det", name, det, (x,), in_torch)
    for name, x in {
        "a matrix": normal(3, 3),
        "4 by 4": normal(4, 4),
        "2 by 2": normal(2, 2),
        "1 by 1": normal(1, 1),
        "a stack": normal(2, 3, 3),
        "a stack of two axes": normal(2, 1, 2, 2),
        "shape (0, 0)": normal(0, 0),
        "no matrices": normal(0, 2, 2),
    }.items()
]
CASES += [
    Case("numpy.linalg.det", name, det, (x,), in_torch, difference=WHY)
    for name, x in SINGULAR.items()
]
CASES += [
    Case(
        "numpy.linalg.det",
        name,
        det,
        (x,),
        why_no_torch="there PyTorch is right or wrong as rounding has it: right if the "
        "last pivot is a tiny number, wrong, as above, if it is exactly 0",
    )
    for name, x in ROUNDED.items()
]
