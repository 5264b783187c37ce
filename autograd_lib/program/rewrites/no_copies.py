"""Elimination of unnecessary copies (chapter 22)."""

from __future__ import annotations

import numpy as np

from autograd_lib.program.core.ir import Call, Graph, Value
from autograd_lib.program.rewrites.helpers import each_call
from autograd_lib.program.rewrites.memory import COPIES


def no_copies(graph: Graph) -> Graph:
    """Read the original instead of a copy, where results can't differ.

    That is safe if neither is written into; if the original isn't read after the copy;
    or if the copy is a matrix read by matrix products only, for which rows and columns
    are equally fast. These may add in another order; otherwise no bit changes.
    """
    readers = readers_in(graph)
    writes = {c.into.owner: i for i, c in enumerate(graph.calls) if c.into is not None}
    last = {v.owner: i for i, c in enumerate(graph.calls) for v in c.operands()}
    kept = {v.owner for v in graph.outputs}
    returned = {u for v in graph.outputs for u in v.bases()}
    owners: dict[Value, Value] = {}  # owners of memory of eliminated copies
    place = {id(c.outs): i for i, c in enumerate(graph.calls)}

    def rule(call: Call) -> Value | list[Call]:
        x = original_of(call)
        if x is None or call.is_view:
            return x or [call]
        i, y, owner = place[id(call.outs)], call.out, owners.get(x.owner, x.owner)
        users = readers.get(y, ())
        neither = owner not in writes and y not in writes
        dies = owner.kind == "result" and owner not in kept and last[owner] == i
        same = neither or (dies and x.base is None)
        if x.number:
            same = neither and all(c.takes_out for c in users)
        columns = is_matrix(x) and all(c.function is np.matmul for c in users)
        columns = columns and writes.get(owner, -1) < i and y not in writes
        if not ((columns and y not in returned) or (same and x.strides == y.strides)):
            return [call]
        owners[y] = owner
        last[owner] = max(last[owner], last.get(y, i))
        writes.update({owner: writes[y]} if y in writes else {})
        kept.update({owner} if y in kept else ())
        return x

    return each_call(graph, rule)


def original_of(call: Call) -> Value | None:
    """Return the value that a call copies, or views unchanged, else None."""
    x = call.out.base if call.is_view else call.args[0] if call.args else None
    if type(x) is not Value or len(call.outs) != 1 or call.out.number:
        return None
    if call.into is not None or "where" in call.options:
        return None
    y = call.out
    if (x.shape, x.dtype) != (y.shape, y.dtype):
        return None
    shown = (np.ndarray.view, np.ndarray.reshape, np.ndarray.transpose)
    same = x.strides == y.strides and call.function in shown
    return x if (same if call.is_view else call.function in COPIES) else None


def is_matrix(v: Value) -> bool:
    """Return whether BLAS takes a matrix without a copy: by rows or by columns."""
    if len(v.shape) != 2:
        return False
    near, far = sorted(v.strides)
    short = v.shape[v.strides.index(near)]
    size = v.dtype.itemsize
    return near == size and far % size == 0 and far >= short * size


def readers_in(graph: Graph) -> dict[Value, list[Call]]:
    """Return the calls that read each value directly, not through a view."""
    found: dict[Value, list[Call]] = {}
    for c in graph.calls:
        for v in dict.fromkeys(c.operands()):
            found.setdefault(v, []).append(c)
    return found
