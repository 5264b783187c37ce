"""When an object serves a program as well as the one that it was recorded with (24)."""

from __future__ import annotations

from operator import is_
from typing import Any

import numpy as np

EXACT = (int, bool, float, complex, str, bytes, range, type(None), type(...))
"""Types whose objects serve as well as others that are equal."""


def is_exact(x: Any) -> bool:
    """Return whether an equal object of the same type serves as well."""
    return type(x) in EXACT or isinstance(x, np.generic)


def is_plain(x: Any) -> bool:
    """Return whether what is equal, in a set, is the same all through."""
    if isinstance(x, tuple | frozenset):
        return type(x) in (tuple, frozenset) and all(map(is_plain, x))
    return is_exact(x) or isinstance(x, type)


def same_key(a: Any, b: Any) -> bool:
    """Return whether two keys of dictionaries are the same."""
    return a is b or (is_plain(a) and type(a) is type(b) and bool(a == b))


def same_number(now: Any, value: Any) -> bool:
    """Return whether two numbers, or texts, are one to the last bit, and of one type.

    0.0 is not -0.0 here, and NaN is NaN.
    """
    if type(now) is not type(value):
        return False
    if isinstance(now, float | complex | np.generic):
        return repr(now) == repr(value)
    return bool(now == value)


def same_array(now: np.ndarray, value: np.ndarray) -> bool:
    """Return whether two arrays are the same to the last bit."""
    if (now.shape, now.dtype) != (value.shape, value.dtype):
        return False
    if now.dtype.hasobject:
        return all(map(is_, now.flat, value.flat))
    return now.tobytes() == value.tobytes()


def kept(a: np.ndarray) -> tuple[np.ndarray, bytearray | None]:
    """Return a copy of an array, and its bytes, if they can be compared as they lie.

    Of all that Python has, `bytearray` alone compares with an array without a loop and
    without a copy.
    """
    if type(a) is not np.ndarray or not a.flags.c_contiguous or a.dtype.hasobject:
        return a.copy(), None
    held = bytearray(a.tobytes())
    return np.ndarray(a.shape, a.dtype, held), held


def same_bytes(now: np.ndarray, value: np.ndarray, held: bytearray) -> bool:
    """Return whether an array is the same as one whose bytes are held."""
    if (now.shape, now.dtype) != (value.shape, value.dtype):
        return False
    if not now.flags.c_contiguous:
        return held == now.tobytes()
    return held == now.reshape(-1).view(np.uint8)
