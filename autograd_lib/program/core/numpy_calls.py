"""What has to be known of NumPy's functions to note their calls (chapter 24).

Which of them return no array, which write into an argument, whose result has a shape
that depends on numbers; and how a call is made with the arrays of recorded ones.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib.program.core.array import TracedArray
from autograd_lib.program.core.graph import replaced, values_in

REDUCTIONS: dict[Any, np.ufunc] = {
    np.sum: np.add,
    np.prod: np.multiply,
    np.max: np.maximum,
    np.min: np.minimum,
    np.any: np.logical_or,
    np.all: np.logical_and,
}
SIZES: tuple[Any, ...] = (
    np.shape,
    np.ndim,
    np.size,
    np.may_share_memory,
    np.shares_memory,
)
SIZES = (*SIZES, np.result_type, np.can_cast, np.iscomplexobj, np.isrealobj)
TEXTS = (np.array2string, np.array_repr, np.array_str)
WRITERS = (np.copyto, np.put, np.place, np.putmask, np.put_along_axis, np.fill_diagonal)
OF_VALUES: tuple[Any, ...] = (
    np.nonzero,
    np.flatnonzero,
    np.argwhere,
    np.unique,
    np.extract,
)
OF_VALUES = (*OF_VALUES, np.compress, np.delete, np.repeat, np.trim_zeros, np.bincount)
BASIC = (slice, int, type(None), type(...))
USUAL = {"subok": True, "where": True, "order": "K", "casting": "same_kind"}


class Changed(Exception):
    """Says that a program does not hold for these numbers, though for their shapes."""


class Picked:
    """A function of NumPy that returns several arrays, of which one is meant."""

    def __init__(self, function: Callable[..., Any], k: int) -> None:
        self.function, self.k, self.__name__ = function, k, f"{function.__name__}"

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self.function(*args, **options)[self.k]


def like(result: Any, parts: list[Any]) -> Any:
    """Return parts in a tuple or list like a result."""
    return result._make(parts) if hasattr(result, "_make") else type(result)(parts)


def differs(a: np.ndarray, b: np.ndarray) -> bool:
    """Return whether two arrays of one shape hold other bits."""
    return a.tobytes() != b.tobytes()


def check(of: Callable[..., Any], expected: Any, *args: Any) -> None:
    """Raise Changed if something is not as it was in the recording."""
    found = of(*args)
    if found != expected and not (found != found and expected != expected):
        raise Changed(f"{getattr(of, '__name__', of)} was {expected}, is {found}")


def plain(x: Any) -> Any:
    """Return arguments with arrays for recorded ones."""
    return replaced(x, lambda r: r.array, TracedArray)


def arrays_in(x: Any) -> list[TracedArray]:
    """Return the recorded arrays in arguments."""
    return list(values_in(x, TracedArray))


def is_inside(x: Any) -> bool:
    """Return whether there is a recorded array in arguments."""
    return bool(arrays_in(x))


def diagonal(a: np.ndarray, *place: int, **options: int) -> np.ndarray:
    """Return a diagonal as a view that can be written into, unlike NumPy's."""
    part = a.diagonal(*place, **options)
    part.flags.writeable = a.flags.writeable
    return part


def is_number(x: Any) -> bool:
    """Return whether it stands for a number of NumPy, which cannot be written into."""
    return type(x) is TracedArray and isinstance(x.array, np.generic)


def usual(key: str, value: Any) -> bool:
    """Return whether an option says what NumPy does without it."""
    if value is np._NoValue:
        return True
    return key in USUAL and type(value) is type(USUAL[key]) and value == USUAL[key]


def tidy(options: dict[str, Any], a: Any, ufunc: np.ufunc) -> dict[str, Any]:
    """Return the options of a reduction in one form for what is the same."""
    axis = options.get("axis", 0)
    ndim = np.ndim(a)
    if axis is not None and ndim:
        several = axis if isinstance(axis, tuple) else (axis,)
        axes = tuple(operator.index(i) % ndim for i in several)
        axis = None if len(axes) == ndim else axes[0] if len(axes) == 1 else axes
    made: dict[str, Any] = {"axis": axis}
    if options.get("dtype") is not None:
        made["dtype"] = np.dtype(options["dtype"])
    if options.get("keepdims"):
        made["keepdims"] = True
    if options.get("initial") is not None:
        needed = ufunc is not np.maximum or options["initial"] != -np.inf
        if needed or not np.size(a):
            made["initial"] = options["initial"]
    if "where" in options:
        made["where"] = options["where"]
    return made
