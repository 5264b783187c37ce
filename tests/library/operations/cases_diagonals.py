"""Cases of `ops/diagonals.py`."""

from __future__ import annotations

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal
from tests.library.operations.forms import linear

X, M, V = normal(2, 3, 4), normal(3, 4), normal(3)

CASES: list[Case] = [
    *(
        case
        for name, args, x in [
            ("the main one", (), M),
            ("above", (1,), M),
            ("below", (-1,), M),
            ("outside", (5,), M),
            ("axes 1 and 2", (0, 1, 2), X),
            ("axes -1 and 0", (1, -1, 0), X),
        ]
        for case in linear(
            "numpy.diagonal",
            name,
            lambda x, args=args: np.diagonal(x, *args),
            x,
            torch=lambda x, args=args: torch.diagonal(x, *args),
        )
    ),
    *linear(
        "numpy.diagonal",
        "method",
        lambda x: x.diagonal(offset=1, axis1=1, axis2=2),
        X,
        torch=lambda x: x.diagonal(1, 1, 2),
    ),
    *linear(
        "numpy.diagonal",
        "and the whole",
        lambda x: np.diagonal(x) * x.sum(0)[:3] + np.diagonal(x, 1),
        M,
        torch=lambda x: torch.diagonal(x) * x.sum(0)[:3] + torch.diagonal(x, 1),
    ),
    *(
        case
        for name, k, x in [
            ("of a matrix", 0, M),
            ("of a matrix, above", 2, M),
            ("of a matrix, below", -2, M),
            ("a matrix of it", 0, V),
            ("a matrix of it, above", 2, V),
            ("a matrix of it, below", -1, V),
        ]
        for case in linear(
            "numpy.diag",
            name,
            lambda x, k=k: np.diag(x, k),
            x,
            torch=lambda x, k=k: torch.diag(x, k),
        )
    ),
    *linear("numpy.trace", "a matrix", np.trace, M, torch=lambda x: torch.trace(x)),
    *linear(
        "numpy.trace",
        "method, above",
        lambda x: x.trace(1),
        M,
        torch=lambda x: torch.diagonal(x, 1).sum(-1),  # torch.trace has no offset
    ),
    *linear(
        "numpy.trace",
        "axes 0 and 2",
        lambda x: np.trace(x, axis1=0, axis2=2),
        X,
        torch=lambda x: torch.diagonal(x, 0, 0, 2).sum(-1),
    ),
    *(
        case
        for name in ("tril", "triu")
        for k in (0, 1, -1, 9)
        for x in (M, X)
        for case in linear(
            f"numpy.{name}",
            f"k={k} of shape {x.shape}",
            lambda x, name=name, k=k: getattr(np, name)(x, k),
            x,
            torch=lambda x, name=name, k=k: getattr(torch, name)(x, k),
        )
    ),
    *(
        case
        for name in ("tril", "triu")
        for case in linear(
            f"numpy.{name}",
            "of a vector",
            getattr(np, name),
            V,
            torch=lambda x, name=name: getattr(torch, name)(x.expand(3, 3)),
        )
    ),
]
