"""Cases of `ops/reductions.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal, positive
from tests.library.operations.forms import linear, one_by_one, over_axes

X, P, V = normal(2, 3, 4), positive(2, 3, 4), normal(3, seed=1)


def zeros_in(x: np.ndarray, *places: Any) -> np.ndarray:
    """Return a copy with 0 at some places."""
    x = x.copy()
    for place in places:
        x[place] = 0.0
    return x


def spread_of(f: str, ddof: int) -> dict[str, Any]:
    """Return var or std in NumPy, and in PyTorch, whose ddof is `correction`."""
    return {
        "f": lambda x, **k: getattr(np, f)(x, ddof=ddof, **k),
        "torch": lambda x, **k: getattr(torch, f)(x, correction=ddof, **k),
    }


def in_torch(x: Any, dim: Any = None, keepdim: bool = False) -> Any:
    return one_by_one(lambda x, **k: torch.prod(x, **k))(x, dim, keepdim)


ONE_ZERO = zeros_in(P, (0, 1, 2))
TWO_ZEROS = zeros_in(P, (0, 1, 2), (0, 1, 3), (1, 2, 0))
MANY = zeros_in(positive(2, 7), (0, 3), (1, 0), (1, 6))
RANDOM = {"complex_step": False}  # NumPy's variance is |x - mean|²: no complex step

CASES: list[Case] = [
    *over_axes(
        "numpy.mean", np.mean, lambda x, **k: torch.mean(x, **k), X, twice=False
    ),
    *linear(
        "numpy.mean", "method", lambda x: x.mean(axis=1), X, torch=lambda x: x.mean(1)
    ),
    *linear("numpy.mean", "of shape ()", np.mean, normal(), torch=lambda x: x.mean()),
    *over_axes("numpy.var", x=X, **spread_of("var", 0), **RANDOM),
    *over_axes("numpy.std", x=X, **spread_of("std", 0), **RANDOM),
    *(
        Case(f"numpy.{f}", f"ddof={d}, axis=-1", call, (X,), torch=theirs, **RANDOM)
        for f, d, call, theirs in [
            (
                "var",
                1,
                lambda x: np.var(x, axis=-1, ddof=1),
                lambda x: x.var(-1, correction=1),
            ),
            (
                "std",
                2,
                lambda x: np.std(x, axis=-1, ddof=2),
                lambda x: x.std(-1, correction=2),
            ),
        ]
    ),
    Case(
        "numpy.var",
        "method",
        lambda x: x.var(axis=0, ddof=1, keepdims=True),
        (X,),
        torch=lambda x: x.var(0, keepdim=True),
        **RANDOM,
    ),
    Case(
        "numpy.std",
        "method",
        lambda x: x.std(axis=0, ddof=1),
        (X,),
        torch=lambda x: x.std(0),
        **RANDOM,
    ),
    Case(
        "numpy.std",
        "of equal numbers, a kink",
        lambda x: np.std(x * 0.0 + 2.0, axis=1) + np.std(x, axis=1),
        (normal(2, 3),),
        torch=lambda x: (
            torch.std(x * 0.0 + 2.0, 1, correction=0) + torch.std(x, 1, correction=0)
        ),
        kink=True,
        difference="a kink has no second derivative; PyTorch's is 0",
    ),
    *linear(
        "numpy.average",
        "no weights",
        lambda x: np.average(x, axis=1),
        X,
        torch=lambda x: x.mean(1),
    ),
    Case(
        "numpy.average",
        "weights of one axis",
        lambda x, w: np.average(x, axis=1, weights=w),
        (X, positive(3)),
        torch=lambda x, w: (x * w[:, None]).sum(1) / w.sum(),
    ),
    Case(
        "numpy.average",
        "weights of two axes",
        lambda x, w: np.average(x, axis=(2, 0), weights=w),
        (X, positive(4, 2)),
        torch=lambda x, w: (x * w.T[:, None]).sum((0, 2)) / w.sum(),
    ),
    Case(
        "numpy.average",
        "weights of all, keepdims",
        lambda x, w: np.average(x, axis=(0, 2), weights=w, keepdims=True),
        (X, P),
        torch=lambda x, w: (x * w).sum((0, 2), True) / w.sum((0, 2), True),
    ),
    Case(
        "numpy.average",
        "weights of a plain array",
        lambda w: np.average(np.arange(3, dtype=w.dtype), weights=w),
        (positive(3),),
        torch=lambda w: (torch.arange(3).to(w) * w).sum() / w.sum(),
    ),
    *over_axes("numpy.prod", np.prod, in_torch, X),
    *(
        Case("numpy.prod", name, f, (x,), torch=theirs)
        for name, f, x, theirs in [
            ("method", lambda x: x.prod(axis=1), X, lambda x: x.prod(1)),
            ("of shape ()", np.prod, normal(), lambda x: x.prod()),
            ("one 0", np.prod, ONE_ZERO, in_torch),
            (
                "two zeros in a row",
                lambda x: x.prod(-1),
                TWO_ZEROS,
                lambda x: x.prod(-1),
            ),
            (
                "zeros, two axes",
                lambda x: np.prod(x, axis=(0, 2)),
                TWO_ZEROS,
                lambda x: in_torch(x, (0, 2)),
            ),
            ("zeros, an odd number", lambda x: x.prod(1), MANY, lambda x: x.prod(1)),
            ("zeros only", np.prod, np.zeros(3), lambda x: x.prod()),
            ("zeros, one element", np.prod, np.zeros(1), lambda x: x.prod()),
        ]
    ),
]
