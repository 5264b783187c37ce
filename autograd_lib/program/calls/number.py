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

from autograd_lib.engine.numpy.protocol import tensors_in
from autograd_lib.engine.tape.tensor import Tensor
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

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, **options: Any
    ) -> Any:
        if next(tensors_in((inputs, options)), None) is not None:
            return NotImplemented
        return self.tracer.ufunc(ufunc, method, inputs, options)

    def __array_function__(
        self, function: Any, types: Any, args: Any, options: Any
    ) -> Any:
        if Tensor in types:
            return NotImplemented
        return self.tracer.function(function, args, options)

    def asked(self) -> Any:
        """Return the number to who asks for it; it is a constant from now on."""
        if not self.places:
            raise self.tracer.refused(
                "a number that was drawn is asked for",
                "draw an array of one number, which may be chosen by with np.where",
            )
        self.tracer.pinned |= self.places
        return self.now

    def __repr__(self) -> str:
        return repr(self.asked())

    def __format__(self, spec: str) -> str:
        return format(self.asked(), spec)

    def __hash__(self) -> int:
        return hash(self.asked())

    def __bool__(self) -> bool:
        return bool(compared(bool, self))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.asked(), name)


def calculated(function: Callable[..., Any], *args: Any) -> Any:
    """Return a number that is calculated of others, and note how."""
    numbers = [x for x in args if type(x) is TracedNumber]
    tracer = numbers[0].tracer
    now = function(*[x.now if type(x) is TracedNumber else x for x in args])
    if type(now) not in PYTHON:
        return function(*[x.asked() if type(x) is TracedNumber else x for x in args])
    places = frozenset().union(*[x.places for x in numbers])
    return TracedNumber(tracer, now, tracer.number_made(function, args, now), places)


def compared(function: Callable[..., Any], *args: Any) -> Any:
    """Return what a comparison says, which the program asks again for the library."""
    numbers = [x for x in args if type(x) is TracedNumber]
    now = function(*[x.now if type(x) is TracedNumber else x for x in args])
    if asked_by_library():
        numbers[0].tracer.check(function, args, now)
    else:
        for x in numbers:
            x.asked()
    return now


def known(x: Any) -> bool:
    """Return whether Python itself calculates with it and a number."""
    return type(x) is TracedNumber or type(x) in PYTHON


def arithmetic(function: Callable[..., Any], reflected: bool = False) -> Any:
    """Return an operator of two numbers."""

    def operate(self: TracedNumber, other: Any) -> Any:
        if not known(other):
            return NotImplemented
        args = (other, self) if reflected else (self, other)
        return calculated(function, *args)

    return operate


def comparison(function: Callable[..., Any]) -> Any:
    """Return a comparison of two numbers."""
    return lambda self, other: (
        compared(function, self, other) if known(other) else NotImplemented
    )


def question(function: Callable[..., Any]) -> Any:
    """Return a method that asks for the number itself."""
    return lambda self, *args: function(self.asked(), *args)


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
    _function = getattr(operator, _name)
    setattr(TracedNumber, f"__{_name}__", arithmetic(_function))
    setattr(TracedNumber, f"__r{_name}__", arithmetic(_function, True))
for _name in ("neg", "pos", "abs"):
    _function = getattr(operator, _name)
    setattr(TracedNumber, f"__{_name}__", lambda x, f=_function: calculated(f, x))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(TracedNumber, f"__{_name}__", comparison(getattr(operator, _name)))
for _name, _asked in (
    *(("int", int), ("float", float), ("complex", complex), ("round", round)),
    *(("index", operator.index), ("trunc", int), ("divmod", divmod)),
):
    setattr(TracedNumber, f"__{_name}__", question(_asked))
