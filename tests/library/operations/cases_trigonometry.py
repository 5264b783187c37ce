"""Cases of `ops/trigonometry.py`."""

from __future__ import annotations

import numpy as np

from tests.library.operations.case import Case, normal, positive, spread_out
from tests.library.operations.elementwise import elementwise

A, P, S = normal(3, 4), positive(3, 4), spread_out(3, 4)
INSIDE = 0.9 * np.tanh(A)  # between -1 and 1
ZERO = np.zeros(3)

CASES: list[Case] = []
for name, inputs in (
    ("sin", A),
    ("cos", A),
    ("tan", INSIDE),
    ("arcsin", INSIDE),
    ("arccos", INSIDE),
    ("arctan", A),
    ("sinh", A),
    ("cosh", A),
    ("tanh", A),
    ("arcsinh", A),
    ("arccosh", 1.0 + P),
    ("arctanh", INSIDE),
):
    f = getattr(np, name)
    CASES += elementwise(f"numpy.{name}", f, inputs, torch=name, method=name)

for name in ("arctan2", "hypot"):
    f, operation = getattr(np, name), f"numpy.{name}"

    def torch(x, y, name=name):
        return getattr(x, name)(y)

    CASES += [
        Case(operation, about, f, inputs, torch=torch, complex_step=False)
        for about, inputs in (
            ("equal shapes", (S, P)),
            ("a row and a column", (S[0], P[:, :1])),
            ("a column and a matrix", (P[:, :1], S)),
            ("shape ()", (S[0, 0, ...], P[1, 1, ...])),
            ("negative abscissas", (P, -P[::-1])),
            ("shape (0, 3)", (S[:0, :3], P[:0, :3])),
        )
    ]
    CASES += [
        Case(
            operation,
            "on the axes",
            f,
            (np.array([0.0, 1.5, -2.0]), np.array([1.0, 0.0, 0.0])),
            torch=torch,
            complex_step=False,
        ),
        Case(
            operation,
            "by a number",
            lambda x, f=f: f(x, 2.0),
            (S,),
            torch=lambda x, f=torch: f(x, x.new_tensor(2.0)),
            complex_step=False,
        ),
        Case(
            operation,
            "of a number",
            lambda x, f=f: f(2.0, x),
            (S,),
            torch=lambda x, f=torch: f(x.new_tensor(2.0), x),
            complex_step=False,
        ),
    ]
CASES += [
    Case(
        "numpy.arctan2",
        "at (0, 0)",
        np.arctan2,
        (ZERO, ZERO),
        torch=lambda y, x: y.arctan2(x),
        kink=True,
    ),
    Case(
        "numpy.hypot",
        "at (0, 0)",
        np.hypot,
        (ZERO, ZERO),
        torch=lambda x, y: x.hypot(y),
        kink=True,
        difference="The length has a tip at (0, 0), as |x| has at 0: its slopes are 0 "
        "here as there. PyTorch divides 0 by 0, which is NaN.",
    ),
]
