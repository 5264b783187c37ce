"""A number of Python that is given at each call, such as a count of steps (chapter 24).

`TracedNumber` stands for it while a program is recorded. Sums, products and powers of
it are noted as Python makes them; where it meets an array it becomes one without axes,
of the type that NumPy would give it there. Who asks what it is, makes it a constant of
the program: it is `pinned`, and all is recorded anew.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib.program.core.array import TracedArray
from autograd_lib.program.core.graph import Value
from autograd_lib.program.words.origins import asked_by_library

PYTHON = (int, float, bool)


class TracedNumber:
    """A number of Python, whose calculations are noted by the tracer.

    Attributes:
        tracer: who notes them.
        now: the number in this one recording.
        value: what stands for it in the program.
        places: where it comes from, to be told if it is asked.
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
        """Return the number to who asks for it; it is a constant from now on."""
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
    """Return the types of arrays in arguments, and the numbers of Python there."""
    if type(x) is tuple or type(x) is list:
        return [kind for item in x for kind in beside(item)]
    if type(x) is TracedNumber:
        return [x.now]
    if type(x) in PYTHON:
        return [x]
    return [x.dtype] if hasattr(x, "dtype") else []


def as_array(number: Any, dtype: Any = None) -> np.ndarray:
    """Return a number of Python as an array without axes, of a type or of its own."""
    return np.array(number, dtype)


def is_long(x: Any) -> bool:
    """Return whether it is an int that NumPy has no room for in its own."""
    return type(x) is int and not -(2**63) <= x < 2**63


def calculated(function: Callable[..., Any], *args: Any) -> Any:
    """Return a number that is calculated of others, and note how."""
    numbers = [x for x in args if type(x) is TracedNumber]
    now = function(*map(plain, args))
    if type(now) not in PYTHON or is_long(now):
        return function(*[x.asked() if type(x) is TracedNumber else x for x in args])
    places = frozenset().union(*[x.places for x in numbers])
    tracer = numbers[0].tracer
    return TracedNumber(tracer, now, tracer.number_made(function, args, now), places)


def compared(function: Callable[..., Any], *args: Any) -> Any:
    """Return what a comparison says, which the program asks again for the library."""
    numbers = [x for x in args if type(x) is TracedNumber]
    now = function(*map(plain, args))
    if asked_by_library():
        numbers[0].tracer.check(function, args, now)
    else:
        for x in numbers:
            x.asked()
    return now


def plain(x: Any) -> Any:
    """Return the number that one of the recording stands for."""
    return x.now if type(x) is TracedNumber else x


def operation(
    of: Callable[..., Any], function: Callable[..., Any], reflected: bool = False
) -> Any:
    """Return an operator of numbers, which are calculated or compared."""

    def operate(*args: Any) -> Any:
        if not all(type(x) is TracedNumber or type(x) in PYTHON for x in args):
            return NotImplemented
        return of(function, *(args[::-1] if reflected else args))

    return operate


def question(function: Callable[..., Any]) -> Any:
    """Return a method that asks for the number itself."""
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
