"""Cases of what is left of numbers, and of their signs."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, positive, spread_out

S = spread_out(3, 4) * 1.1
P = positive(3, 4)


def two(name: str, about: str, f: Any, *inputs: np.ndarray, torch: Any = None) -> Case:
    return Case(f"numpy.{name}", about, f, inputs, torch, complex_step=False)


def of_squares(f: Any) -> Any:
    return lambda x, y: f(x * x, y * y)


def power_of_both(x: Any, y: Any) -> Any:
    return np.float_power(x, y).astype(x.dtype)


CASES: list[Case] = []
for name in ("fmod", "copysign", "logaddexp2"):
    f, theirs = getattr(np, name), torch.function(name)
    CASES += [
        two(name, about, f, *inputs, torch=theirs)
        for about, inputs in (
            ("equal shapes", (S, P)),
            ("negative ones", (S, -P)),
            ("a row and a column", (S[0], P[:, :1])),
            ("a column and a matrix", (S[:, :1], P)),
            ("shape ()", (S[0, 0, ...], P[0, 0, ...])),
            ("shape (0, 3)", (S[:0, :3], P[:0, :3])),
        )
        if name != "logaddexp2"
    ]
    if name != "logaddexp2":
        CASES.append(
            two(name, "of squares", of_squares(f), S, P, torch=of_squares(theirs))
        )


def log2_of_sum(x: Any, y: Any) -> Any:
    """Return the same in PyTorch, whose logaddexp2 has no second derivative."""
    ln2 = 0.6931471805599453
    return torch.logaddexp(x * ln2, y * ln2) / ln2


CASES += [
    two("logaddexp2", about, np.logaddexp2, *inputs, torch=log2_of_sum)
    for about, inputs in (
        ("equal shapes", (S, P)),
        ("a row and a column", (S[0], P[:, :1])),
        ("shape ()", (S[0, 0, ...], P[0, 0, ...])),
        ("shape (0, 3)", (S[:0, :3], P[:0, :3])),
    )
]
CASES += [
    two(
        "float_power",
        about,
        power_of_both,
        *inputs,
        torch=lambda x, y: torch.float_power(x, y).to(x.dtype),
    )
    for about, inputs in (
        ("equal shapes", (P, S)),
        ("a row and a column", (P[0], S[:, :1])),
    )
]
CASES += [
    Case(
        "numpy.copysign",
        "at 0",
        lambda x: np.copysign(x, -1.0),
        (np.zeros(3),),
        torch=lambda x: torch.copysign(x, -1.0),
        kink=True,
        difference="The slope at 0 is 0, as that of |x|, and so is the second one; "
        "PyTorch's second one is 0 divided by 0, which is NaN.",
    ),
    Case(
        "numpy.divmod",
        "the remainder",
        lambda x, y: divmod(x, y)[1] * y,
        (S, P),
        torch=lambda x, y: (x % y) * y,
        complex_step=False,
    ),
    Case(
        "numpy.divmod",
        "of a number",
        lambda x: divmod(7.0, x)[1] * x,
        (P,),
        torch=lambda x: (x.new_tensor(7.0) % x) * x,
        complex_step=False,
    ),
    Case(
        "numpy.modf",
        "what is behind the point",
        lambda x: np.modf(x)[0] * x,
        (S,),
        torch=lambda x: x.frac() * x,
        complex_step=False,
    ),
]
