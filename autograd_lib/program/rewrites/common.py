"""Calls that are made twice (chapter 24)."""

from __future__ import annotations

from typing import Any

from autograd_lib.program.core.graph import Call, Graph, Value
from autograd_lib.program.rewrites.shared import key_of


def common(graph: Graph) -> Graph:
    """Calculate once what is calculated twice, and look once what is checked twice."""
    written = graph.owners_written()
    new: dict[Value, Value] = {}
    first: dict[Any, Call] = {}
    calls = []
    for call in graph.calls:
        call = call.with_values(lambda v: new.get(v, v))
        single = len(call.outs) <= 1 and call.into is None and not call.is_loop
        fresh = [v for v in call.outs if v.base is None]
        if single and not any(v.owner in written for v in fresh):
            key = key_of((call.function, call.args, call.options, call.origin.errors))
            before = first.setdefault(key, call)
            if before is not call:
                new.update(zip(call.outs, before.outs, strict=True))
                continue
        calls.append(call)
    return graph.replacing(new, calls) if new else graph
