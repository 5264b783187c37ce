"""NumPy's functions that ask no array, while something is recorded (chapter 24).

Nearly all functions of NumPy let a recorded array speak for itself. A few make arrays
of their own, so no tracer can be asked: `numpy.asarray`, `numpy.zeros` and the like.
The engine takes these of `arrays.numpy()`, which is `Noting` while a recording goes
on: its functions know recorded arrays. NumPy itself stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from threading import RLock
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import Making, maker, numpy
from autograd_lib.program.core.array import TracedArray
from autograd_lib.program.core.numpy_calls import is_inside
from autograd_lib.program.core.tracer import Tracer

_lock = RLock()
_open: list[Tracer] = []
_default_rng = np.random.default_rng


class Noting:
    """What makes arrays, noted by a tracer."""

    def __init__(self, tracer: Tracer) -> None:
        self.tracer = tracer
        for name in (n for n in vars(Making) if n[0] != "_"):
            made = converted if name in CONVERTING else created
            setattr(self, name, partial(made, tracer, getattr(np, name)))


CONVERTING = ("array", "asarray", "ascontiguousarray")


def converted(
    tracer: Tracer, function: Any, x: Any, dtype: Any = None, **options: Any
) -> Any:
    """Return an array of anything, also of recorded arrays."""
    copies = function is np.array
    if type(x) is TracedArray:
        if not copies:
            options.pop("copy", None)
        y = function(x.array, dtype, **options)
        if y is x.array:
            return x
        given = {} if dtype is None else {"dtype": np.dtype(dtype)}
        return tracer.note(function, function.__name__, (x,), given | options, y)
    if type(x) in (list, tuple) and is_inside(x):
        return np.stack([converted(tracer, function, item, dtype) for item in x])
    if copies and type(x) is np.ndarray and "order" not in options:
        # A tensor's own: it may be read at recorded places, or written into.
        args = (x,) if dtype is None else (x, dtype)
        return tracer.create(function, "array", args, options)
    return function(x, dtype, **options)


def created(tracer: Tracer, function: Any, *args: Any, **options: Any) -> Any:
    """Return an array that recorded numbers can go into."""
    if is_inside((args, options)):
        return function(*args, **options)
    return tracer.create(function, function.__name__, args, options)


def seeded(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return `numpy.random.default_rng` for those who give it a seed."""

    @wraps(original)
    def default_rng(seed: Any = None) -> Any:
        made: Any = numpy()
        if seed is None and isinstance(made, Noting):
            raise made.tracer.refused(
                "numpy.random.default_rng() without a seed",
                "its numbers would be those of the recording at every call; draw "
                "outside, and pass them as an argument",
            )
        return original(seed)

    return default_rng


@contextmanager
def names_replaced(tracer: Tracer) -> Iterator[None]:
    """Let the engine's arrays be those of a tracer."""
    with _lock:
        np.random.default_rng = seeded(_default_rng)
        _open.append(tracer)
    made: Any = Noting(tracer)
    token = maker.set(made)
    try:
        yield
    finally:
        maker.reset(token)
        with _lock:
            _open.remove(tracer)
            if not _open:
                np.random.default_rng = _default_rng
