"""Python numbers that are inputs, such as a step count (chapter 24).

`TracedNumber` stands for one while a program is recorded. Arithmetic with other Python
numbers is recorded as Python performs it. In an operation with an array it becomes a
0-d array of the dtype that NumPy would choose. Code that asks for the concrete number
pins it: it becomes a constant, and the function is recorded again.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib.program.core.array import TracedArray
from autograd_lib.program.core.ir import Value
from autograd_lib.program.words.origins import asked_by_library

PYTHON = (int, float, bool)


class TracedNumber:
    """Stands for a Python number that is an input, and records arithmetic with it.

    Attributes:
        tracer: records the arithmetic.
        now: the concrete number of this recording.
        value: its value in the program.
        places: the captured places that it depends on, which are pinned if the
            function asks for the concrete number.
    """

    __slots__ = ("now", "places", "tracer", "value")

    def __init__(
        self, tracer: Any, now: Any, value: Value, places: frozenset[Any]
    ) -> None:
        self.tracer, self.now, self.value, self.places = tracer, now, value, places

    __class__ = property(lambda self: type(self.now))

    __array_ufunc__: Any = TracedArray.__array_ufunc__
    __array_function__: Any = TracedArray.__array_function__

    def asked(self) -> Any:
        """Return the concrete number, and pin the places that it comes from."""
        if not self.places:
            raise self.tracer.refused(
                "a number that was drawn is asked for",
                "draw an array of one number, which may be chosen by with np.where",
            )
        self.tracer.pinned |= self.places
        return self.now

    def __deepcopy__(self, memo: Any) -> TracedNumber:
        return self

    def __copy__(self) -> TracedNumber:
        return self

    def __array__(self, *dtype: Any, copy: Any = None) -> np.ndarray:
        return np.array(self.asked(), *dtype)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.asked(), name)


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
    places = frozenset().union(*[x.places for x in numbers])
    tracer = numbers[0].tracer
    return TracedNumber(tracer, now, tracer.number_made(function, args, now), places)


def compared(function: Callable[..., Any], *args: Any) -> Any:
    """Return a comparison's result: checked by the program, or else pinned."""
    numbers = [x for x in args if type(x) is TracedNumber]
    now = function(*map(plain, args))
    if asked_by_library():
        numbers[0].tracer.check(function, args, now)
    else:
        for x in numbers:
            x.asked()
    return now


def plain(x: Any) -> Any:
    """Return the concrete number."""
    return x.now if type(x) is TracedNumber else x


def operation(
    of: Callable[..., Any], function: Callable[..., Any], reflected: bool = False
) -> Any:
    """Return an operator method by `calculated` or `compared`."""

    def operate(*args: Any) -> Any:
        if not all(type(x) is TracedNumber or type(x) in PYTHON for x in args):
            return NotImplemented
        return of(function, *(args[::-1] if reflected else args))

    return operate


def question(function: Callable[..., Any]) -> Any:
    """Return a method that uses the concrete number."""
    return lambda self, *args: function(self.asked(), *args)


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
    _function = getattr(operator, _name)
    setattr(TracedNumber, f"__{_name}__", operation(calculated, _function))
    setattr(TracedNumber, f"__r{_name}__", operation(calculated, _function, True))
for _name in ("neg", "pos", "abs"):
    setattr(
        TracedNumber, f"__{_name}__", operation(calculated, getattr(operator, _name))
    )
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(TracedNumber, f"__{_name}__", operation(compared, getattr(operator, _name)))
setattr(TracedNumber, "__bool__", operation(compared, bool))  # noqa: B010 - as above
for _name, _asked in (
    *(("int", int), ("float", float), ("complex", complex), ("round", round)),
    *(("index", operator.index), ("trunc", int), ("divmod", divmod)),
    *(("repr", repr), ("format", format), ("hash", hash)),
):
    setattr(TracedNumber, f"__{_name}__", question(_asked))
