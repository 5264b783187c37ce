"""Where results lie, so that they need not be copied (chapter 24).

A copy only moves what is there. It is spared where the result could have been made in
the place that it is copied to, where the original is not read any more, and where a
matrix product reads a transposed matrix as well as its copy.
"""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import Any

import numpy as np

from autograd_lib.program.core.graph import Call, Graph, Value
from autograd_lib.program.rewrites.memory import copied, fills

BASIC = (slice, int, type(None), type(...))


def layout(graph: Graph) -> Graph:
    """Spare copies, and make what is only copied in the place that it is copied to."""
    return made_in_place(without_copies(graph))


def without_copies(graph: Graph) -> Graph:
    """Use the original in place of its copy, where no result shows the difference.

    So it is if the original is read no more, and if the copy is of a matrix, and all
    that read it are products: these read columns as fast as rows.
    """
    readers = graph.readers()
    writes = {c.into.owner: i for i, c in enumerate(graph.calls) if c.into is not None}
    last = {v.owner: i for i, c in enumerate(graph.calls) for v in c.operands()}
    returned = {u for v in graph.outputs for u in v.bases()}
    kept = {v.owner for v in graph.outputs}
    new: dict[Value, Value] = {}
    calls = []
    for i, call in enumerate(graph.calls):
        x = copied(call)
        if x is None or x.shape != call.out.shape:
            calls.append(call)
            continue
        y = call.out
        dies = last[x.owner] == i and x.owner not in kept and x.base is None
        dies = dies and x.owner.kind == "result" and x.strides == y.strides
        product = all(c.function is np.matmul for c in readers.get(y, ()))
        product = product and is_matrix(x) and y not in returned
        same = writes.get(x.owner, -1) < i and y.owner not in writes
        if dies or (product and same):
            new[y] = x
        else:
            calls.append(call)
    return graph.replacing(new, calls) if new else graph


def is_matrix(v: Value) -> bool:
    """Return whether products take it as it lies: by rows or by columns."""
    if len(v.shape) != 2:
        return False
    near, far = sorted(v.strides)
    short = v.shape[v.strides.index(near)]
    size = v.dtype.itemsize
    return near == size and far % size == 0 and far >= short * size


def made_in_place(graph: Graph) -> Graph:
    """Make a result where it is written to, if it is not read before."""
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
