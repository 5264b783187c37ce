"""Cases of `ops/repeating.py`."""

from __future__ import annotations

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal
from tests.library.operations.forms import linear

M, V, ONE = normal(2, 3), normal(3), normal()
TIMES, NONE = np.array([2, 0, 3]), np.array([0, 0, 0])

TILE = [
    ("a number of times", 2, M),
    ("along two axes", (2, 3), M),
    ("more axes than it has", (2, 1, 3), M),
    ("fewer axes than it has", (2,), M),
    ("a vector to rows", (2, 1), V),
    ("a number", 3, ONE),
    ("no times", (0, 1), M),
    ("once", 1, M),
]
REPEAT = [
    ("all", 2, None, M),
    ("axis 0", 2, 0, M),
    ("axis -1", 3, -1, M),
    ("each row", TIMES, 1, M),
    ("each row, equally", [2, 2], 0, M),
    ("each of all", [1, 0, 2, 1, 1, 0], None, M),
    ("no times", 0, 1, M),
    ("no row any times", NONE, 1, M),
    ("a list of one", [2], 0, M),
    ("shape ()", 3, None, ONE),
]
PAD = [
    ("all sides", 1, (1, 1, 1, 1)),
    ("before and after", (1, 2), (1, 2, 1, 2)),
    ("each axis", ((1, 0), (0, 2)), (0, 2, 1, 0)),
    ("nothing", 0, (0, 0, 0, 0)),
]


def repeat_in_torch(times: object, axis: int | None) -> object:
    def f(x: object) -> object:
        several = times if isinstance(times, int) else torch.tensor(times)
        return torch.repeat_interleave(torch.atleast_1d(x), several, axis)

    return f


CASES: list[Case] = [
    *(
        case
        for name, reps, x in TILE
        for case in linear(
            "numpy.tile",
            name,
            lambda x, reps=reps: np.tile(x, reps),
            x,
            torch=lambda x, reps=reps: torch.atleast_1d(x).tile(reps),
        )
    ),
    *(
        case
        for name, times, axis, x in REPEAT
        for case in linear(
            "numpy.repeat",
            name,
            lambda x, times=times, axis=axis: np.repeat(x, times, axis=axis),
            x,
            torch=repeat_in_torch(times, axis),
        )
    ),
    *linear(
        "numpy.repeat",
        "method",
        lambda x: x.repeat(2, axis=1),
        M,
        torch=lambda x: x.repeat_interleave(2, 1),
    ),
    *(
        case
        for name, width, theirs in PAD
        for case in linear(
            "numpy.pad",
            name,
            lambda x, width=width: np.pad(x, width),
            M,
            torch=lambda x, w=theirs: torch.nn.functional.pad(x, w),
        )
    ),
    *linear(
        "numpy.pad",
        "with another number",
        lambda x: np.pad(x, 1, constant_values=2.0),
        M,
        torch=lambda x: torch.nn.functional.pad(x, (1, 1, 1, 1), value=2.0),
    ),
]
