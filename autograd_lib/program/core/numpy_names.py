"""NumPy's functions that ask no array, while something is recorded (chapter 24).

Nearly all functions of NumPy let a recorded array speak for itself. A few make arrays
of their own, so no tracer can be asked: `numpy.asarray`, `numpy.zeros` and the like.
The engine takes these of `arrays.numpy()`, which is `Noting` while a recording goes
on: its functions know recorded arrays. NumPy itself stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import Making, maker
from autograd_lib.program.core.array import TracedArray
from autograd_lib.program.core.numpy_calls import is_inside
from autograd_lib.program.core.tracer import Tracer


class Noting:
    """What makes arrays, noted by a tracer."""

    def __init__(self, tracer: Tracer) -> None:
        self.tracer = tracer
        for name in MAKING:
            made = converted if name in CONVERTING else created
            setattr(self, name, partial(made, tracer, getattr(np, name)))

    def default_rng(self, seed: Any) -> np.random.Generator:
        """Return a generator; the numbers of one without a seed would be constants."""
        if seed is None:
            raise self.tracer.refused(
                "a generator without a seed",
                "its numbers would be those of the recording at every call; draw "
                "outside, and pass them as an argument",
            )
        return np.random.default_rng(seed)


MAKING = [name for name in vars(Making) if not hasattr(Noting, name)]
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


@contextmanager
def names_replaced(tracer: Tracer) -> Iterator[None]:
    """Let the library's arrays be those of a tracer."""
    noting: Any = Noting(tracer)
    token = maker.set(noting)
    try:
        yield
    finally:
        maker.reset(token)
