"""Finds out by trial how a NumPy function's result depends on the numbers (chapter 24).

The shape and dtype of most functions' results depend on the shapes and dtypes of the
arguments alone, and the rest of a recording may rely on them. NumPy has no table of the
exceptions, nor of the functions in which a Python number is weakly typed. So functions
are called again with other numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autograd_lib.engine.numpy.coercion import memory_of
from autograd_lib.program.calls.number import TracedNumber, as_array, plain
from autograd_lib.program.core.array import TracedArray
from autograd_lib.program.core.ir import applied, replaced, values_in
from autograd_lib.program.core.tracer import REDUCTIONS, WRITERS

SURE = {np.where, np.einsum, np.clip, *REDUCTIONS, *WRITERS}
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


def layout(x: Any) -> Any:
    """Return the layout of an array, or the type of another result."""
    if isinstance(x, np.ndarray | np.generic):
        return x.shape, x.dtype, x.strides
    return type(x)


def serves(function: Any, given: Any, dtype: Any) -> bool:
    """Return whether a function treats 0-d arrays of `dtype` like Python numbers.

    It doesn't if the result is a view, which the number may select, or if another
    number changes the result's layout.
    """
    memory = [memory_of(x.array) for x in values_in(given, TracedArray)]
    placed = []
    for number in (plain, another):

        def array(n: TracedNumber, of: Any = number) -> np.ndarray:
            return as_array(of(n), dtype)

        try:
            want = list(parts_of(result_of(function, given, number, np.asanyarray)))
            got = list(parts_of(result_of(function, given, array, np.asanyarray)))
        except Exception:  # raised again, and noted, by the actual call
            return False
        placed += [list(map(layout, want)), list(map(layout, got))]
        views = [x for x in want if isinstance(x, np.ndarray)]
        if any(memory_of(x) is m for x in views for m in memory):
            return False
        if list(map(bits, want)) != list(map(bits, got)):
            return False
    return all(several == placed[0] for several in placed)


def another(n: TracedNumber) -> Any:
    """Return another number of the same type, not exact in binary if a float."""
    if type(n.now) is int:
        return n.now + 1
    return n.now + 1 / 3 if type(n.now) is float else n.now


def bits(x: Any) -> Any:
    """Return the bytes of an array, or another result itself."""
    return x.tobytes() if isinstance(x, np.ndarray | np.generic) else x


def varies(function: Any, args: Any, options: Any, found: list[Any]) -> bool:
    """Return whether other numbers give a result of another shape or dtype.

    Tried are zeros, which are all equal, and numbers of both signs.
    """
    given = args, options
    known = function in SURE and not (function is np.where and len(args) == 1)
    if known or options.get("out") is not None:
        return False
    expected = [(x.shape, x.dtype) for x in found]
    for other in (np.zeros_like, signed):
        try:
            parts = parts_of(result_of(function, given, plain, other))
            if [(x.shape, x.dtype) for x in parts] != expected:
                return True
        except BY_NUMBERS:
            pass  # no evidence: the program would raise it as well
        except Exception:
            return True
    return False


def signed(a: Any) -> Any:
    """Return an array like `a` with numbers of both signs."""
    places = np.indices(a.shape)
    if a.ndim > 1:  # antisymmetric, since real eigenvalues would be a special case
        number = places[-1] - places[-2] - (a.size == 1)
    else:
        number = sum(places, np.intp(0)) - max(1, a.size // 2)
    return number.astype(a.dtype) * (1 + 1j if a.dtype.kind == "c" else 1)
