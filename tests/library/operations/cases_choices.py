"""Cases of `ops/choices.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal, spread_out
from tests.library.operations.elementwise import elementwise

A, ROW, COLUMN = normal(3, 4), normal(4), normal(3, 1)
S = spread_out(3, 4)
T = spread_out(3, 4, seed=1) + 0.1  # nowhere equal to an element of S
MASK = spread_out(3, 4, seed=2) > 0
TIED, TIED_TOO = np.array([[0.0, 1.0, 2.0]]), np.array([[0.0], [1.0]])
LOW, HIGH = np.array([-0.5, -0.4, 0.0, 0.3]), np.array([[0.7], [0.35], [1.2]])


def where(about: str, f: Any, *inputs: np.ndarray) -> Case:
    """Return a case of a function that is given a library's `where`, and inputs."""
    return Case(
        "numpy.where",
        about,
        lambda *xs: f(np.where, *xs),
        inputs,
        torch=lambda *xs: f(where_in_torch, *xs),
    )


def where_in_torch(condition: Any, x: Any, y: Any) -> Any:
    return torch.where(torch.as_tensor(condition) != 0, x, y)


CASES = [
    where("equal shapes", lambda where, x, y: where(MASK, x, y), A, T),
    where("a row and a column", lambda where, x, y: where(MASK, x, y), ROW, COLUMN),
    where(
        "a condition of one row", lambda where, x, y: where(MASK[0], x, y), A, COLUMN
    ),
    where(
        "a condition of more axes",
        lambda where, x, y: where(np.stack([MASK, ~MASK]), x, y),
        *(ROW, normal()),
    ),
    where("a comparison of tensors", lambda where, x, y: where(x > y, x * x, y), S, T),
    where("a number for y", lambda where, x: where(MASK, x, 0.0), A),
    where("a number for x", lambda where, y: where(MASK, 1.0, y * y), A),
    where("the same twice", lambda where, x: where(MASK, x * x, 3.0 * x), A),
    where("numbers for truth", lambda where, x: where(MASK.astype(int) * 2, x, -x), A),
    where(
        "shape ()",
        lambda where, x, y: where(True, x, y),
        *(normal(), normal(seed=1)),
    ),
    where(
        "shape (0, 3)",
        lambda where, x, y: where(x > y, x, y),
        *(A[:0, :3], T[:0, :3]),
    ),
    where(
        "a condition of shape (0, 3)",
        lambda where, x: where(MASK[:0, :3], x, 1.0),
        normal(3),
    ),
]
for name in ("maximum", "minimum", "fmax", "fmin"):
    f, operation = getattr(np, name), f"numpy.{name}"

    def in_torch(x: Any, y: Any, name: str = name) -> Any:
        return getattr(x, name)(y)

    CASES += [
        Case(operation, about, f, inputs, torch=in_torch)
        for about, inputs in (
            ("equal shapes", (S, T)),
            ("a row and a column", (S[0], T[:, :1])),
            ("a matrix and a number", (S, T[0, 0, ...])),
            ("shape ()", (S[0, 0, ...], T[1, 1, ...])),
            ("shape (0, 3)", (S[:0, :3], T[:0, :3])),
        )
    ]
    CASES += [
        Case(
            operation,
            "with 0",
            lambda x, f=f: f(x, 0.0),
            (S,),
            torch=lambda x, f=in_torch: f(x, x.new_zeros(())),
        ),
        Case(
            operation,
            "of squares",
            lambda x, y, f=f: f(x * x, y * y),
            (S, T),
            torch=lambda x, y, f=in_torch: f(x * x, y * y),
        ),
        Case(
            operation,
            "ties",
            f,
            (TIED, TIED_TOO),
            torch=in_torch,
            kink=True,
            difference=(
                "Two that are equal share the gradient, as in maximum. PyTorch gives "
                "all to the first, though in maximum it shares too."
                if name.startswith("f")
                else ""
            ),
        ),
        Case(
            operation,
            "of one and itself",
            lambda x, f=f: f(x, x),
            (S,),
            torch=lambda x, f=in_torch: f(x, x),
            kink=True,
        ),
    ]


def clip(
    about: str, f: Any, *inputs: np.ndarray, torch: Any = None, **more: Any
) -> Case:
    return Case("numpy.clip", about, f, inputs, torch=torch, **more)


def by_name(x: Any) -> Any:
    return x.clip(min=-0.5, max=0.7)


def upper_by_name(x: Any) -> Any:
    return x.clip(max=0.7)


CASES += [
    clip(
        "two numbers",
        lambda x: np.clip(x, -0.5, 0.7),
        S,
        torch=lambda x: x.clamp(-0.5, 0.7),
    ),
    clip(
        "the method",
        lambda x: x.clip(-0.5, 0.7),
        S,
        torch=lambda x: x.clamp(-0.5, 0.7),
    ),
    clip(
        "no lower bound",
        lambda x: np.clip(x, None, 0.7),
        S,
        torch=lambda x: x.clamp(max=0.7),
    ),
    clip(
        "no upper bound",
        lambda x: np.clip(x, -0.5, None),
        S,
        torch=lambda x: x.clamp(-0.5),
    ),
    clip("bounds by name", by_name, S, torch=by_name),
    clip("one bound by name", upper_by_name, S, torch=upper_by_name),
    clip(
        "bounds that are arrays",
        lambda x: np.clip(x, LOW.astype(x.dtype), HIGH.astype(x.dtype)),
        S,
        torch=lambda x: x.clamp(x.new_tensor(LOW), x.new_tensor(HIGH)),
    ),
    clip(
        "bounds that contradict",
        lambda x: np.clip(x, 0.7, -0.5) * x,
        S,
        torch=lambda x: x.clamp(0.7, -0.5) * x,
    ),
    clip(
        "bounds that are tensors",
        np.clip,
        *(S, LOW, HIGH),
        torch=lambda x, low, high: x.clamp(low, high),
    ),
    clip(
        "of a square",
        lambda x: np.clip(x * x, 0.1, 1.0),
        S,
        torch=lambda x: (x * x).clamp(0.1, 1.0),
    ),
    clip("shape ()", by_name, S[0, 0, ...], torch=by_name),
    clip("shape (0, 3)", by_name, S[:0, :3], torch=by_name),
    clip(
        "at the bounds",
        lambda x: np.clip(x, 0.0, 2.0),
        TIED,
        torch=lambda x: x.clamp(0.0, 2.0),
        kink=True,
        difference="A number that equals a bound shares the gradient with it, since "
        "clip is minimum of maximum. PyTorch gives the number all, though in maximum "
        "it shares too.",
    ),
]
if hasattr(np, "unstack"):  # since NumPy 2.1
    CASES.append(
        clip(
            "no bounds",
            lambda x: x.clip(None, None) * x,
            S,
            why_no_torch="PyTorch refuses to clip without a bound",
        )
    )
CASES += elementwise("numpy.absolute", abs, S, torch="abs", complex_step=False)
CASES += elementwise("numpy.fabs", np.fabs, S, torch="abs", complex_step=False)
CASES += elementwise("numpy.nan_to_num", np.nan_to_num, S, torch="nan_to_num")
CASES += [
    Case(
        "numpy.absolute",
        "times itself",
        lambda x: abs(x) * x,
        (S,),
        torch=lambda x: abs(x) * x,
        complex_step=False,
    ),
    Case("numpy.absolute", "at 0", np.abs, (np.zeros(3),), torch=abs, kink=True),
    Case(
        "numpy.nan_to_num",
        "NaN and infinities",
        lambda x: np.nan_to_num(x, nan=1.0, posinf=2.0, neginf=-3.0),
        (np.array([np.nan, np.inf, -np.inf, 1.0]),),
        torch=lambda x: x.nan_to_num(1.0, 2.0, -3.0),
        kink=True,
    ),
]
