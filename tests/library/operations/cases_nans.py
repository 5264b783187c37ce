"""Cases of `ops/nans.py` and `ops/quantiles.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, positive

P = positive(3, 4)
HOLES = np.array([[0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 1]], bool)


def holed(x: Any) -> Any:
    """Return x with nan at some places; the others are squared."""
    return np.where(HOLES, np.nan, x * x)


def filled(x: Any, other: float) -> Any:
    """Return the same in PyTorch with another number in place of nan."""
    return torch.where(torch.tensor(HOLES), x.new_tensor(other), x * x)


def mean(x: Any, dim: int) -> Any:
    return filled(x, 0.0).sum(dim) / torch.tensor(~HOLES).sum(dim)


def var(x: Any, dim: int) -> Any:
    d = (x * x - mean(x, dim).unsqueeze(dim)) * torch.tensor(~HOLES)
    return (d * d).sum(dim) / torch.tensor(~HOLES).sum(dim)


THEIRS: dict[str, Any] = {
    "nansum": lambda x, dim: filled(x, 0.0).sum(dim),
    "nanprod": lambda x, dim: filled(x, 1.0).prod(dim),
    "nanmean": mean,
    "nanvar": var,
    "nanstd": lambda x, dim: var(x, dim).sqrt(),
    "nanmax": lambda x, dim: filled(x, 0.0).amax(dim),
    "nanmin": lambda x, dim: filled(x, 99.0).amin(dim),
    "nancumsum": lambda x, dim: filled(x, 0.0).cumsum(dim),
    "nancumprod": lambda x, dim: filled(x, 1.0).cumprod(dim),
}
CASES = [
    Case(
        f"numpy.{name}",
        f"axis={axis}",
        lambda x, name=name, axis=axis: getattr(np, name)(holed(x), axis=axis),
        (P,),
        torch=lambda x, theirs=theirs, axis=axis: theirs(x, axis),
        complex_step=False,
    )
    for name, theirs in THEIRS.items()
    for axis in (0, 1)
]


def quantile_in_torch(x: Any, q: Any, **options: Any) -> Any:
    return torch.quantile(x, torch.tensor(q, dtype=x.dtype), **options)


for name, whole in (("quantile", 1.0), ("percentile", 100.0)):
    f = getattr(np, name)
    CASES += [
        Case(
            f"numpy.{name}",
            about,
            lambda x, f=f, q=q, options=options, whole=whole: f(
                x * x, q * whole, **options
            ),
            (P,),
            torch=lambda x, q=q, theirs=theirs: quantile_in_torch(x * x, q, **theirs),
            complex_step=False,
        )
        for about, q, options, theirs in (
            ("of all", 0.3, {}, {}),
            ("axis=0", 0.6, {"axis": 0}, {"dim": 0}),
            (
                "axis=-1, keepdims",
                0.25,
                {"axis": -1, "keepdims": True},
                {"dim": -1, "keepdim": True},
            ),
            ("the smallest", 0.0, {"axis": 1}, {"dim": 1}),
            ("the largest", 1.0, {"axis": 1}, {"dim": 1}),
        )
    ]
CASES += [
    Case(
        "numpy.quantile",
        "several parts",
        lambda x: np.quantile(x * x, [0.2, 0.7, 0.5], axis=1).astype(x.dtype),
        (P,),
        torch=lambda x: quantile_in_torch(x * x, [0.2, 0.7, 0.5], dim=1),
        complex_step=False,
    ),
    *(
        Case(
            f"numpy.{name}",
            f"axis={axis}",
            lambda x, name=name, q=q, axis=axis: getattr(np, name)(
                np.where(HOLES, np.nan, x * x), *q, axis=axis
            ),
            (P,),
            torch=lambda x, part=part, axis=axis: torch.nanquantile(
                torch.where(torch.tensor(HOLES), torch.nan, x * x),
                x.new_tensor(part),
                axis,
            ),
            complex_step=False,
        )
        for name, q, part in (
            ("nanquantile", (0.3,), 0.3),
            ("nanpercentile", (80.0,), 0.8),
            ("nanmedian", (), 0.5),
        )
        for axis in (0, 1)
    ),
    Case(
        "numpy.partition",
        "the second smallest",
        lambda x: np.partition(x * x, 1, axis=1)[:, 1],
        (P,),
        torch=lambda x: (x * x).kthvalue(2, 1)[0],
        complex_step=False,
    ),
    Case(
        "numpy.partition",
        "the largest of all",
        lambda x: np.partition(x * x, -1, axis=None)[-1:],
        (P,),
        torch=lambda x: (x * x).max().reshape(1),
        complex_step=False,
    ),
]
