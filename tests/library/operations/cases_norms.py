"""Cases of `ops/norms.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, spread_out

NAME = "numpy.linalg.norm"
X, M, V = (spread_out(*shape) + 0.07 for shape in [(2, 3, 4), (3, 4), (5,)])
VECTOR = (None, 2, 1, np.inf, -np.inf, 3, 1.5, 0.5, -1)
MATRIX = (None, "fro", 1, -1, np.inf, -np.inf, 2, -2, "nuc")
SQUARE = spread_out(3, 3) + 2 * np.eye(3)
SMOOTH = (None, "fro", 2, -2, "nuc")


def name_of(ord: Any, axis: Any, keepdims: bool) -> str:
    return f"ord={ord}, axis={axis}" + ", keepdims" * keepdims


def of_vectors(ord: Any, axis: Any, keepdims: bool, x: np.ndarray) -> Case:
    """Return the case of a vector's norm; PyTorch has a function for these."""
    return Case(
        NAME,
        name_of(ord, axis, keepdims) + f", shape {x.shape}",
        lambda x: np.linalg.norm(x, ord, axis, keepdims),
        (x,),
        torch=lambda x: torch.linalg.vector_norm(
            x, 2 if ord is None else ord, axis, keepdims
        ),
        complex_step=False,
        twice=ord in (None, 2, 3, 1.5, 0.5, -1),
    )


def of_matrices(ord: Any, axis: Any, keepdims: bool, x: np.ndarray) -> Case:
    """Return the case of a matrix's norm, and another function for these."""
    return Case(
        NAME,
        name_of(ord, axis, keepdims) + f", matrices in {x.shape}",
        lambda x: np.linalg.norm(x, ord, axis, keepdims),
        (x,),
        torch=lambda x: torch.linalg.matrix_norm(
            x, "fro" if ord is None else ord, axis or (-2, -1), keepdims
        ),
        complex_step=False,
        twice=ord in SMOOTH,
    )


def condition_in_torch(x: Any, p: Any) -> Any:
    """Return the same as PyTorch's `cond`, whose gradient fails for some p.

    It writes into the inverse that the gradient needs.
    """
    if p in (None, 2, -2):
        return torch.linalg.cond(x, p)
    f = torch.linalg.matrix_norm
    return f(x, p) * f(torch.linalg.inv(x), p)


def kink_at(x: Any, name: str, ord: Any, **options: Any) -> Case:
    """Return the case of a point where a norm has a kink."""
    return Case(
        NAME,
        name,
        lambda x: np.linalg.norm(x, ord),
        (np.array(x),),
        torch=lambda x: torch.linalg.vector_norm(x, 2 if ord is None else ord),
        kink=True,
        **options,
    )


CASES = [
    *(of_vectors(ord, None, False, V) for ord in VECTOR),
    *(of_vectors(ord, axis, axis == 1, X) for ord in VECTOR for axis in (1, -1)),
    of_vectors(None, None, True, X),
    of_vectors(None, None, False, spread_out()),
    *(of_matrices(ord, None, False, M) for ord in MATRIX),
    *(of_matrices(ord, (0, -1), False, X) for ord in MATRIX),
    *(of_matrices(ord, (2, 0), True, X) for ord in MATRIX),
    kink_at([0.0, 0.0, 0.0], "at 0", None),
    kink_at([0.0, 0.0, 0.0], "ord=1 at 0", 1),
    kink_at([0.0, 2.0, -1.0], "ord=1, one 0", 1),
    kink_at([3.0, -3.0, 1.0], "ord=inf, ties", np.inf),
    kink_at([3.0, -1.0, 1.0], "ord=-inf, ties", -np.inf),
    kink_at([0.0, 2.0, -1.0], "ord=3, one 0", 3),
    kink_at(
        [0.0, 0.0, 0.0],
        "ord=3 at 0",
        3,
        difference="a kink has no second derivative; PyTorch's is 0",
    ),
]
CASES += [
    Case(
        "numpy.linalg.vector_norm",
        f"ord={ord}, axis={axis}" + ", keepdims" * keepdims,
        lambda x, ord=ord, axis=axis, keepdims=keepdims: np.linalg.vector_norm(
            x, ord=ord, axis=axis, keepdims=keepdims
        ),
        (X,),
        torch=lambda x, ord=ord, axis=axis, keepdims=keepdims: torch.linalg.vector_norm(
            x, ord, axis, keepdims
        ),
        complex_step=False,
        twice=ord in (2, 3),
    )
    for ord in (2, 1, np.inf, 3)
    for axis, keepdims in ((None, False), (1, True), ((0, 2), False), ((2, 0), True))
]
CASES += [
    Case(
        "numpy.linalg.matrix_norm",
        f"ord={ord}" + ", keepdims" * keepdims,
        lambda x, ord=ord, keepdims=keepdims: np.linalg.matrix_norm(
            x, ord=ord, keepdims=keepdims
        ),
        (X,),
        torch=lambda x, ord=ord, keepdims=keepdims: torch.linalg.matrix_norm(
            x, ord, keepdim=keepdims
        ),
        complex_step=False,
        twice=ord in SMOOTH,
    )
    for ord in MATRIX[1:]
    for keepdims in (False, True)
]
CASES += [
    Case(
        "numpy.linalg.cond",
        f"p={p}, shape {x.shape}",
        lambda x, p=p: np.linalg.cond(x, p),
        (x,),
        torch=lambda x, p=p: condition_in_torch(x, p),
        complex_step=False,
        twice=p not in (1, -1, np.inf, -np.inf),
    )
    for p, x in (
        *((p, SQUARE) for p in (None, *MATRIX[1:])),
        *((p, M) for p in (None, -2)),
        *((p, np.stack([SQUARE, SQUARE.T + np.eye(3)])) for p in (2, "fro")),
    )
]
CASES += [
    Case(
        NAME,
        f"ord={ord!r}, equal singular values",
        lambda x, ord=ord: np.linalg.norm(x, ord),
        (np.diag([2.0, -2.0]),),
        torch=lambda x, ord=ord: torch.linalg.matrix_norm(x, ord),
        kink=True,
        twice=False,
    )
    for ord in ("nuc", 2, -2)
]
