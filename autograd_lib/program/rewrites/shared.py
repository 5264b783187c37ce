"""What several rewrites need: equal arguments found, numbers as arrays (24)."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.program.core.graph import Value
from autograd_lib.program.core.numpy_calls import Picked

MOST = 2**24  # up to which float32 has all whole numbers
SMALL = 2**16  # bytes; larger constants are calculated again, which is no slower


def key_of(x: Any) -> Any:
    """Return something by which equal arguments are found."""
    if isinstance(x, tuple | list):
        return type(x), tuple(map(key_of, x))
    if isinstance(x, dict):
        return tuple((k, key_of(v)) for k, v in sorted(x.items()))
    if isinstance(x, slice):
        return slice, x.start, x.stop, x.step
    if isinstance(x, Picked):
        return key_of(x.function), x.k
    if isinstance(x, Value) and x.kind == "constant":
        return bytes_of(x.array)
    return type(x), x if isinstance(x, Value) or callable(x) else repr(x)


def bytes_of(a: np.ndarray) -> Any:
    """Return an array of few bytes as something that can be compared, else itself."""
    small = a.nbytes <= 64
    return (a.shape, a.dtype, a.strides, a.tobytes()) if small else id(a)


NAMES = {0.0: "zero", 0.5: "half", 1.0: "one", 2.0: "two", 3.0: "three"}


def as_value(x: Any, dtype: np.dtype[Any], made: dict[Any, Value]) -> Any:
    """Return a number as a constant of a type, if nothing of it is lost by that."""
    if type(x) not in (int, float) or not abs(x) < MOST:
        return x
    key = (repr(float(x)), dtype)
    if key not in made:
        name = NAMES.get(float(x), "number")
        made[key] = Value("constant", np.array(x, dtype), name)
    return made[key]
