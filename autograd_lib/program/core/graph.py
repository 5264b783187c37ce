"""A program as data: values, and the calls of NumPy that make them (chapter 24).

Every value is made once, by one call: that is single assignment. A write into a part of
an array makes a new value too, which lies in the same memory; the old one is read no
more after it. A view is a value with a `base`, whose memory it shows.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np

Line: TypeAlias = tuple[str, int]  # a file and the number of a line in it


class Value:
    """An array at one moment: an input, a constant, or what a call has made.

    Attributes:
        kind: "input", "constant" or "result".
        name: what the program calls it, if something suggests a name.
        base: the value that it shows elements of, for a view, else None.
        before: the value in whose memory it was written, else None.
        array: that of a constant, else None.
        number: whether it is a number of NumPy: what is made of that is never a view.
        shape: that of the recorded array, as its `dtype` and `strides` are.
    """

    __slots__ = (
        *("array", "base", "before", "dtype", "kind", "name", "number", "shape"),
        "strides",
    )

    def __init__(
        self, kind: str, like: Any, name: str = "", base: Value | None = None
    ) -> None:
        self.kind, self.name, self.base = kind, name, base
        self.shape: tuple[int, ...] = like.shape
        self.dtype: np.dtype[Any] = like.dtype
        self.strides: tuple[int, ...] = like.strides
        self.before: Value | None = None
        self.number = isinstance(like, np.generic)
        self.array: Any = like if kind == "constant" else None

    def bases(self) -> Iterator[Value]:
        """Yield itself, what it is a view of, and so on."""
        v: Value | None = self
        while v is not None:
            yield v
            v = v.base

    @property
    def owner(self) -> Value:
        """The value that this memory was first made for."""
        v: Value = self
        while other := v.base or v.before:
            v = other
        return v

    def moved_to(self, base: Value | None, before: Value | None) -> Value:
        """Return the same value in the memory of others."""
        v = copy.copy(self)
        v.base, v.before = base, before
        return v

    @property
    def order(self) -> tuple[int, ...] | None:
        """The axes in the order in which they lie in memory, None if there are gaps."""
        axes = range(len(self.shape))
        for order in (axes, sorted(axes, key=lambda i: -self.strides[i])):
            step, dense = self.dtype.itemsize, True
            for i in reversed(order):
                dense = dense and (self.shape[i] == 1 or self.strides[i] == step)
                step *= self.shape[i]
            if dense:
                return tuple(order)
        return None

    @property
    def in_rows(self) -> bool:
        """Whether it lies in memory row by row, without gaps."""
        return self.order == tuple(range(len(self.shape)))

    @property
    def nbytes(self) -> int:
        """Bytes of all its elements."""
        return prod(self.shape) * self.dtype.itemsize

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name or '?'} {self.shape}>"


class Origin(NamedTuple):
    """The reader's line that a call comes from, and the rule in a backward pass.

    `wrt` is the value whose gradient, or a part of it, the rule makes; `errors` says
    what floating-point errors do there, where that differs from outside.
    """

    line: Line | None = None
    rule: str = ""
    wrt: Value | None = None
    errors: tuple[tuple[str, str], ...] = ()


NOWHERE = Origin()


@dataclass(eq=False)
class Call:
    """One call: ``outs = function(*args, **options)``; a check has no outs.

    Attributes:
        function: of NumPy, a method of `numpy.ndarray`, or one of `operator`.
        name: how the program writes it.
        into: for a call that writes into memory that is there already, the value that
            shows the elements to be written; then its one out is the whole, afterwards.
    """

    function: Callable[..., Any]
    name: str
    args: tuple[Any, ...]
    options: dict[str, Any] = field(default_factory=dict)
    outs: tuple[Value, ...] = ()
    into: Value | None = None
    origin: Origin = NOWHERE
    is_loop = False  # but where it stands for others, which it makes again and again

    @property
    def out(self) -> Value:
        """The one value that it makes."""
        return self.outs[0]

    @cached_property
    def _operands(self) -> tuple[Value, ...]:
        return tuple(values_in((self.args, self.options, self.into)))

    def operands(self) -> tuple[Value, ...]:
        """Return the values that it reads, and the one that it writes into."""
        return self._operands

    @property
    def takes_out(self) -> bool:
        """Whether it is told by ``out=`` where to write, not by its first argument."""
        owner = getattr(self.function, "__self__", self.function)
        return isinstance(owner, np.ufunc) and self.function.__name__ != "at"

    @property
    def is_view(self) -> bool:
        """Whether it makes nothing but another view of memory that is there."""
        return self.into is None and bool(self.outs) and self.outs[0].base is not None

    @property
    def steps(self) -> tuple[Call, ...]:
        """The calls that it stands for, which are several for a loop."""
        return (self,)

    def with_values(self, new: Callable[[Value], Value]) -> Self:
        """Return the call with others in the place of the values that it reads."""
        made = copy.copy(self)
        vars(made).pop("_operands", None)
        made.args, made.options, made.into = replaced(
            (self.args, self.options, self.into), new
        )
        return made

    def run(self, of: Callable[[Value], Any]) -> Any:
        """Calculate it, given the array of each value."""
        args, options = replaced((self.args, self.options), of)
        if self.into is not None and self.takes_out:
            options["out"] = of(self.into)
        return applied(self.function, args, options)


@dataclass(frozen=True)
class Graph:
    """What was recorded: from inputs, by calls in order, to outputs.

    `memory` says which results share memory, after the rewrite that decides it.
    """

    inputs: tuple[Value, ...]
    calls: tuple[Call, ...]
    outputs: tuple[Value, ...]
    memory: Any = None


class Picked:
    """A function of NumPy that returns several arrays, of which one is meant."""

    def __init__(self, function: Callable[..., Any], k: int) -> None:
        self.function, self.k, self.__name__ = function, k, function.__name__

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self.function(*args, **options)[self.k]


def applied(function: Callable[..., Any], args: Any, options: Any) -> Any:
    """Call a function; a method of arrays is that of the number where one is given."""
    if getattr(function, "__objclass__", None) is np.ndarray:
        return getattr(args[0], function.__name__)(*args[1:], **options)
    return function(*args, **options)


def values_in(x: Any, kind: type = Value) -> Iterator[Any]:
    """Yield the values in arguments, also those in tuples, lists and dicts."""
    several = [x]
    while several:
        x = several.pop()
        if type(x) is kind:
            yield x
        elif type(x) is tuple or type(x) is list:
            several += x[::-1]
        elif type(x) is dict:
            several += list(x.values())[::-1]


def replaced(x: Any, new: Callable[[Any], Any], kind: type = Value) -> Any:
    """Return arguments with ``new(v)`` in the place of each value."""
    if type(x) is kind:
        return new(x)
    if type(x) is tuple or type(x) is list:
        return type(x)([replaced(item, new, kind) for item in x])
    if type(x) is dict:
        return {key: replaced(item, new, kind) for key, item in x.items()}
    return x
