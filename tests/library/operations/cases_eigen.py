"""Cases of `ops/eigen.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal

EQUAL = np.diag([2.0, 2.0, 5.0])
HALF = (
    "both read one half of the matrix; here the whole gradient goes to what was read, "
    "as differences find; PyTorch gives either half its part"
)


def symmetric(x: Any) -> Any:
    """Return a symmetric matrix made of x, in NumPy and in PyTorch."""
    return x + x.swapaxes(-1, -2)


def squared(vectors: Any) -> Any:
    """Return what does not depend on the signs of the vectors, which are free."""
    return vectors * vectors


def projections(of: Any) -> Any:
    """Return a function of values and vectors together, the same for all signs."""

    def function(x: Any) -> Any:
        w, v = of(symmetric(x))
        return (v * (w * w)[..., None, :]) @ v.swapaxes(-1, -2)

    return function


def here(x: Any, *half: str) -> Any:
    return np.linalg.eigh(x, *half)


def there(x: Any, *half: str) -> Any:
    return torch.linalg.eigh(x, *half)


MATRICES = {
    "a matrix": normal(3, 3),
    "4 by 4": normal(4, 4),
    "a stack": normal(2, 3, 3),
    "1 by 1": normal(1, 1),
    "shape (0, 0)": normal(0, 0),
    "no matrices": normal(0, 2, 2),
}

CASES = [
    *(
        Case(
            "numpy.linalg.eigh",
            f"{part}, {name}",
            lambda x, f=f: f(here(symmetric(x))),
            (x,),
            lambda x, f=f: f(there(symmetric(x))),
            complex_step=False,
            twice=x.shape != (1, 1),
        )
        for name, x in MATRICES.items()
        for part, f in (
            ("values", lambda pair: pair[0] * pair[0]),
            ("vectors", lambda pair: squared(pair[1])),
        )
    ),
    *(
        Case(
            "numpy.linalg.eigh",
            f"values and vectors, {name}",
            projections(here),
            (MATRICES[name],),
            projections(there),
            complex_step=False,
        )
        for name in ("a matrix", "a stack")
    ),
    *(
        Case(
            "numpy.linalg.eigh",
            f"the half read, {half}",
            lambda x, half=half: squared(here(x, half).eigenvectors),
            (symmetric(normal(3, 3)),),
            lambda x, half=half: squared(there(x, half).eigenvectors),
            complex_step=False,
            difference=HALF,
        )
        for half in "LU"
    ),
    *(
        Case(
            "numpy.linalg.eigvalsh",
            name,
            lambda x: np.linalg.eigvalsh(symmetric(x)),
            (x,),
            lambda x: torch.linalg.eigvalsh(symmetric(x)),
            complex_step=False,
            twice=x.shape != (1, 1),
        )
        for name, x in MATRICES.items()
    ),
    Case(
        "numpy.linalg.eigvalsh",
        "the half read, upper",
        lambda x: np.linalg.eigvalsh(x, UPLO="U"),
        (symmetric(normal(3, 3)),),
        lambda x: torch.linalg.eigvalsh(x, UPLO="U"),
        complex_step=False,
        difference=HALF,
    ),
    Case(
        "numpy.linalg.eigvalsh",
        "equal eigenvalues, their sum",
        lambda x: np.linalg.eigvalsh(symmetric(x)).sum(),
        (EQUAL,),
        lambda x: torch.linalg.eigvalsh(symmetric(x)).sum(),
        kink=True,
        twice=False,
        difference="The sum of the eigenvalues is the trace, whose second derivative "
        "is 0. PyTorch divides by the distances of equal eigenvalues, which is NaN.",
    ),
]
