"""Results that are made in the place that they are copied to (chapter 24)."""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import Any

import numpy as np

from autograd_lib.program.core.graph import Call, Graph, Value
from autograd_lib.program.rewrites.memory import fills

BASIC = (slice, int, type(None), type(...))


def layout(graph: Graph) -> Graph:
    """Make a result where it is written to, if it is not read before.

    It changes no bit.
    """
    readers, makers = graph.readers(), graph.makers()
    written = graph.owners_written()
    returned = {u for v in graph.outputs for u in v.bases()}
    place = {id(c): i for i, c in enumerate(graph.calls)}
    gone: set[int] = set()
    new: dict[int, list[Call]] = {}
    for i, call in enumerate(graph.calls):
        found = written_whole(call)
        maker = makers.get(found[1]) if found is not None else None
        if found is None or maker is None or not isinstance(maker.function, np.ufunc):
            continue
        (target, y), before = found[:2], found[2]
        alone = readers[y] == [call] and y not in returned and y.owner not in written
        fits = (y.shape, y.dtype) == (target.shape, target.dtype) and not y.number
        if not (alone and fits and fills(maker)) or maker.into is not None:
            continue
        read = {v.owner for v in maker.operands()}
        between = graph.calls[place[id(maker)] + 1 : i]
        late = any(c.into is not None and c.into.owner in read for c in between)
        if late or maker.origin.errors != call.origin.errors:
            continue
        options = {k: x for k, x in maker.options.items() if k != "order"}
        made = replace(maker, options=options, outs=call.outs, into=target)
        gone.add(id(maker))
        new[id(call)] = [*before, made]
    calls = [d for c in graph.calls if id(c) not in gone for d in new.get(id(c), [c])]
    return graph.changed(calls)


def written_whole(call: Call) -> tuple[Value, Value, list[Call]] | None:
    """Return where a call copies a whole array to, that array, and who shows where."""
    if call.function is np.copyto and not set(call.options) - {"casting"}:
        target, y = call.args
        return (target, y, []) if type(y) is Value else None
    if call.function is not operator.setitem:
        return None
    x, index, y = call.args
    several = index if type(index) is tuple else (index,)
    if type(y) is not Value or any(type(i) not in BASIC for i in several):
        return None
    like = np.lib.stride_tricks.as_strided(np.empty((), x.dtype), x.shape, x.strides)
    part: Any = like[index]
    if not isinstance(part, np.ndarray):
        return None
    target = Value("result", part, base=x)
    shown = Call(operator.getitem, "getitem", (x, index), {}, (target,))
    return target, y, [replace(shown, origin=call.origin)]
