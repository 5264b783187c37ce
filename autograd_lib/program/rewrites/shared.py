"""What several rewrites need: a walk, equal arguments found, numbers as arrays (24)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from autograd_lib.program.core.graph import Call, Graph, Picked, Value

MOST = 2**24  # up to which float32 has all whole numbers


@dataclass(eq=False)
class Again(Call):
    """Calls that are made again and again, for each block or in each round: `inner`."""

    inner: tuple[Call, ...] = ()
    is_loop = True

    @property
    def steps(self) -> tuple[Call, ...]:
        """The calls that are made each time."""
        return self.inner

    def lines(self, source: Any) -> list[str]:
        """Return the lines that a `Source` writes for it."""
        raise NotImplementedError

    def with_values(self, new: Callable[[Value], Value]) -> Self:
        """Return the loop with others in the place of the values that it reads."""
        made = super().with_values(new)
        made.inner = tuple(c.with_values(new) for c in self.inner)
        return made


def owners_written(graph: Graph) -> set[Value]:
    """Return the owners of memory that some call writes into."""
    return {c.into.owner for c in graph.calls if c.into is not None}


def changed(graph: Graph, calls: Iterable[Call]) -> Graph:
    """Return the graph with other calls, for which there is no plan of memory yet."""
    return replace(graph, calls=tuple(calls), memory=None)


def replacing(graph: Graph, new: dict[Value, Value], calls: Iterable[Call]) -> Graph:
    """Return the graph with other calls, and values read in the place of others.

    Views of what is replaced become views of the other.
    """

    if not new:
        return changed(graph, calls)

    def of(v: Value) -> Value:
        while v in new:
            v = new[v]
        return v

    new, made = dict(new), []
    for c in calls:
        c = c.with_values(of)
        for v in c.outs:
            base, before = v.base and of(v.base), v.before and of(v.before)
            if base is not v.base or before is not v.before:
                new[v] = v.moved_to(base, before)
        c.outs = tuple(map(of, c.outs))
        made.append(c)
    return replace(changed(graph, made), outputs=tuple(map(of, graph.outputs)))


def each_call(graph: Graph, rule: Callable[[Call], Value | list[Call]]) -> Graph:
    """Return the graph with what a rule returns for each call, in their order: calls in
    its place, or a value in the place of its result."""
    new: dict[Value, Value] = {}
    calls: list[Call] = []
    for call in graph.calls:
        if not new.keys().isdisjoint(call.operands()):
            call = call.with_values(lambda v: new.get(v, v))
        made = rule(call)
        if isinstance(made, Value):
            new[call.out] = made
        else:
            calls += made
    return replacing(graph, new, calls)


def key_of(x: Any) -> Any:
    """Return something by which equal arguments are found."""
    if isinstance(x, tuple | list):
        return type(x), tuple(map(key_of, x))
    if isinstance(x, dict):
        return tuple((k, key_of(v)) for k, v in sorted(x.items()))
    if isinstance(x, slice):
        return slice, x.start, x.stop, x.step
    if isinstance(x, Picked):
        return key_of(x.function), x.k
    if isinstance(x, Value) and x.kind == "constant" and x.nbytes <= 64:
        return x.shape, x.dtype, x.strides, x.array.tobytes()
    return type(x), x if isinstance(x, Value) or callable(x) else repr(x)


NAMES = {0.0: "zero", 0.5: "half", 1.0: "one", 2.0: "two", 3.0: "three"}


def as_value(x: Any, dtype: np.dtype[Any], made: dict[Any, Value]) -> Any:
    """Return a number as a constant of a type, if nothing of it is lost by that."""
    if type(x) not in (int, float) or not abs(x) < MOST:
        return x
    key = (repr(float(x)), dtype)
    if key not in made:
        name = NAMES.get(float(x), "number")
        made[key] = Value("constant", np.array(x, dtype), name)
    return made[key]
