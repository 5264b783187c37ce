"""Cases of `ops/exponential.py`."""

from __future__ import annotations

import numpy as np

from tests.library.operations.case import Case, normal, positive, spread_out
from tests.library.operations.elementwise import elementwise

A, P, S = normal(3, 4), positive(3, 4), spread_out(3, 4)

CASES: list[Case] = []
for name, inputs in (
    ("exp", A),
    ("expm1", A),
    ("exp2", A),
    ("log", P),
    ("log1p", P - 1.2),
    ("log2", P),
    ("log10", P),
    ("sqrt", P),
    ("square", A),
    ("reciprocal", P),
):
    f = getattr(np, name)
    CASES += elementwise(f"numpy.{name}", f, inputs, torch=name, method=name)
CASES += elementwise(
    "numpy.cbrt",
    np.cbrt,
    S,
    torch=lambda x: x.sign() * x.abs() ** (1 / 3),  # it has no root of odd degree
    method="cbrt",
    complex_step=False,
)
CASES += [
    Case(
        "numpy.exp",
        "of a sum",
        lambda x, y: np.exp(x + y),
        (normal(4), normal(3, 1)),
        torch=lambda x, y: (x + y).exp(),
    ),
    Case(
        "numpy.log",
        "of a softened square",
        lambda x: np.log(1 + x * x),
        (A,),
        torch=lambda x: (1 + x * x).log(),
    ),
    Case(
        "numpy.sqrt",
        "of itself",
        lambda x: np.sqrt(np.sqrt(x)),
        (P,),
        torch=lambda x: x.sqrt().sqrt(),
    ),
    Case(
        "numpy.reciprocal",
        "of negative numbers",
        np.reciprocal,
        (S,),
        torch=lambda x: x.reciprocal(),
    ),
]
