"""What a function of NumPy makes of other numbers, found by trial (chapter 24).

Most functions make of arrays of a shape and a type always results of one shape and
type, on which what follows may stand. Which do not is in no table of NumPy's; nor is
whether a number of Python has a type of its own beside arrays. So they are called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autograd_lib.engine.numpy.coercion import memory_of
from autograd_lib.program.calls.number import TracedNumber, as_array, plain
from autograd_lib.program.core.array import TracedArray
from autograd_lib.program.core.graph import applied, replaced, values_in
from autograd_lib.program.core.tracer import REDUCTIONS, WRITERS

SURE = {np.where, np.einsum, np.clip, *REDUCTIONS, *WRITERS}
"""Shapes make shapes here, but with ``np.where(x)``; so these need not be tried."""
BY_NUMBERS = (np.linalg.LinAlgError, IndexError, ArithmeticError)


def result_of(
    function: Any, given: Any, number: Callable[..., Any], array: Callable[[Any], Any]
) -> Any:
    """Return what a function makes, given what stands for numbers and for arrays."""
    args, options = replaced(given, number, TracedNumber)
    args, options = replaced((args, options), lambda x: array(x.array), TracedArray)
    options.pop("out", None)
    with np.errstate(all="ignore"):
        return applied(function, args, options)


def parts_of(result: Any) -> Iterator[Any]:
    """Yield the arrays of a result."""
    yield from result if isinstance(result, tuple | list) else (result,)


def layout(x: Any) -> Any:
    """Return how an array lies in memory, or the type of something else."""
    if isinstance(x, np.ndarray | np.generic):
        return x.shape, x.dtype, x.strides
    return type(x)


def serves(function: Any, given: Any, dtype: Any) -> bool:
    """Return whether arrays of a type serve a function as numbers of Python do.

    They do not where it shows memory, since which part may hang on the number, nor
    where the result lies otherwise for another number.
    """
    memory = [memory_of(x.array) for x in values_in(given, TracedArray)]
    placed = []
    for number in (plain, another):

        def array(n: TracedNumber, of: Any = number) -> np.ndarray:
            return as_array(of(n), dtype)

        try:
            want = list(parts_of(result_of(function, given, number, np.asanyarray)))
            got = list(parts_of(result_of(function, given, array, np.asanyarray)))
        except Exception:  # it is raised again, and noted, if numbers raise it
            return False
        placed += [list(map(layout, want)), list(map(layout, got))]
        views = [x for x in want if isinstance(x, np.ndarray)]
        if any(memory_of(x) is m for x in views for m in memory):
            return False
        if list(map(bits, want)) != list(map(bits, got)):
            return False
    return all(several == placed[0] for several in placed)


def another(n: TracedNumber) -> Any:
    """Return another number of the same type, which no float holds exactly."""
    if type(n.now) is int:
        return n.now + 1
    return n.now + 1 / 3 if type(n.now) is float else n.now


def bits(x: Any) -> Any:
    """Return the bits of an array, or what something else is."""
    return x.tobytes() if isinstance(x, np.ndarray | np.generic) else x


def varies(function: Any, args: Any, options: Any, found: list[Any]) -> bool:
    """Return whether other numbers give a result another shape or type.

    Zeros are tried, which are alike, and numbers on both sides of 0.
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
            pass  # which tells nothing: the program may raise it as well
        except Exception:
            return True
    return False


def signed(a: Any) -> Any:
    """Return an array like another one, of numbers on both sides of 0."""
    places = np.indices(a.shape)
    if a.ndim > 1:  # a matrix of real eigenvalues would be a special one
        number = places[-1] - places[-2] - (a.size == 1)
    else:
        number = sum(places, np.intp(0)) - max(1, a.size // 2)
    return number.astype(a.dtype) * (1 + 1j if a.dtype.kind == "c" else 1)
