"""The forms that many operations have in common, as cases."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from tests.library.operations.case import Case

AXES = (None, 0, -1, (0, 2), (-1, -3))


def over_axes(
    operation: str, f: Any, torch: Any, x: np.ndarray, axes: Any = AXES, **options: Any
) -> list[Case]:
    """Return a case for each axis, or axes, and for keepdims."""
    return [
        Case(
            operation,
            f"axis={axis}" + ", keepdims" * keepdims,
            partial(f, axis=axis, keepdims=keepdims),
            (x,),
            torch=partial(torch, dim=axis, keepdim=keepdims),
            **options,
        )
        for axis in axes
        for keepdims in (False, True)
    ]


def one_by_one(f: Any) -> Callable[..., Any]:
    """Make a reduction of PyTorch, which knows one axis only, one over several."""

    def over_all(x: Any, dim: Any = None, keepdim: bool = False) -> Any:
        several = tuple(range(x.ndim)) if dim is None else dim
        several = several if isinstance(several, tuple) else (several,)
        axes = sorted(axis % x.ndim for axis in several)
        for axis in axes:
            x = f(x, dim=axis, keepdim=True)
        return x if keepdim else x.squeeze(tuple(axes))

    return over_all


def linear(
    operation: str, name: str, f: Any, *inputs: np.ndarray, torch: Any, **options: Any
) -> list[Case]:
    """Return a case of a linear operation, and one of its square.

    The first is about the derivative. In the second it depends on the inputs, so that
    the derivative of the rule, 0 in the first, is there to be tested.
    """
    return [
        Case(operation, name, f, inputs, torch=torch, twice=False, **options),
        Case(
            operation, f"{name}, squared", square(f), inputs, square(torch), **options
        ),
    ]


def square(f: Any) -> Any:
    """Return the function that gives the square of what f gives."""
    if f is None:
        return None

    def squared(*xs: Any) -> Any:
        y = f(*xs)
        return y * y

    return squared
