"""Cases of `ops/vector_products.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal
from tests.library.operations.forms import linear

VECTORS: dict[str, tuple[Any, Any, int]] = {
    "two vectors": ((3,), (3,), -1),
    "two stacks": ((2, 3), (2, 3), -1),
    "stacks that broadcast": ((2, 1, 3), (4, 3), -1),
    "axis=0": ((3, 2), (3, 2), 0),
}


def cross(name: str, left: Any, right: Any, f: Any, in_torch: Any) -> Case:
    inputs = normal(*left), normal(*right, seed=1)
    return Case("numpy.cross", name, f, inputs, in_torch)


CASES: list[Case] = [
    Case(
        "numpy.linalg.outer",
        "two vectors",
        np.linalg.outer,
        (normal(2), normal(3)),
        torch.function("outer"),
    ),
    *(
        Case(
            operation,
            name,
            lambda x, y, f=f, axis=axis: f(x, y, axis=axis),
            (normal(*left), normal(*right, seed=1)),
            lambda x, y, axis=axis: torch.linalg.vecdot(x, y, dim=axis),
            # The ufunc takes the conjugate of x, of which no complex step can be taken.
            complex_step=False,
        )
        for operation, f in (
            ("numpy.vecdot", np.vecdot),
            ("numpy.linalg.vecdot", np.linalg.vecdot),
        )
        for name, (left, right, axis) in VECTORS.items()
    ),
    cross("two vectors", (3,), (3,), np.cross, torch.function("linalg.cross")),
    cross("two stacks", (2, 3), (2, 3), np.cross, torch.function("linalg.cross")),
    cross(
        "stacks that broadcast",
        *((2, 1, 3), (4, 3)),
        np.cross,
        lambda x, y: torch.linalg.cross(x, y[None]),
    ),
    cross(
        "axis=0",
        *((3, 2), (3, 2)),
        lambda x, y: np.cross(x, y, axis=0),
        lambda x, y: torch.linalg.cross(x, y, dim=0),
    ),
    cross(
        "an axis for each",
        *((3, 2), (2, 3)),
        lambda x, y: np.cross(x, y, axisa=0, axisb=1, axisc=0),
        lambda x, y: torch.linalg.cross(x, y.mT, dim=0),
    ),
    *linear(
        "numpy.cross",
        "with a constant",
        lambda x: np.cross(np.arange(3.0).astype(x.dtype), x),
        normal(2, 3),
        torch=lambda x: torch.linalg.cross(torch.arange(3.0).to(x)[None], x),
    ),
    Case(
        "numpy.linalg.cross",
        "axis=1",
        lambda x, y: np.linalg.cross(x, y, axis=1),
        (normal(2, 3, 2), normal(2, 3, 2, seed=1)),
        lambda x, y: torch.linalg.cross(x, y, dim=1),
    ),
]
if hasattr(np, "matvec"):  # since NumPy 2.2
    CASES += [
        Case(
            f"numpy.{name}",
            about,
            getattr(np, name),
            (normal(*left), normal(*right, seed=1)),
            in_torch,
            complex_step=name == "matvec",  # vecmat takes the conjugate of the vector
        )
        for name, about, left, right, in_torch in (
            ("matvec", "one", (2, 3), (3,), lambda x, y: x @ y),
            (
                *("matvec", "stacks that broadcast", (2, 2, 3), (4, 1, 3)),
                lambda x, y: (x @ y[..., None])[..., 0],
            ),
            ("vecmat", "one", (2,), (2, 3), lambda x, y: x @ y),
            (
                *("vecmat", "stacks that broadcast", (4, 1, 2), (2, 2, 3)),
                lambda x, y: (x[..., None, :] @ y)[..., 0, :],
            ),
        )
    ]
