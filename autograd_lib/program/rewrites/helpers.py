"""Helpers of rewrites: replacing calls and values, keys of arguments (chapter 22)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from autograd_lib.program.core.ir import Call, Graph, Picked, Value

MAX_EXACT = 2**24  # float32 holds all integers up to here


@dataclass(eq=False)
class Again(Call):
    """A call that repeats the calls in `inner`, for each block or in each round."""

    inner: tuple[Call, ...] = ()
    is_loop = True

    @property
    def steps(self) -> tuple[Call, ...]:
        """The calls that are repeated."""
        return self.inner

    def lines(self, source: Any) -> list[str]:
        """Return its lines in a program."""
        raise NotImplementedError

    def with_values(self, new: Callable[[Value], Value]) -> Self:
        """Return the loop with ``new(v)`` for each value `v` that it reads."""
        made = super().with_values(new)
        made.inner = tuple(c.with_values(new) for c in self.inner)
        return made


def owners_written(graph: Graph) -> set[Value]:
    """Return the owners of memory that is written into."""
    return {c.into.owner for c in graph.calls if c.into is not None}


def changed(graph: Graph, calls: Iterable[Call]) -> Graph:
    """Return the graph with other calls, and without a memory plan."""
    return replace(graph, calls=tuple(calls), memory=None)


def replacing(graph: Graph, new: dict[Value, Value], calls: Iterable[Call]) -> Graph:
    """Return the graph with other calls, and with values replaced by ``new[v]``.

    Views of a replaced value become views of its replacement.
    """

    if not new:
        return changed(graph, calls)

    def of(v: Value) -> Value:
        while v in new:
            v = new[v]
        return v

    new, made = dict(new), []
    for c in calls:
        if c.is_loop or not new.keys().isdisjoint(c.operands()):
            c = c.with_values(of)
        for v in c.outs:
            base, before = v.base and of(v.base), v.before and of(v.before)
            if base is not v.base or before is not v.before:
                new[v] = v.moved_to(base, before)
        if not new.keys().isdisjoint(c.outs):
            c = c.copy()
            c.outs = tuple(map(of, c.outs))
        made.append(c)
    return replace(changed(graph, made), outputs=tuple(map(of, graph.outputs)))


def each_call(graph: Graph, rule: Callable[[Call], Value | list[Call]]) -> Graph:
    """Return the graph with each call replaced as a rule says, in order.

    The rule returns calls that replace it, or a value that replaces its result.
    """
    new: dict[Value, Value] = {}
    calls: list[Call] = []
    for call in graph.calls:
        if new and not new.keys().isdisjoint(call.operands()):
            call = call.with_values(lambda v: new.get(v, v))
        made = rule(call)
        if isinstance(made, Value):
            new[call.out] = made
        else:
            calls += made
    return replacing(graph, new, calls)


def key_of(x: Any) -> Any:
    """Return a hashable key that is equal for equal arguments."""
    kind = type(x)
    if kind is Value:
        if x.kind == "constant" and x.nbytes <= 64:
            return x.shape, x.dtype, x.strides, x.array.tobytes()
        return x
    if kind in (int, float, str, bool, np.ufunc):
        return kind, x if kind is np.ufunc else repr(x)
    if isinstance(x, tuple | list):
        return type(x), tuple([key_of(item) for item in x])
    if isinstance(x, dict):
        return tuple([(k, key_of(x[k])) for k in sorted(x)])
    if isinstance(x, slice):
        return slice, x.start, x.stop, x.step
    if isinstance(x, Picked):
        return key_of(x.function), x.k
    return type(x), x if callable(x) else repr(x)


NAMES = {0.0: "zero", 0.5: "half", 1.0: "one", 2.0: "two", 3.0: "three"}


def as_value(x: Any, dtype: np.dtype[Any], made: dict[Any, Value]) -> Any:
    """Return a Python number as a constant of a dtype, if that is exact."""
    if type(x) not in (int, float) or not abs(x) < MAX_EXACT:
        return x
    key = (repr(float(x)), dtype)
    if key not in made:
        name = NAMES.get(float(x), "number")
        made[key] = Value("constant", np.array(x, dtype), name)
    return made[key]
