"""Copies of arrays that are never written into (chapter 24)."""

from __future__ import annotations

import numpy as np

from autograd_lib.program.core.graph import Call, Graph, Value
from autograd_lib.program.rewrites.memory import COPIES


def no_copies(graph: Graph) -> Graph:
    """Read what was copied in the place of the copy, where neither is written into.

    A number of NumPy serves for an array without axes where elementwise functions read
    it; others make arrays of that, and numbers of it.
    """
    written, readers = graph.owners_written(), graph.readers()
    new: dict[Value, Value] = {}
    calls = []
    for call in graph.calls:
        if call.function in COPIES and len(call.outs) == 1:
            x, y = call.args[0], call.out
            if type(x) is Value and x.dtype == y.dtype and not y.number:
                alone = x.owner not in written and y.owner not in written
                if x.number:
                    alone = alone and all(c.takes_out for c in readers.get(y, ()))
                if alone and x.shape == y.shape and x.strides == y.strides:
                    new[y] = x
                    continue
                flat = call.function is np.ndarray.flatten and not call.args[1:]
                if alone and flat and x.in_rows:
                    new[y] = y.moved_to(x, None)
                    call = Call(np.ndarray.reshape, "reshape", (x, -1), {}, (new[y],))
        if call.is_view and nothing_new(call):
            new[call.out] = call.out.base  # type: ignore[assignment]
            continue
        calls.append(call)
    return graph.replacing(new, calls) if new else graph.changed(calls)


def nothing_new(call: Call) -> bool:
    """Return whether a view shows the whole of what it is of, as that is."""
    x, y = call.out.base, call.out
    if x is None or (x.shape, x.strides, x.dtype) != (y.shape, y.strides, y.dtype):
        return False
    return call.function in (np.ndarray.view, np.ndarray.reshape, np.ndarray.transpose)
