"""Functions that make arrays, and calls of elementwise functions (chapter 09).

An operation that makes an array, or converts its argument to one, calls the function
through `numpy()`. That is NumPy's own, except while `compile` records a function
(chapter 22) and has to note the array. Each thread and asyncio task has its own.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import numpy as np


class Making:
    """NumPy's functions that make an array or a generator without asking an operand."""

    array, asarray, ascontiguousarray = np.array, np.asarray, np.ascontiguousarray
    zeros, empty, ones, full, arange = np.zeros, np.empty, np.ones, np.full, np.arange
    as_strided, default_rng = np.lib.stride_tricks.as_strided, np.random.default_rng

    @staticmethod
    def called(function: Callable[..., float], *numbers: float) -> float:
        """Return a function of Python numbers, such as a schedule of the step."""
        return function(*numbers)


maker: ContextVar[type[Making]] = ContextVar("numpy", default=Making)
numpy = maker.get  # a function around it would take ten times as long


def asked(function: Any, *operands: Any) -> Any:
    """Return ``function(*operands)``, calling an operand's `__array_ufunc__` directly.

    Dispatch through NumPy needs 20 kB of C stack, and a browser has too little for two
    nested dispatches: one for a tensor, and within it one for the tensor's array.
    """
    for x in operands if isinstance(function, np.ufunc) else ():
        kind = type(x)
        if not issubclass(kind, OF_NUMPY) and hasattr(kind, "__array_ufunc__"):
            return x.__array_ufunc__(function, "__call__", *operands)
    return function(*operands)


OF_NUMPY = (np.ndarray, np.generic)
