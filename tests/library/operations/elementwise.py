"""Cases of functions of one number, which differ in name and inputs only."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.library.operations.case import Case


def elementwise(
    operation: str,
    f: Any,
    x: np.ndarray,
    torch: Any = None,
    method: str = "",
    **options: Any,
) -> list[Case]:
    """Return cases of a function of one number: of several shapes, and as a method.

    Args:
        operation: as in `Case`.
        f: the function.
        x: the inputs, of shape (3, 4).
        torch: the same of PyTorch, or the name of a method of its tensors.
        method: the name of the method of tensors, if there is one.
        options: as in `Case`.
    """
    there = by_name(torch) if isinstance(torch, str) else torch
    inputs = {
        "a matrix": x,
        "shape ()": x[1, 2, ...],
        "three axes, one of length 1": x.reshape(2, 1, 6),
        "shape (0, 3)": x[:0, :3],
    }
    cases = [
        Case(operation, name, f, (np.array(a),), torch=there, **options)
        for name, a in inputs.items()
    ]
    if method:
        as_method = by_name(method)
        name = f"the method {method}"
        cases.append(Case(operation, name, as_method, (x,), torch=there, **options))
    return cases


def by_name(method: str) -> Any:
    """Return a function that calls the method."""
    return lambda x: getattr(x, method)()
