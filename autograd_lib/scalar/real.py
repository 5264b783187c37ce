"""The definition of a real number in this package (chapter 01)."""

from __future__ import annotations

import math
import sys
from numbers import Real
from typing import TYPE_CHECKING, Any

# Scalars need no NumPy: if it isn't loaded, no argument can be an array.
if TYPE_CHECKING:
    import numpy as np

    Number = float | int | np.floating[Any] | np.integer[Any]
    """The numbers of the scalar chapters: Python's and NumPy's real scalars."""
else:
    Number = float


def real(where: str, argument: str, value: Any) -> float:
    """Return `value` as a float, or raise an error that names the argument.

    Accepts Python's and NumPy's real scalars and arrays of shape (). Text, None,
    complex numbers and longer arrays are refused, although `float()` accepts some of
    them; so is NaN, from which no derivative follows.

    Raises:
        TypeError: if `value` is not one real number.
        ValueError: if `value` is NaN.
        OverflowError: if `value` is an integer too large for a float.
    """
    value = unwrapped(value)
    if is_array(value):
        raise TypeError(
            f"{where}: {argument} must be one real number, got an array of shape "
            f"{value.shape}; call it once for each element"
        )
    if not isinstance(value, Real):
        hint = _HINTS.get(
            type(value).__name__, f"pass a float, not {type(value).__name__}"
        )
        raise TypeError(
            f"{where}: {argument} must be one real number, got {value!r}; {hint}"
        )
    try:
        number = float(value)
    except OverflowError as error:
        raise OverflowError(
            f"{where}: {argument} is larger than any float; scale it down"
        ) from error
    if math.isnan(number):
        raise ValueError(
            f"{where}: {argument} is nan (not a number); "
            "find the operation that produced it, such as inf - inf or 0 * inf"
        )
    return number


def unwrapped(value: Any) -> Any:
    """Return the number in an array of shape (), and anything else unchanged."""
    return value[()] if is_array(value) and value.shape == () else value


def is_array(value: object) -> bool:
    """Return whether `value` is a NumPy array."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.ndarray)


_COMPLEX = "take its real part, or differentiate real functions only"
_HINTS = {
    "str": "convert text with float(...) first",
    "NoneType": "did a function forget its return?",
    "complex": _COMPLEX,
    "complex64": _COMPLEX,
    "complex128": _COMPLEX,
}


def callable_with(
    where: str, argument: str, function: object, *parameters: str
) -> None:
    """Check that `function` takes as many positional arguments as `parameters` names.

    A function without a signature, such as some built-in ones, passes the check.

    Raises:
        TypeError: if `function` is not callable, or not with that many arguments.
    """
    import inspect  # a third of the time that importing this package would take

    called = f"called as {argument}({', '.join(parameters)})"
    if not callable(function):
        raise TypeError(
            f"{where}: {argument} must be a function, {called}, got {function!r}"
        )
    try:
        signature = inspect.signature(function)
    except ValueError:
        return
    try:
        signature.bind(*parameters)
    except TypeError as error:
        raise TypeError(
            f"{where}: {argument} is {called}, but {name_of(function)} takes "
            f"{signature}"
        ) from error


def name_of(function: object) -> str:
    """Return the name that messages and drawings use for `function`."""
    return getattr(function, "__name__", type(function).__name__)
