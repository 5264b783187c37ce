"""Cases of `ops/ranges.py` and `ops/statistics.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal, positive

X, V = normal(3, 4), normal(5)
DIFFERENCES = {"complex_step": False}


def case(name: str, about: str, f: Any, xs: Any, theirs: Any, **options: Any) -> Case:
    return Case(f"numpy.{name}", about, f, xs, theirs, **options)


def covariances(x: Any, correction: int = 1) -> Any:
    return torch.cov(x, correction=correction)


CASES: list[Case] = [
    case(
        "linspace",
        "with respect to both ends",
        lambda a, b: np.linspace(a * a, b * b, 5),
        (normal(), normal(seed=1)),
        lambda a, b: a * a + (b * b - a * a) * torch.linspace(0, 1, 5, dtype=a.dtype),
        **DIFFERENCES,
    ),
    case(
        "linspace",
        "a row and a number, the last axis, without the end",
        lambda a, b: np.linspace(a * a, b * b, 4, endpoint=False, axis=-1),
        (normal(3), normal()),
        lambda a, b: (
            (a * a)[:, None]
            + (b * b - a * a)[:, None] * torch.tensor([0.0, 0.25, 0.5, 0.75]).to(a)
        ),
        **DIFFERENCES,
    ),
    case(
        "linspace",
        "the distance",
        lambda a, b: np.linspace(a * a, b * b, 5, retstep=True)[1],
        (normal(), normal(seed=1)),
        lambda a, b: (b * b - a * a) / 4,
        **DIFFERENCES,
    ),
    case(
        "logspace",
        "with respect to both ends and the base",
        lambda a, b, base: np.logspace(a, b, 4, base=base),
        (normal(), normal(seed=1), positive()),
        lambda a, b, base: (
            base ** (a + (b - a) * torch.linspace(0, 1, 4, dtype=a.dtype))
        ),
        **DIFFERENCES,
    ),
    case(
        "geomspace",
        "with respect to both ends",
        lambda a, b: np.geomspace(a, b, 4, axis=-1).astype(a.dtype),
        (positive(3), positive(3, seed=1)),
        lambda a, b: (
            a[:, None] * (b / a)[:, None] ** torch.linspace(0, 1, 4, dtype=a.dtype)
        ),
        **DIFFERENCES,
    ),
    case(
        "cov",
        "of rows",
        lambda x: np.cov(x).astype(x.dtype),
        (X,),
        covariances,
        **DIFFERENCES,
    ),
    case(
        "cov",
        "of columns, bias, more of them",
        lambda x, y: np.cov(x, y, rowvar=False, bias=True).astype(x.dtype),
        (X, normal(3, 1)),
        lambda x, y: covariances(torch.cat([x, y], 1).T, 0),
        **DIFFERENCES,
    ),
    case(
        "cov",
        "weights",
        lambda x, w: np.cov(x, fweights=[1, 2, 1, 3], aweights=w).astype(x.dtype),
        (X, positive(4)),
        lambda x, w: torch.cov(x, fweights=torch.tensor([1, 2, 1, 3]), aweights=w),
        **DIFFERENCES,
    ),
    case(
        "cov",
        "one row",
        lambda x: np.cov(x).astype(x.dtype),
        (V,),
        covariances,
        **DIFFERENCES,
    ),
    case(
        "corrcoef",
        "of rows",
        lambda x: np.corrcoef(x).astype(x.dtype),
        (X,),
        lambda x: torch.corrcoef(x),
        **DIFFERENCES,
    ),
]
