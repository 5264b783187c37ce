"""Cases of `ops/comparisons.py`, as factors: they have no gradient, nor lose any."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, positive, spread_out

S = spread_out(3, 4) * 1.1
T = spread_out(3, 4, seed=1) + 0.1
P = positive(3, 4)


def factor(f: Any, name: str, complex_step: bool = False) -> list[Case]:
    """Return cases in which a function that has no gradient is multiplied by x."""
    in_torch = torch.function(name)
    return [
        Case(
            "numpy.multiply",
            f"by its {f.__name__}, {about}",
            lambda x: x * f(x),
            (x,),
            torch=lambda x: x * in_torch(x),
            complex_step=complex_step,
        )
        for about, x in (("a matrix", S), ("shape ()", S[1, 1, ...]), ("none", S[:0]))
    ]


CASES = [
    *factor(np.floor, "floor"),
    *factor(np.ceil, "ceil"),
    *factor(np.trunc, "trunc"),
    *factor(np.rint, "round"),
    *factor(np.sign, "sign"),
    *factor(np.isfinite, "isfinite", complex_step=True),
    *factor(np.logical_not, "logical_not", complex_step=True),
    *factor(np.ones_like, "ones_like", complex_step=True),
]
for compare in ("greater", "less_equal", "not_equal"):
    f, in_torch = getattr(np, compare), torch.function(compare)
    CASES += [
        Case(
            "numpy.multiply",
            f"by the truth of {compare}{shapes}",
            lambda x, y, f=f: x * y * f(x, y),
            inputs,
            torch=lambda x, y, f=in_torch: x * y * f(x, y),
        )
        for shapes, inputs in (
            ("", (S, T)),
            (", a row and a column", (S[0], T[:, :1])),
        )
    ]


def remainder(about: str, f: Any, *inputs: np.ndarray, torch: Any = None) -> Case:
    return Case("numpy.remainder", about, f, inputs, torch, complex_step=False)


def method(x: Any, y: Any) -> Any:
    return x.remainder(y)


def of_squares(x: Any, y: Any) -> Any:
    return (x * x) % (y * y)


CASES += [
    remainder("equal shapes", np.remainder, S, P, torch=method),
    remainder("the operator", operator.mod, S, P, torch=operator.mod),
    remainder("negative divisors", np.remainder, S, -P, torch=method),
    remainder("a row and a column", np.remainder, S[0], P[:, :1], torch=method),
    remainder("a column and a matrix", np.remainder, S[:, :1], P, torch=method),
    remainder("by a number", lambda x: x % 0.7, S, torch=lambda x: x % 0.7),
    remainder(
        "of a number",
        lambda y: 7.0 % y,
        P,
        torch=lambda y: y.new_tensor(7.0) % y,
    ),
    remainder("of squares", of_squares, S, P, torch=of_squares),
    remainder("shape ()", np.remainder, S[0, 0, ...], P[0, 0, ...], torch=method),
    remainder("shape (0, 3)", np.remainder, S[:0, :3], P[:0, :3], torch=method),
]
