"""Cases of `ops/indexing.py`."""

from __future__ import annotations

import numpy as np

from tests.library.operations.case import Case, normal
from tests.library.operations.forms import linear

X = normal(3, 4, 2)
ROWS, COLUMNS = np.array([2, 0, 2, -1]), np.array([[0], [3]])
MASK = normal(3, 4, seed=1) > 0
INDICES = {
    "a row": 1,
    "the last row": -1,
    "one element": (1, 2, 0),
    "a slice": slice(1, None),
    "a step": (slice(None), slice(0, 4, 2)),
    "an empty slice": slice(2, 2),
    "an ellipsis": (..., 0),
    "all": ...,
    "an empty tuple": (),
    "a new axis": (slice(None), None, 1),
    "new axes around": (None, ..., None),
    "rows in a list": [0, 2],
    "a row twice": [0, 0],
    "rows in an array": ROWS,
    "pairs": (ROWS, np.array([1, 0, 1, 3])),
    "a grid": (ROWS, COLUMNS),
    "an array and a slice": (ROWS, slice(1, 3)),
    "a slice and an array": (slice(None), ROWS),
    "arrays apart": (ROWS, slice(None), np.array([0, 1, 0, 0])),
    "a tuple in a tuple": ((0, 0),),
    "a mask": MASK,
    "a mask of rows": np.array([True, False, True]),
    "a mask and a number": (MASK, 1),
    "a mask in a list": [True, False, True],
    "no rows": [],
    "an empty mask": np.zeros((3, 4), bool),
    "a number of NumPy": np.int64(2),
    "True": True,
}
BACKWARDS = {  # which slices of PyTorch cannot go
    "turned round": (slice(None, None, -1), lambda x: x.flip(0)),
    "back": ((1, slice(3, 0, -2)), lambda x: x[1, [3, 1]]),
}

CASES: list[Case] = [
    *(
        case
        for name, index in INDICES.items()
        for case in linear(
            "Tensor.__getitem__",
            name,
            lambda x, index=index: x[index],
            X,
            torch=lambda x, index=index: x[index],
        )
    ),
    *(
        case
        for name, (index, theirs) in BACKWARDS.items()
        for case in linear(
            "Tensor.__getitem__",
            name,
            lambda x, index=index: x[index],
            X,
            torch=theirs,
        )
    ),
    *linear(
        "Tensor.__getitem__",
        "the items of a loop",
        lambda x: sum((row * row[0] for row in x), start=0.0),
        X,
        torch=lambda x: sum((row * row[0] for row in x), start=0.0),
    ),
    *linear(
        "Tensor.__getitem__",
        "parts that overlap",
        lambda x: x[:-1] * x[1:] + x[[0, 0]] * x[1],
        X,
        torch=lambda x: x[:-1] * x[1:] + x[[0, 0]] * x[1],
    ),
    *linear(
        "Tensor.__getitem__",
        "a part of a part",
        lambda x: x[1:][:, ROWS][0, 1:3],
        X,
        torch=lambda x: x[1:][:, ROWS][0, 1:3],
    ),
]
