"""Cases of `ops/norms.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.operations import pytorch as torch
from tests.operations.case import Case, spread_out

NAME = "numpy.linalg.norm"
X, M, V = (spread_out(*shape) + 0.07 for shape in [(2, 3, 4), (3, 4), (5,)])
VECTOR = (None, 2, 1, np.inf, -np.inf, 3, 1.5, 0.5, -1)
MATRIX = (None, "fro", 1, -1, np.inf, -np.inf)


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
        twice=ord in (None, "fro"),
    )


def at(x: Any, name: str, ord: Any, **options: Any) -> Case:
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
    at(
        [0.0, 0.0, 0.0],
        "at 0",
        None,
        difference="slopes at the tip are 0, the second ones too, as those of |x|; "
        "PyTorch's second ones are NaN",
    ),
    at([0.0, 0.0, 0.0], "ord=1 at 0", 1),
    at([0.0, 2.0, -1.0], "ord=1, one 0", 1),
    at([3.0, -3.0, 1.0], "ord=inf, ties", np.inf),
    at([3.0, -1.0, 1.0], "ord=-inf, ties", -np.inf),
    at([0.0, 2.0, -1.0], "ord=3, one 0", 3),
    at([0.0, 0.0, 0.0], "ord=3 at 0", 3),
]
