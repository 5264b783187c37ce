"""NumPy's functions that ask no array, while something is recorded (chapter 24).

Nearly all functions of NumPy let a recorded array speak for itself. A few make arrays
of their own, so no tracer can be asked: `numpy.asarray`, `numpy.zeros` and the like.
While a recording goes on, the name `np` in the engine's modules stands for `NUMPY`,
which has functions for these that know recorded arrays, and elementwise functions that
need less stack to ask one. Other threads get from it what NumPy returns. NumPy itself
stays as it is: compiled code relies on its functions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from threading import RLock
from typing import Any

import numpy as np

from autograd_lib.program.core.array import TracedArray, ask
from autograd_lib.program.core.numpy_calls import is_inside
from autograd_lib.program.core.tracer import Tracer, current

_lock = RLock()
_open: list[Tracer] = []
_own: list[tuple[Any, str, Any]] = []


def converting(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that makes arrays of anything, also of recorded ones."""
    copies = original.__name__ == "array"

    @wraps(original)
    def convert(x: Any, *args: Any, **options: Any) -> Any:
        tracer = current.get()
        if tracer is None:
            return original(x, *args, **options)
        if type(x) is TracedArray:
            return converted(original, copies, x, *args, **options)
        if type(x) in (list, tuple) and is_inside(x):
            dtype = options.get("dtype", args[0] if args else None)
            return np.stack([convert(item, dtype) for item in x])
        if copies and type(x) is np.ndarray and "order" not in options:
            # A tensor's own: it may be read at recorded places, or written into.
            return tracer.create(original, "array", (x, *args), options)
        return original(x, *args, **options)

    return convert


def converted(
    original: Any, copies: bool, x: TracedArray, dtype: Any = None, **options: Any
) -> Any:
    """Return a recorded array in another form, or a copy of it."""
    if sys._getframe(2).f_code.co_name == "__array__":  # of a tensor
        raise x.tracer.refused_array(x)
    if not copies:
        options.pop("copy", None)
    y = original(x.array, dtype, **options)
    if y is x.array:
        return x
    given = {} if dtype is None else {"dtype": np.dtype(dtype)}
    return x.tracer.note(original, original.__name__, (x,), given | options, y)


def creating(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that makes an array which recorded numbers can go into."""

    @wraps(original)
    def create(*args: Any, **options: Any) -> Any:
        tracer = current.get()
        if tracer is None or is_inside((args, options)):
            return original(*args, **options)
        return tracer.create(original, original.__name__, args, options)

    return create


class Asking:
    """An elementwise function of NumPy that asks recorded arrays by itself."""

    def __init__(self, ufunc: np.ufunc) -> None:
        self.ufunc, self.__name__ = ufunc, ufunc.__name__

    def __call__(self, *inputs: Any, **options: Any) -> Any:
        return ask(self.ufunc, *inputs, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.ufunc, name)


class Numpy:
    """NumPy, but that some functions know recorded arrays."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        return Asking(found) if isinstance(found, np.ufunc) else found


NUMPY = Numpy()
for _name in ("array", "asarray", "asanyarray", "ascontiguousarray"):
    setattr(NUMPY, _name, converting(getattr(np, _name)))
for _name in ("zeros", "empty", "ones", "full", "arange"):
    setattr(NUMPY, _name, creating(getattr(np, _name)))


def seeded(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return `numpy.random.default_rng` for those who give it a seed."""

    @wraps(original)
    def default_rng(seed: Any = None) -> Any:
        tracer = current.get()
        if seed is None and tracer is not None:
            raise tracer.refused(
                "numpy.random.default_rng() without a seed",
                "its numbers would be those of the recording at every call; draw "
                "outside, and pass them as an argument",
            )
        return original(seed)

    return default_rng


def replaced_names() -> Iterator[tuple[Any, str, Any]]:
    """Yield what stands for something else meanwhile: in what, the name, and what."""
    for name, module in list(sys.modules.items()):
        own = name.startswith("autograd_lib.program.")
        engine = name.startswith("autograd_lib.") and not own
        if engine and vars(module).get("np") is np:
            yield module, "np", NUMPY
    yield np.random, "default_rng", seeded(np.random.default_rng)


@contextmanager
def names_replaced(tracer: Tracer) -> Iterator[None]:
    """Let the engine's `np` know recorded arrays, until the last recording ends."""
    with _lock:
        if not _open:
            for module, name, new in replaced_names():
                _own.append((module, name, getattr(module, name)))
                setattr(module, name, new)
        _open.append(tracer)
    token = current.set(tracer)
    try:
        yield
    finally:
        current.reset(token)
        with _lock:
            _open.remove(tracer)
            while _own and not _open:
                setattr(*_own.pop())
