"""Cases of `ops/linalg.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal

EYE = np.eye(3)
A = normal(3, 3) + 3 * EYE
STACK = normal(2, 3, 3) + 3 * EYE
MANY = normal(2, 2, 3, 3) + 3 * EYE
POSITIVE = normal(3, 3) @ normal(3, 3).T + EYE
SINGULAR = np.array([[1.0, 2.0], [2.0, 4.0]])


def symmetric(x: Any) -> Any:
    """Return a positive definite matrix made of x, in NumPy and in PyTorch."""
    t = x.swapaxes(-1, -2)
    return x @ t + t @ x


def sides(name: str, a: np.ndarray, b: np.ndarray, in_torch: Any = None) -> Case:
    """Return a case of numpy.linalg.solve."""
    return Case(
        "numpy.linalg.solve",
        name,
        np.linalg.solve,
        (a, b),
        in_torch or torch.function("linalg.solve"),
    )


def of_columns(a: Any, b: Any) -> Any:
    return torch.linalg.solve(a, b[..., None])[..., 0]


def one(name: str, case: str, f: Any, in_torch: Any, x: Any, **more: Any) -> Case:
    """Return a case of one input."""
    return Case(f"numpy.linalg.{name}", case, f, (x,), in_torch, **more)


def logarithm(x: Any) -> Any:
    return np.linalg.slogdet(x).logabsdet


def in_torch_logarithm(x: Any) -> Any:
    return torch.linalg.slogdet(x).logabsdet


inv, in_torch_inv = np.linalg.inv, torch.function("linalg.inv")
cholesky, in_torch_cholesky = np.linalg.cholesky, torch.function("linalg.cholesky")

CASES = [
    sides("a vector", A, normal(3)),
    sides("a matrix", A, normal(3, 2)),
    sides("one column", A, normal(3, 1)),
    sides("no columns", A, normal(3, 0)),
    sides("a stack and a vector", STACK, normal(3), of_columns),
    sides("a stack and a matrix", STACK, normal(1, 3, 2)),
    sides("two stacks", STACK, normal(2, 3, 2)),
    sides("a matrix and a stack", A, normal(2, 3, 2)),
    sides("stacks broadcast both ways", STACK[:, None], normal(1, 2, 3, 2)),
    sides("matrices of shape (0, 0)", normal(0, 0), normal(0, 2)),
    sides("1 by 1", normal(1, 1), normal(1)),
    Case(
        "numpy.linalg.solve",
        "a matrix for both",
        lambda x: np.linalg.solve(x, x @ x),
        (A,),
        lambda x: torch.linalg.solve(x, x @ x),
    ),
    one("inv", "a matrix", inv, in_torch_inv, A),
    one("inv", "a stack", inv, in_torch_inv, STACK),
    one("inv", "a stack of two axes", inv, in_torch_inv, MANY),
    one("inv", "1 by 1", inv, in_torch_inv, normal(1, 1)),
    one("inv", "shape (0, 0)", inv, in_torch_inv, normal(0, 0)),
    *(
        one("slogdet", name, logarithm, in_torch_logarithm, x, complex_step=False)
        for name, x in {
            "a matrix": A,
            "a negative determinant": A[[1, 0, 2]],
            "a stack": STACK,
            "1 by 1": normal(1, 1),
            "no matrices": normal(0, 2, 2),
        }.items()
    ),
    one(
        "slogdet",
        "a singular matrix",
        logarithm,
        in_torch_logarithm,
        SINGULAR,
        kink=True,
        twice=False,
        difference="infinite slopes have the signs of the cofactors; in PyTorch the "
        "determinant is -0, so they have the others, and recording them is refused",
    ),
    *(
        one(
            "cholesky",
            name,
            lambda x, upper=upper: cholesky(symmetric(x), upper=upper),
            lambda x, upper=upper: in_torch_cholesky(symmetric(x), upper=upper),
            x,
            complex_step=False,
        )
        for name, x, upper in (
            ("a matrix", A, False),
            ("a stack", STACK, False),
            ("upper=True", A, True),
            ("shape (0, 0)", normal(0, 0), False),
        )
    ),
    *(
        one(
            "cholesky",
            name,
            lambda x, upper=upper: cholesky(x, upper=upper),
            lambda x, upper=upper: in_torch_cholesky(x, upper=upper),
            POSITIVE,
            complex_step=False,
            difference="both read one half of the matrix; here the whole gradient goes "
            "to what was read, as differences find; PyTorch gives either half its part",
        )
        for name, upper in (("the half read", False), ("the half read, upper", True))
    ),
]
