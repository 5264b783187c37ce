"""Where arrays are made, and how an elementwise function is called (chapter 12).

An operation that makes an array, or makes one of what it is given, takes the function
of `numpy()`: that is NumPy's, but while `compile` records a function (chapter 24) it
notes the array as well. Each thread has its own, and so has each task of asyncio.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

import numpy as np


class Making:
    """NumPy's functions that make an array and ask none, and that make a generator."""

    array, asarray, ascontiguousarray = np.array, np.asarray, np.ascontiguousarray
    zeros, empty, ones, full, arange = np.zeros, np.empty, np.ones, np.full, np.arange
    as_strided, default_rng = np.lib.stride_tricks.as_strided, np.random.default_rng


maker: ContextVar[type[Making]] = ContextVar("numpy", default=Making)
numpy = maker.get  # a tenth of the price of a function around it


def asked(function: Any, *operands: Any) -> Any:
    """Return ``function(*operands)``: an operand's answer to an elementwise function.

    To ask for that, NumPy needs 20 kB of C stack. A browser has not enough for two of
    these, one for a tensor and within it one for the tensor's array.
    """
    for x in operands if isinstance(function, np.ufunc) else ():
        kind = type(x)
        if not issubclass(kind, OF_NUMPY) and hasattr(kind, "__array_ufunc__"):
            return x.__array_ufunc__(function, "__call__", *operands)
    return function(*operands)


OF_NUMPY = (np.ndarray, np.generic)
