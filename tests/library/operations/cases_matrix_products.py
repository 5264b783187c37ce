"""Cases of `ops/matrix_products.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal

A, STACK = normal(3, 3) + 2 * np.eye(3), normal(2, 3, 3) + 2 * np.eye(3)
CHAINS = {
    "two matrices": ((2, 3), (3, 4)),
    "three, the right two first": ((2, 3), (3, 2), (2, 1)),
    "three, the left two first": ((1, 2), (2, 3), (3, 2)),
    "five": ((2, 4), (4, 1), (1, 3), (3, 2), (2, 2)),
    "a row, a matrix and a column": ((2,), (2, 3), (3,)),
    "two vectors": ((3,), (3,)),
    "matrices of none": ((2, 0), (0, 3), (3, 1)),
}


def several(f: Any) -> Any:
    """Return the function of several arrays that f is of a list of them."""
    return lambda *arrays: f(arrays)


CASES: list[Case] = [
    *(
        Case(
            "numpy.linalg.matrix_power",
            f"n={n}, {name}",
            lambda x, n=n: np.linalg.matrix_power(x, n),
            (x,),
            lambda x, n=n: torch.linalg.matrix_power(x, n),
            twice=n not in (0, 1),
        )
        for name, x in (("a matrix", A), ("a stack", STACK))
        for n in (0, 1, 2, 3, 6, -1, -3)
    ),
    *(
        Case(
            "numpy.linalg.multi_dot",
            name,
            several(np.linalg.multi_dot),
            tuple(normal(*shape, seed=i) for i, shape in enumerate(shapes)),
            several(torch.function("linalg.multi_dot")),
        )
        for name, shapes in CHAINS.items()
    ),
]
