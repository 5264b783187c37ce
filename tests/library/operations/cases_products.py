"""Cases of `ops/products.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.library.operations import pytorch as torch
from tests.library.operations.case import Case, normal

DOT = {
    "two vectors": ((3,), (3,)),
    "a number and a matrix": ((), (2, 3)),
    "a matrix and a number": ((2, 3), ()),
    "two numbers": ((), ()),
    "a matrix and a vector": ((2, 3), (3,)),
    "a vector and a matrix": ((3,), (3, 2)),
    "two matrices": ((2, 3), (3, 4)),
    "three axes and a vector": ((2, 2, 3), (3,)),
    "three axes and a matrix": ((2, 2, 3), (3, 2)),
    "a vector and three axes": ((3,), (2, 3, 2)),
    "three axes and three": ((2, 2, 3), (4, 3, 2)),
    "nothing to sum": ((2, 0), (0, 3)),
}
INNER = {
    "two vectors": ((3,), (3,)),
    "a number and a vector": ((), (3,)),
    "a vector and a number": ((3,), ()),
    "two matrices": ((2, 3), (4, 3)),
    "three axes and a vector": ((2, 2, 3), (3,)),
    "nothing to sum": ((2, 0), (3, 0)),
}
TENSORDOT: dict[str, tuple[Any, ...]] = {
    "by default": ((2, 3, 4), (3, 4, 2), 2),
    "axes=1": ((2, 3), (3, 4), 1),
    "axes=0": ((2,), (3, 2), 0),
    "axes=3, all": ((2, 3, 2), (2, 3, 2), 3),
    "a pair of axes": ((2, 3), (4, 2), ([0], [1])),
    "two pairs": ((2, 3, 4), (4, 2, 2), ([0, 2], [1, 0])),
    "two pairs, crossed": ((3, 4, 2), (2, 4, 3), ([2, 0], [0, 2])),
    "three pairs, turned": ((2, 3, 4), (4, 2, 3, 2), ([1, 2, 0], [2, 0, 1])),
    "negative axes": ((2, 3, 4), (4, 2), ([-1, -3], [0, -1])),
    "nothing to sum": ((2, 0), (0, 3), 1),
}
NUMBERS: dict[str, tuple[Any, ...]] = {"two numbers for axes": ((3, 2), (4, 3), (0, 1))}
OUTER = {
    "two vectors": ((2,), (3,)),
    "a number and a vector": ((), (3,)),
    "a vector of none": ((0,), (3,)),
    "two matrices, flattened": ((2, 2), (3, 2)),
}
KRON = {
    "two numbers": ((), ()),
    "a matrix and a number": ((2, 2), ()),
    "two vectors": ((2,), (3,)),
    "two matrices": ((2, 3), (3, 2)),
    "a matrix and a vector": ((2, 2), (3,)),
    "a vector and three axes": ((2,), (2, 1, 3)),
    "a number and a matrix": ((), (2, 2)),
    "a matrix of none": ((0, 2), (2, 2)),
}
VDOT = {"two vectors": ((3,), (3,)), "a matrix and a vector": ((2, 3), (6,))}
A = normal(3, 3)


def in_torch_dot(x: Any, y: Any) -> Any:
    if x.ndim == 0 or y.ndim == 0:
        return x * y
    return torch.tensordot(x, y, ([-1], [-2 if y.ndim > 1 else -1]))


def in_torch_outer(x: Any, y: Any) -> Any:
    return torch.outer(x.reshape(-1), y.reshape(-1))


def in_torch_vdot(x: Any, y: Any) -> Any:
    return torch.vdot(x.reshape(-1), y.reshape(-1))


def cases(
    function: Any, table: Any, in_torch: Any, complex_step: bool = True
) -> list[Case]:
    """Return a case for each pair of shapes, and what comes after them."""
    return [
        Case(
            f"numpy.{function.__name__}",
            name,
            lambda x, y, more=tuple(more): function(x, y, *more),
            (normal(*left), normal(*right, seed=1)),
            lambda x, y, more=tuple(more): in_torch(x, y, *more),
            complex_step=complex_step,
        )
        for name, (left, right, *more) in table.items()
    ]


def in_torch_by_numbers(x: Any, y: Any, axes: Any) -> Any:
    return torch.tensordot(x, y, tuple([axis] for axis in axes))


CASES = [
    Case(
        "numpy.linalg.tensordot",
        "axes=1",
        lambda x, y: np.linalg.tensordot(x, y, axes=1),
        (normal(2, 3), normal(3, 2)),
        lambda x, y: torch.tensordot(x, y, 1),
    ),
    *cases(np.dot, DOT, in_torch_dot),
    *cases(np.inner, INNER, torch.function("inner")),
    *cases(np.tensordot, TENSORDOT, torch.function("tensordot")),
    *cases(np.tensordot, NUMBERS, in_torch_by_numbers),
    *cases(np.outer, OUTER, in_torch_outer),
    *cases(np.kron, KRON, torch.function("kron")),
    # It takes the conjugate of x, of which no complex step can be taken.
    *cases(np.vdot, VDOT, in_torch_vdot, complex_step=False),
    Case("Tensor.dot", "two matrices", lambda x: x.dot(x), (A,), lambda x: x @ x),
    Case(
        "numpy.dot",
        "an array on the left",
        lambda x: np.dot(np.arange(3.0).astype(x.dtype), x),
        (A,),
        lambda x: torch.arange(3, dtype=x.dtype) @ x,
    ),
    Case(
        "numpy.tensordot",
        "a tensor with itself",
        lambda x: np.tensordot(x, x, ([0, 1], [1, 0])),
        (A,),
        lambda x: torch.tensordot(x, x, ([0, 1], [1, 0])),
    ),
]
