"""Cases of `ops/matrices.py`."""

from __future__ import annotations

import operator

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal
from tests.library.operations.forms import linear

X, M = normal(2, 3, 4), normal(3, 4)

CASES: list[Case] = [
    *(
        case
        for name in ("numpy.matrix_transpose", "numpy.linalg.matrix_transpose")
        for about, x in (("a matrix", M), ("a stack", X))
        for case in linear(
            name,
            about,
            operator.attrgetter(name.removeprefix("numpy."))(np),
            x,
            torch=lambda x: x.mT,
        )
    ),
    *linear("numpy.matrix_transpose", "mT", lambda x: x.mT, X, torch=lambda x: x.mT),
    *(
        case
        for about, x, offset in (
            ("a matrix", M, 0),
            ("a stack", X, 0),
            ("above", X, 1),
            ("below", X, -1),
        )
        for case in (
            *linear(
                "numpy.linalg.diagonal",
                about,
                lambda x, k=offset: np.linalg.diagonal(x, offset=k),
                x,
                torch=lambda x, k=offset: torch.diagonal(x, k, -2, -1),
            ),
            *linear(
                "numpy.linalg.trace",
                about,
                lambda x, k=offset: np.linalg.trace(x, offset=k),
                x,
                torch=lambda x, k=offset: torch.diagonal(x, k, -2, -1).sum(-1),
            ),
        )
    ),
    Case(
        "numpy.linalg.tensorsolve",
        "six by six",
        np.linalg.tensorsolve,
        (normal(2, 3, 6), normal(2, 3, seed=1)),
        torch.function("linalg.tensorsolve"),
    ),
    Case(
        "numpy.linalg.tensorsolve",
        "axes=(0, 2)",
        lambda a, b: np.linalg.tensorsolve(a, b, axes=(0, 2)),
        (normal(3, 3, 2, 2), normal(3, 2, seed=1)),
        lambda a, b: torch.linalg.tensorsolve(a, b, dims=(0, 2)),
    ),
    Case(
        "numpy.linalg.tensorinv",
        "six by six",
        np.linalg.tensorinv,
        (normal(2, 3, 3, 2),),
        torch.function("linalg.tensorinv"),
    ),
    Case(
        "numpy.linalg.tensorinv",
        "ind=1",
        lambda a: np.linalg.tensorinv(a, ind=1),
        (normal(4, 2, 2),),
        lambda a: torch.linalg.tensorinv(a, ind=1),
    ),
]
