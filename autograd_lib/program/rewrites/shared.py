"""What several rewrites need: a walk, equal arguments found, numbers as arrays (24)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib.program.core.graph import Call, Graph, Picked, Value

MOST = 2**24  # up to which float32 has all whole numbers


def each_call(graph: Graph, rule: Callable[[Call], Value | list[Call]]) -> Graph:
    """Return the graph with what a rule returns for each call, in their order: calls in
    its place, or a value in the place of its result."""
    new: dict[Value, Value] = {}
    calls: list[Call] = []
    for call in graph.calls:
        made = rule(call.with_values(lambda v: new.get(v, v)) if new else call)
        if isinstance(made, Value):
            new[call.out] = made
        else:
            calls += made
    return graph.replacing(new, calls) if new else graph.changed(calls)


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
