"""Cases of `ops/taking.py`."""

from __future__ import annotations

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal
from tests.library.operations.forms import linear

X = normal(3, 4)
TABLE = np.array([[2, 0, 2], [1, 1, -1]])
FAR = np.array([-5, 1, 7])
ORDER = np.argsort(X, axis=1)

CASES: list[Case] = [
    *(
        case
        for name, f, theirs in [
            (
                "of all",
                lambda x: np.take(x, [5, 0, 5]),
                lambda x: x.flatten()[[5, 0, 5]],
            ),
            ("rows", lambda x: np.take(x, TABLE, axis=0), lambda x: x[TABLE]),
            ("columns", lambda x: np.take(x, TABLE, axis=-1), lambda x: x[:, TABLE]),
            ("one row", lambda x: np.take(x, 1, axis=0), lambda x: x[1]),
            ("no rows", lambda x: np.take(x, [], axis=0), lambda x: x[[]]),
            ("method", lambda x: x.take([1, 1], axis=0), lambda x: x[[1, 1]]),
            (
                "wrapped",
                lambda x: np.take(x, FAR, axis=0, mode="wrap"),
                lambda x: x[[1, 1, 1]],
            ),
            (
                "clipped",
                lambda x: np.take(x, FAR, axis=1, mode="clip"),
                lambda x: x[:, [0, 1, 3]],
            ),
        ]
        for case in linear("numpy.take", name, f, X, torch=theirs)
    ),
    *(
        case
        for name, indices, axis in [
            ("sorted", ORDER, 1),
            ("one of each row", np.array([[1], [3], [-1]]), 1),
            ("some twice", np.array([[1, 1], [0, 3], [2, 2]]), -1),
            ("axis 0", np.array([[0, 2, 2, 1]]), 0),
            ("the same for all rows", np.array([[3, 1, 1]]), 1),
        ]
        for case in linear(
            "numpy.take_along_axis",
            name,
            lambda x, i=indices, axis=axis: np.take_along_axis(x, i, axis),
            X,
            torch=lambda x, i=indices, axis=axis: torch.take_along_dim(
                x, torch.tensor(i % x.shape[axis]), axis
            ),
        )
    ),
    *linear(
        "numpy.take_along_axis",
        "of all",
        lambda x: np.take_along_axis(x, np.array([3, 3, 0]), None),
        X,
        torch=lambda x: torch.take_along_dim(x, torch.tensor([3, 3, 0])),
    ),
    *(
        case
        for name, condition, axis in [
            ("rows", [True, False, True], 0),
            ("a short condition", [False, True], 1),
            ("of all", [True, False, True, True], None),
        ]
        for case in linear(
            "numpy.compress",
            name,
            lambda x, c=condition, axis=axis: np.compress(c, x, axis=axis),
            X,
            torch=lambda x, c=condition, axis=axis: torch.index_select(
                x if axis is not None else x.flatten(),
                axis or 0,
                torch.tensor(np.flatnonzero(c)),
            ),
        )
    ),
]
