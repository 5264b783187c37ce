"""Finds out by trial how a NumPy function's result depends on the numbers (chapter 24).

The shape and dtype of most functions' results depend on the shapes and dtypes of the
arguments alone, and the rest of a recording may rely on them. NumPy has no table of the
exceptions. So functions are called again with other numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autograd_lib.program.calls.number import TracedNumber, plain
from autograd_lib.program.core.array import TracedArray
from autograd_lib.program.core.ir import applied, replaced
from autograd_lib.program.core.tracer import REDUCTIONS, WRITERS

SURE = {np.where, np.einsum, np.clip, *REDUCTIONS, *WRITERS}
SURE |= {np.vdot, np.dot, np.inner, np.outer, np.linalg.norm, np.mean, np.var}
SURE |= {np.concatenate, np.stack, np.cumsum, np.sort, np.argsort}
"""Functions whose results' shapes are known to depend on shapes alone. (The exception
``np.where(x)`` is tried.)"""
BY_NUMBERS = (np.linalg.LinAlgError, IndexError, ArithmeticError)


def result_of(
    function: Any, given: Any, number: Callable[..., Any], array: Callable[[Any], Any]
) -> Any:
    """Return a function's result for replaced numbers and arrays."""
    args, options = replaced(given, number, TracedNumber)
    args, options = replaced((args, options), lambda x: array(x.array), TracedArray)
    options.pop("out", None)
    with np.errstate(all="ignore"):
        return applied(function, args, options)


def parts_of(result: Any) -> Iterator[Any]:
    """Yield the arrays in a result."""
    yield from result if isinstance(result, tuple | list) else (result,)


def varies(function: Any, args: Any, options: Any, found: list[Any]) -> bool:
    """Return whether other numbers give a result of another shape or dtype.

    Tried are zeros, which are all equal, numbers of both signs, and numbers that no two
    arguments share.
    """
    given = args, options
    known = function in SURE and not (function is np.where and len(args) == 1)
    if known or options.get("out") is not None:
        return False
    expected = [(x.shape, x.dtype) for x in found]
    for other in (np.zeros_like, signed, Distinct()):
        try:
            parts = parts_of(result_of(function, given, plain, other))
            if [(x.shape, x.dtype) for x in parts] != expected:
                return True
        except BY_NUMBERS:
            pass  # no evidence: the program would raise it as well
        except Exception:
            return True
    return False


class Distinct:
    """Returns arrays whose numbers are all different, over all calls as well."""

    def __init__(self) -> None:
        self.first = 1

    def __call__(self, a: Any) -> Any:
        several = np.arange(self.first, self.first + a.size).reshape(a.shape)
        self.first += a.size
        return several.astype(a.dtype)


def signed(a: Any) -> Any:
    """Return an array like `a` with numbers of both signs."""
    places = np.indices(a.shape)
    if a.ndim > 1:  # antisymmetric, since real eigenvalues would be a special case
        number = places[-1] - places[-2] - (a.size == 1)
    else:
        number = sum(places, np.intp(0)) - max(1, a.size // 2)
    return number.astype(a.dtype) * (1 + 1j if a.dtype.kind == "c" else 1)
