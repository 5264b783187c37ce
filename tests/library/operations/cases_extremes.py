"""Cases of `ops/extremes.py`."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, spread_out
from tests.library.operations.forms import linear, over_axes

X = spread_out(2, 3, 4)
TIES = np.array([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]])


def in_torch(name: str, x: Any, dim: Any = None, keepdim: bool = False) -> Any:
    return getattr(torch, name)(x, dim=() if dim is None else dim, keepdim=keepdim)


def middle(x: Any, dim: Any = None, keepdim: bool = False) -> Any:
    if isinstance(dim, tuple):
        others = [axis for axis in range(x.ndim) if axis not in (0, 2)]
        x = x.permute(*others, 0, 2).flatten(-2).contiguous()
        y = torch.quantile(x, 0.5, dim=-1)
        return y[None, :, None] if keepdim else y
    return torch.quantile(x, 0.5, dim=dim, keepdim=keepdim)


CASES: list[Case] = []
for name in ("max", "min"):
    f, theirs = getattr(np, name), partial(in_torch, f"a{name}")
    operation = f"numpy.{name}"
    CASES += over_axes(operation, f, theirs, X, twice=False)
    CASES += linear(
        operation,
        "method",
        lambda x, name=name: getattr(x, name)(axis=-1),
        X,
        torch=lambda x, f=theirs: f(x, -1),
    )
    CASES += linear(operation, "of shape ()", f, spread_out(), torch=theirs)
    CASES += [
        Case(operation, "ties", f, (TIES,), torch=theirs, kink=True),
        Case(
            operation,
            "ties along an axis",
            partial(f, axis=1),
            (TIES,),
            torch=partial(theirs, dim=1),
            kink=True,
        ),
        Case(
            operation,
            "ties with zeros of both signs",
            f,
            (np.array([0.0, -0.0, 0.0]),),
            torch=theirs,
            kink=True,
        ),
    ]
CASES += [
    Case(
        "numpy.max",
        "by its old name",
        lambda x: np.amax(x, 0) ** 2,
        (X,),
        torch=lambda x: x.amax(0) ** 2,
    ),
    Case(
        "numpy.min",
        "by its old name",
        lambda x: np.amin(x, 0) ** 2,
        (X,),
        torch=lambda x: x.amin(0) ** 2,
    ),
]
CASES += over_axes(
    "numpy.ptp",
    np.ptp,
    lambda x, **k: in_torch("amax", x, **k) - in_torch("amin", x, **k),
    X,
    twice=False,
)
for name, call, theirs in [
    ("the last axis", np.sort, lambda x: x.sort(-1).values),
    ("axis 0", lambda x: np.sort(x, axis=0), lambda x: x.sort(0).values),
    ("axis -2", lambda x: np.sort(x, axis=-2), lambda x: x.sort(-2).values),
    ("all", lambda x: np.sort(x, axis=None), lambda x: x.flatten().sort().values),
]:
    CASES += linear("numpy.sort", name, call, X, torch=theirs)
CASES += [
    Case(
        "numpy.sort",
        "ties",
        np.sort,
        (TIES,),
        torch=lambda x: x.sort(dim=-1, stable=True).values,
        kink=True,
    ),
    *over_axes("numpy.median", np.median, middle, X, twice=False),
    *linear(
        "numpy.median",
        "of an odd number",
        lambda x: np.median(x, axis=1),
        X,
        torch=lambda x: x.median(1).values,
    ),
    Case(
        "numpy.median",
        "of an even number, against torch.median",
        lambda x: np.median(x, axis=-1),
        (X,),
        torch=lambda x: x.median(-1).values,
        kink=True,
        difference="torch.median is the lower of the middle two, NumPy's their mean",
    ),
]
