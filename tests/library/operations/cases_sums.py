"""Cases of `ops/sums.py`."""

from __future__ import annotations

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal
from tests.library.operations.forms import linear, over_axes

X = normal(2, 3, 4)

CASES: list[Case] = [
    *over_axes("numpy.sum", np.sum, lambda x, **k: torch.sum(x, **k), X, twice=False),
    *linear(
        "numpy.sum",
        "method, axis=1",
        lambda x: x.sum(axis=1),
        X,
        torch=lambda x: x.sum(1),
    ),
    *linear("numpy.sum", "of shape ()", np.sum, normal(), torch=lambda x: x.sum()),
    *linear(
        "numpy.sum",
        "of no elements",
        lambda x: x.sum(0),
        normal(0, 3),
        torch=lambda x: x.sum(0),
    ),
    *linear(
        "numpy.sum",
        "keepdims, taken from the input",
        lambda x: x - np.sum(x, axis=1, keepdims=True),
        X,
        torch=lambda x: x - x.sum(1, True),
    ),
    *(
        case
        for shape, to in [
            ((3,), (2, 3)),
            ((2, 1), (2, 3)),
            ((), (2, 2)),
            ((1, 3), (0, 3)),
            ((2, 3), (2, 3)),
            ((2, 1, 3), (4, 2, 5, 3)),
        ]
        for case in linear(
            "numpy.broadcast_to",
            f"{shape} to {to}",
            lambda x, to=to: np.broadcast_to(x, to),
            normal(*shape),
            torch=lambda x, to=to: torch.broadcast_to(x, to),
        )
    ),
]
