"""Cases of `ops/least_squares.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal

SIDES: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "a vector": ((4, 2), (4,)),
    "a matrix": ((4, 2), (4, 3)),
    "as many rows as columns": ((3, 3), (3,)),
    "more columns than rows": ((2, 4), (2, 2)),
}


def by_factors(x: Any) -> Any:
    """Return a matrix of rank 1 whatever x is, so that its pseudoinverse is smooth."""
    return x[:, :1] * x[:1]


CASES = [
    *(
        Case(
            "numpy.linalg.pinv",
            name,
            np.linalg.pinv,
            (normal(*shape) + np.eye(*shape[-2:]),),
            lambda x: torch.linalg.pinv(x),
            complex_step=False,
        )
        for name, shape in {
            "square": (3, 3),
            "tall": (4, 2),
            "wide": (2, 4),
            "a stack": (2, 3, 2),
            "a column": (3, 1),
            "no columns": (2, 0),
        }.items()
    ),
    Case(
        "numpy.linalg.pinv",
        "of rank 1",
        lambda x: np.linalg.pinv(by_factors(x), rtol=1e-5),
        (normal(3, 2),),
        lambda x: torch.linalg.pinv(by_factors(x), rtol=1e-5),
        complex_step=False,
    ),
    *(
        Case(
            "numpy.linalg.lstsq",
            name,
            lambda a, b: np.linalg.lstsq(a, b)[0],
            (normal(*a), normal(*b, seed=1)),
            lambda a, b: torch.linalg.pinv(a) @ b,  # whose lstsq takes no vectors
            complex_step=False,
        )
        for name, (a, b) in SIDES.items()
    ),
    *(
        Case(
            "numpy.linalg.lstsq",
            f"the sums of squares, {name}",
            lambda a, b: np.linalg.lstsq(a, b)[1],
            (normal(*a), normal(*b, seed=1)),
            lambda a, b: (
                ((a @ torch.linalg.pinv(a) @ b - b) ** 2).sum(0, keepdim=True)
                if b.ndim == 1
                else ((a @ torch.linalg.pinv(a) @ b - b) ** 2).sum(0)
            ),
            complex_step=False,
        )
        for name, (a, b) in list(SIDES.items())[:2]
    ),
]
