"""Cases of `ops/decompositions.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal

SHAPES = {
    "square": (3, 3),
    "tall": (4, 2),
    "wide": (2, 4),
    "a stack of tall ones": (2, 3, 2),
    "a stack of wide ones": (2, 2, 3),
    "1 by 1": (1, 1),
    "a column": (3, 1),
    "a row": (1, 3),
    "no rows": (0, 2),
    "no columns": (2, 0),
    "no matrices": (0, 3, 2),
}


def regular(*shape: int) -> np.ndarray:
    """Return matrices whose first columns are far from linearly dependent."""
    return normal(*shape) + 2 * np.eye(*shape[-2:])


def svd(x: Any) -> Any:
    return np.linalg.svd(x, full_matrices=False)


def parts_in_torch(x: Any) -> Any:
    return torch.linalg.svd(x, full_matrices=False)


def weighted(u: Any, s: Any, v: Any) -> Any:
    """Return something of both kinds of vectors that their signs do not change."""
    return u @ v * (v * v * s[..., None]).sum(-2)[..., None, :]


# The signs of vectors are free: what is asked is the same for all signs.
ASKED: dict[str, Any] = {
    "left vectors": lambda u, s, v: u * u,
    "right vectors": lambda u, s, v: v * v,
    "values": lambda u, s, v: s * s,
    "all together": lambda u, s, v: (u * s[..., None, :] ** 3) @ v,
    "both vectors": weighted,
}


def triangle(x: Any) -> Any:
    return np.linalg.qr(x, "r")


CASES = [
    *(
        Case(
            "numpy.linalg.svd",
            f"{asked}, {name}",
            lambda x, f=f: f(*svd(x)),
            (normal(*shape),),
            lambda x, f=f: f(*parts_in_torch(x)),
            complex_step=False,
        )
        for asked, f in ASKED.items()
        for name, shape in SHAPES.items()
    ),
    Case(
        "numpy.linalg.svd",
        "full_matrices=True of a square matrix",
        lambda x: np.linalg.svd(x).U ** 2,
        (normal(3, 3),),
        lambda x: torch.linalg.svd(x).U ** 2,
        complex_step=False,
    ),
    Case(
        "numpy.linalg.svd",
        "compute_uv=False",
        lambda x: np.linalg.svd(x, compute_uv=False),
        (normal(3, 2),),
        lambda x: torch.linalg.svdvals(x),
        complex_step=False,
    ),
    *(
        Case(
            "numpy.linalg.svdvals",
            name,
            np.linalg.svdvals,
            (normal(*shape),),
            lambda x: torch.linalg.svdvals(x),
            complex_step=False,
        )
        for name, shape in SHAPES.items()
    ),
    Case(
        "numpy.linalg.svdvals",
        "equal values, their sum",
        lambda x: np.linalg.svdvals(x).sum(),
        (np.diag([2.0, 2.0, 1.0]),),
        lambda x: torch.linalg.svdvals(x).sum(),
        kink=True,
        twice=False,
    ),
    *(
        Case(
            "numpy.linalg.qr",
            f"{part}, {name}",
            lambda x, i=i: np.linalg.qr(x)[i],
            (regular(*shape),),
            lambda x, i=i: torch.linalg.qr(x)[i],
            complex_step=False,
        )
        for i, part in enumerate("QR")
        for name, shape in SHAPES.items()
    ),
    Case(
        "numpy.linalg.qr",
        "both",
        lambda x: np.linalg.qr(x).Q * np.linalg.qr(x).R,
        (normal(3, 3),),
        lambda x: torch.linalg.qr(x)[0] * torch.linalg.qr(x)[1],
        complex_step=False,
    ),
    Case(
        "numpy.linalg.qr",
        "mode='r'",
        triangle,
        (normal(4, 3),),
        lambda x: torch.linalg.qr(x)[1],
        complex_step=False,
    ),
    Case(
        "numpy.linalg.qr",
        "mode='complete' of a wide matrix",
        lambda x: np.linalg.qr(x, "complete").Q,
        (normal(2, 3),),
        lambda x: torch.linalg.qr(x)[0],
        complex_step=False,
    ),
]
