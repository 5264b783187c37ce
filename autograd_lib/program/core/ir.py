"""A program as data: values, and the NumPy calls that make them (chapter 22).

Every value is made once, by one call: static single assignment. A write into part of an
array makes a new value in the same memory, and the old value isn't read after that. A
view is a value with a `base`, whose memory it shares.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import prod
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np

Line: TypeAlias = tuple[str, int]  # a file and the number of a line in it


class Value:
    """An array at one point of the program: an input, a constant or a call's result.

    Attributes:
        kind: "input", "constant" or "result".
        name: a suggested variable name, or "".
        base: for a view, the value that it is a view of, else None.
        before: for the result of a write, the value that was overwritten, else None.
        array: the array of a constant, else None.
        number: whether it is a NumPy scalar, of which there are no views.
        shape: the shape in the recording; `dtype` and `strides` likewise.
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
        """Yield itself, its base, the base's base, and so on."""
        v: Value | None = self
        while v is not None:
            yield v
            v = v.base

    @property
    def owner(self) -> Value:
        """The value that its memory was allocated for."""
        v: Value = self
        while other := v.base or v.before:
            v = other
        return v

    def moved_to(self, base: Value | None, before: Value | None) -> Value:
        """Return a copy of the value that lies in other memory."""
        v = copy.copy(self)
        v.base, v.before = base, before
        return v

    @property
    def order(self) -> tuple[int, ...] | None:
        """The axes from slowest to fastest in memory, or None if there are gaps."""
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
        """Whether it is C-contiguous."""
        return self.order == tuple(range(len(self.shape)))

    @property
    def nbytes(self) -> int:
        """Size of all elements in bytes."""
        return prod(self.shape) * self.dtype.itemsize

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name or '?'} {self.shape}>"


class Origin(NamedTuple):
    """The source line that a call comes from, and the VJP in a backward pass.

    `wrt` is the value whose gradient the rule contributes to. `errors` holds the
    settings of `numpy.errstate` that differ from those at the start of the recording.
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
        function: a NumPy function, an `numpy.ndarray` method, or one of `operator`.
        name: its name in the program.
        into: for a write into existing memory, the view that is overwritten; the only
            out is then the whole buffer after the write.
    """

    function: Callable[..., Any]
    name: str
    args: tuple[Any, ...]
    options: dict[str, Any] = field(default_factory=dict)
    outs: tuple[Value, ...] = ()
    into: Value | None = None
    origin: Origin = NOWHERE
    _operands: tuple[Value, ...] | None = field(default=None, init=False, repr=False)
    is_loop = False  # True for a call that repeats other calls

    @property
    def out(self) -> Value:
        """Its only result."""
        return self.outs[0]

    def operands(self) -> tuple[Value, ...]:
        """Return the values that it reads, including the one that it writes into."""
        if self._operands is None:
            self._operands = tuple(values_in((self.args, self.options, self.into)))
        return self._operands

    @property
    def takes_out(self) -> bool:
        """Whether ``out=`` names the target of a write, not the first argument."""
        owner = getattr(self.function, "__self__", self.function)
        return isinstance(owner, np.ufunc) and self.function.__name__ != "at"

    @property
    def is_view(self) -> bool:
        """Whether it only makes a view of existing memory."""
        return self.into is None and bool(self.outs) and self.outs[0].base is not None

    @property
    def steps(self) -> tuple[Call, ...]:
        """The calls that it consists of, which are itself or the body of a loop."""
        return (self,)

    def with_values(self, new: Callable[[Value], Value]) -> Self:
        """Return the call with ``new(v)`` for each value `v` that it reads."""
        made = self.copy()
        made._operands = None
        made.args, made.options, made.into = replaced(
            (self.args, self.options, self.into), new
        )
        return made

    def copy(self) -> Self:
        """Return a copy of the call; `copy.copy` takes five times as long."""
        made = object.__new__(type(self))
        vars(made).update(vars(self))
        return made

    def run(self, of: Callable[[Value], Any]) -> Any:
        """Execute it, given the array of each value."""
        args, options = replaced((self.args, self.options), of)
        if self.into is not None and self.takes_out:
            options["out"] = of(self.into)
        return applied(self.function, args, options)


@dataclass(frozen=True)
class Graph:
    """A recorded function: inputs, calls in order of execution, and outputs.

    `memory` is the plan of which results share buffers, once a rewrite has made one.
    """

    inputs: tuple[Value, ...]
    calls: tuple[Call, ...]
    outputs: tuple[Value, ...]
    memory: Any = None

    def copied(self) -> list[bool]:
        """Return which outputs have to be copied, as the caller wouldn't own them."""
        several, seen = [], set[Value]()
        for v in self.outputs:
            alone = v.owner.kind == "result" and v.owner not in seen
            alone = alone and v.nbytes <= v.owner.nbytes
            seen.add(v.owner)
            several.append(not (alone or v.number))
        return several


class Picked:
    """One of the arrays that a NumPy function returns."""

    def __init__(self, function: Callable[..., Any], k: int) -> None:
        self.function, self.k, self.__name__ = function, k, function.__name__

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self.function(*args, **options)[self.k]


def applied(function: Callable[..., Any], args: Any, options: Any) -> Any:
    """Call a function; look array methods up on the argument, which may be a scalar."""
    if getattr(function, "__objclass__", None) is np.ndarray:
        return getattr(args[0], function.__name__)(*args[1:], **options)
    return function(*args, **options)


NESTED = (tuple, list, dict)


def values_in(x: Any, kind: type = Value) -> list[Any]:
    """Return the values in arguments, including nested tuples, lists and dicts."""
    found: list[Any] = []
    for item in x.values() if type(x) is dict else x:
        if type(item) is kind:
            found.append(item)
        elif type(item) in NESTED and item:
            found += values_in(item, kind)
    return found


def replaced(x: Any, new: Callable[[Any], Any], kind: type = Value) -> Any:
    """Return arguments with ``new(v)`` for each value `v` in them."""
    if type(x) is kind:
        return new(x)
    if type(x) is dict:  # a new one, also if it is empty: `run` adds to it
        return {key: replaced(item, new, kind) for key, item in x.items()}
    if type(x) not in NESTED:
        return x
    made = [
        new(item)
        if type(item) is kind
        else replaced(item, new, kind)
        if type(item) in NESTED
        else item
        for item in x
    ]
    return made if type(x) is list else tuple(made)
