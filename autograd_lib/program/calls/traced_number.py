"""Python numbers in a program, such as a step count or ``loss.item()`` (chapter 22).

`TracedNumber` stands for one while a program is recorded. Arithmetic with other Python
numbers is recorded as Python performs it. In an operation with an array it becomes a
0-d array of the dtype that NumPy would choose. Where Python asks for its truth, the
outcome is recorded as a check. Code that asks for the concrete number of an input gets
a check that it is the same; of a result, it is refused.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from types import BuiltinFunctionType
from typing import Any

import numpy as np

from autograd_lib.program.core.array import TracedArray
from autograd_lib.program.core.ir import Value
from autograd_lib.program.words.origins import asked_by_library

PYTHON = (int, float, bool)
NUMBERS = (int, float)
LOCK = Lock()


class TracedNumber:
    """Stands for a Python number of a program, and records arithmetic with it.

    Attributes:
        tracer: records the arithmetic.
        now: the concrete number of this recording.
        value: its value in the program.
        free: whether it depends on numbers alone, not on arrays.
    """

    __slots__ = ("free", "now", "tracer", "value")

    def __init__(self, tracer: Any, now: Any, value: Value, free: bool) -> None:
        self.tracer, self.now, self.value, self.free = tracer, now, value, free

    __class__ = property(lambda self: type(self.now))

    __array_ufunc__: Any = TracedArray.__array_ufunc__
    __array_function__: Any = TracedArray.__array_function__

    def asked(self, what: str = "a plain number") -> Any:
        """Return the concrete number, and let the program check that it is the same."""
        if not self.free:
            raise self.tracer.refused(
                f"{what} of a number that the program calculates",
                "it would be the recording's at every call: write .item(), calculate "
                "with what that returns as it is, with math.… or NumPy, and write it "
                "in f-strings, not with %",
            )
        self.tracer.check(exactly, self, exactly(self.now))
        return self.now

    def __bool__(self) -> bool:
        self.tracer.check(bool, self, bool(self.now))
        return bool(self.now)

    def __deepcopy__(self, memo: Any) -> TracedNumber:
        return self

    def __copy__(self) -> TracedNumber:
        return self

    def __array__(self, *dtype: Any, copy: Any = None) -> np.ndarray:
        return np.array(self.asked("an array"), *dtype)

    def __round__(self, *digits: Any) -> Any:
        return calculated(round, self, *digits)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __repr__(self) -> str:
        return str(self.text(repr))

    def __format__(self, spec: str) -> str:
        return str(self.text(format, spec))

    def text(self, function: Callable[..., str], *args: Any) -> str:
        """Return text; if it shows a result, the function runs itself here."""
        if not asked_by_library():
            if self.free:
                self.tracer.shown.append(self)
            else:
                self.tracer.speaks("shows a number that the program calculates")
        return function(self.now, *args)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.asked(), name)


def exactly(x: Any) -> Any:
    """Return a key of a number that distinguishes 0.0 from -0.0."""
    return x if type(x) is int else repr(x)


def beside(x: Any) -> list[Any]:
    """Return the dtypes of arrays in arguments, and the Python numbers."""
    if type(x) is tuple or type(x) is list:
        return [kind for item in x for kind in beside(item)]
    if type(x) is TracedNumber:
        return [x.now]
    if type(x) in PYTHON:
        return [x]
    return [x.dtype] if hasattr(x, "dtype") else []


def as_array(number: Any, dtype: Any = None) -> np.ndarray:
    """Return a Python number as a 0-d array."""
    return np.array(number, dtype)


def is_long(x: Any) -> bool:
    """Return whether it is an int beyond 64 bits."""
    return type(x) is int and not -(2**63) <= x < 2**63


def calculated(function: Callable[..., Any], *args: Any) -> Any:
    """Execute and record arithmetic on Python numbers."""
    numbers = [x for x in args if type(x) is TracedNumber]
    now = function(*map(plain, args))
    if type(now) not in PYTHON or is_long(now):
        return function(*[x.asked() if type(x) is TracedNumber else x for x in args])
    tracer, free = numbers[0].tracer, all(x.free for x in numbers)
    return TracedNumber(tracer, now, tracer.number_made(function, args, now), free)


def plain(x: Any) -> Any:
    """Return the concrete number."""
    return x.now if type(x) is TracedNumber else x


def operation(function: Callable[..., Any], reflected: bool = False) -> Any:
    """Return an operator method by `calculated`."""

    def operate(*args: Any) -> Any:
        if not all(type(x) is TracedNumber or type(x) in PYTHON for x in args):
            return NotImplemented
        return calculated(function, *(args[::-1] if reflected else args))

    return operate


FUNCTIONS = {k: f for k, f in vars(math).items() if isinstance(f, BuiltinFunctionType)}
_open = [0]  # recordings that are going on, by any thread


def recording(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of `math` that records calls with traced numbers."""

    def function(*args: Any, **options: Any) -> Any:
        if options or not any(type(x) is TracedNumber for x in args):
            return f(*args, **options)
        return calculated(f, *args)

    return function


@contextmanager
def traced_math() -> Iterator[None]:
    """Let the functions of `math` record calls with traced numbers."""
    with LOCK:
        _open[0] += 1
        if _open[0] == 1:
            vars(math).update({k: recording(f) for k, f in FUNCTIONS.items()})
    try:
        yield
    finally:
        with LOCK:
            _open[0] -= 1
            if not _open[0]:
                vars(math).update(FUNCTIONS)


def question(name: str, function: Callable[..., Any]) -> Any:
    """Return a method that uses the concrete number."""
    return lambda self, *args: function(self.asked(name), *args)


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
    _function = getattr(operator, _name)
    setattr(TracedNumber, f"__{_name}__", operation(_function))
    setattr(TracedNumber, f"__r{_name}__", operation(_function, True))
for _name in ("neg", "pos", "abs", "lt", "le", "gt", "ge", "eq", "ne"):
    setattr(TracedNumber, f"__{_name}__", operation(getattr(operator, _name)))
for _name in ("floor", "ceil", "trunc"):
    setattr(TracedNumber, f"__{_name}__", operation(getattr(math, _name)))
for _name, _asked in (
    *(("int", int), ("float", float), ("complex", complex)),
    *(("index", operator.index), ("hash", hash)),
):
    setattr(TracedNumber, f"__{_name}__", question(_name, _asked))
