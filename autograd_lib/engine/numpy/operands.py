"""Error messages about operands (chapter 10)."""

from __future__ import annotations

import sys
import warnings
from types import CodeType, FrameType
from typing import Any

import numpy as np

ALIASES = {
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "divide",
    "pow": "power",
    "at_least": "clip",
    "at_most": "clip",
    "choose": "where",
    "replace": "nan_to_num",
    "logistic": "sigmoid",
    "log_one_plus_exp": "softplus",
    "normal_below": "gelu",
    "error_function": "erf",
    "times_transpose": "matmul",
    "transpose_times": "matmul",
}
"""The names of operations by the names of the functions that calculate them."""


def operation_name(function: Any) -> str:
    """Return the name of the operation that a function calculates, or is part of."""
    function = getattr(function, "func", function)  # functools.partial
    name = getattr(function, "__name__", "an operation")
    return ALIASES.get(name, name)


def unlike_shapes(name: str, error: Exception, *operands: Any) -> Exception:
    """Return the error of an elementwise operation whose operands don't broadcast.

    Args:
        name: the operation.
        error: NumPy's error, which is returned if the shapes aren't the cause.
        operands: arrays or numbers.
    """
    shapes = [np.shape(x) for x in operands]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        return ValueError(
            f"{name}: shapes {' and '.join(map(str, shapes))} do not broadcast; "
            "counted from the last axis, lengths must be equal, or one of them 1: "
            "x[:, None] has one more axis, and np.reshape gives another shape"
        )
    return error


def refuse_subclass(what: str, x: Any) -> None:
    """Check that `x`, or an item of a list `x`, isn't an array with its own arithmetic.

    Raises:
        TypeError: if it is: an array with a mask, or with units, or a matrix.
    """
    kind = type(x)
    if kind is list or kind is tuple:
        for item in x if any(map(may_be_array, set(map(type, x)))) else ():
            refuse_subclass(what, item)
    elif issubclass(kind, np.ma.MaskedArray | np.matrix) or (
        issubclass(kind, np.ndarray)
        and kind.__array_ufunc__ is not np.ndarray.__array_ufunc__
    ):
        raise TypeError(
            f"{what} is a {kind.__name__}, and what that has beyond its numbers would "
            "be lost; np.asarray(x) is the bare array, and np.where takes a mask"
        )


def may_be_array(kind: type) -> bool:
    """Return whether an instance of this class is an array or may contain one."""
    return issubclass(kind, np.ndarray | list | tuple)


def truth(value: Any, name: str) -> bool:
    """Return a truth value as a bool.

    Raises:
        TypeError: if it isn't True or False.
    """
    if isinstance(value, bool | np.bool):
        return bool(value)
    raise TypeError(
        f"{name} is True or False, got {value!r:.60}; several numbers are given to "
        "Tensor in a list, such as Tensor([2.0, 3.0])"
    )


def explained(function: Any, error: Exception, *operands: Any) -> Exception:
    """Return the error of a function of NumPy that failed on its operands."""
    return unlike_shapes(operation_name(function), error, *operands)


warned_at: set[tuple[str, int]] = set()
"""The lines, as file and number, for which a model has warned of float64."""


def warn_of_float64(what: str, way: str, above: CodeType | None = None) -> None:
    """Warn, at the user's line, that float32 has become float64.

    That is NumPy's rule for mixed types. It is rarely meant, and nothing else shows it.

    Args:
        what: the cause, for the message.
        way: what to write instead.
        above: a function of the package whose outermost call is in the user's line,
            which is warned about once; by default it is the first line outside the
            package.
    """
    line, frame, inside = None, sys._getframe(1), True
    while frame.f_back is not None and (line is None or above is not None):
        inside = inside or frame.f_code is above
        frame = frame.f_back
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if inside and package not in ("autograd_lib", "numpy"):
            line, inside = frame, False
    if line is None:
        return
    place = (line.f_code.co_filename, line.f_lineno)
    if above is not None:
        if place in warned_at:
            return
        warned_at.add(place)
    warnings.warn_explicit(
        f"{what}, so float32 has become float64, which takes twice the memory and "
        f"about twice the time; {way}",
        UserWarning,
        *place,
        registry=line.f_globals.setdefault("__warningregistry__", {}),
    )


PACKAGE = "autograd_lib.engine"
ELSEWHERE = ("Module.__call__", "writing.<locals>.operator", "Pass.run")
"""Functions around an operation that warn themselves, write into float32, or go back
through what was warned of."""


def widened(function: Any, *operands: Any) -> None:
    """Warn if an operand of float64, or of integers, has widened one of float32.

    Inside a module `nn.mistakes` warns, who knows its parameters; but of a number of
    type np.float64 it could not tell.
    """
    types = {np.dtype(x.dtype) for x in operands if hasattr(x, "dtype")}
    wider = [t for t in types if np.result_type(t, np.float32) == np.float64]
    if np.dtype(np.float32) not in types or not wider:
        return
    name = operation_name(function)
    if any(type(x) is np.float64 for x in operands):
        what = f"{name}: a number of type np.float64 met a tensor of float32"
        way = "write float(number), as numbers of Python keep the tensor's type"
        warn_of_float64(what, way)
        return
    first = sys._getframe(2)  # of the operation
    modules = (first.f_globals.get("__name__"), f"{PACKAGE}.numpy.protocol")
    frame: FrameType | None = first
    while frame is not None and frame.f_globals.get("__name__") in modules:
        frame = frame.f_back
    if frame is None or str(frame.f_globals.get("__name__", "")).startswith(PACKAGE):
        return  # part of another operation, which knows what it does
    while frame is not None:
        if frame.f_code.co_qualname in ELSEWHERE:
            return
        frame = frame.f_back
    warn_of_float64(
        f"{name}: an operand of {wider[0]} met one of float32",
        "convert it once, as x.astype(np.float32), or make all of them float64",
    )
