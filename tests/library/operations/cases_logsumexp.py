"""Cases of `ops/logsumexp.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.ops.logsumexp import logsumexp
from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal
from tests.library.operations.forms import over_axes

NAME = "ops.logsumexp.logsumexp"
X = normal(2, 3, 4)
SOME = np.array([[0.5, -np.inf, 1.0], [-np.inf, -np.inf, -np.inf]])


def in_torch(x: Any, dim: Any = None, keepdim: bool = False) -> Any:
    every = tuple(range(x.ndim))
    return torch.logsumexp(x, every if dim is None else dim, keepdim)


CASES: list[Case] = [
    *over_axes(NAME, logsumexp, in_torch, X),
    Case(
        NAME,
        "method",
        lambda x: x.logsumexp(axis=1),
        (X,),
        torch=lambda x: x.logsumexp(1),
    ),
    Case(NAME, "of shape ()", logsumexp, (normal(),), torch=in_torch),
    Case(
        NAME,
        "large and small",
        lambda x: logsumexp(x * 1000.0, axis=-1),
        (normal(2, 3),),
        torch=lambda x: torch.logsumexp(x * 1000.0, -1),
    ),
    Case(
        NAME,
        "-inf beside numbers",
        lambda x: logsumexp(x, axis=1),
        (SOME[:1],),
        torch=lambda x: torch.logsumexp(x, 1),
        kink=True,
    ),
    Case(
        NAME,
        "-inf only",
        lambda x: logsumexp(x, axis=1),
        (SOME[1:],),
        torch=lambda x: torch.logsumexp(x, 1),
        kink=True,
        difference="the slope of exp is 0 there; PyTorch subtracts -inf from -inf: NaN",
    ),
    Case(
        "numpy.logaddexp",
        "a row and a column",
        np.logaddexp,
        (normal(4), normal(3, 1)),
        torch=lambda x, y: torch.logaddexp(x, y),
        complex_step=False,
    ),
    Case(
        "numpy.logaddexp",
        "far apart",
        lambda x, y: np.logaddexp(x * 30.0, y),
        (normal(3), normal(3, seed=1)),
        torch=lambda x, y: torch.logaddexp(x * 30.0, y),
        complex_step=False,
    ),
]
