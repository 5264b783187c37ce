"""Common subexpression elimination (chapter 22)."""

from __future__ import annotations

from typing import Any

from autograd_lib.program.core.ir import Call, Graph, Value
from autograd_lib.program.rewrites.helpers import each_call, key_of, owners_written


def common(graph: Graph) -> Graph:
    """Execute equal calls, and equal checks, only once. It changes no bit."""
    written = owners_written(graph)
    first: dict[Any, Call] = {}

    def rule(call: Call) -> Value | list[Call]:
        single = len(call.outs) <= 1 and call.into is None and not call.is_loop
        if not single or any(v.base is None and v.owner in written for v in call.outs):
            return [call]
        key = key_of((call.function, call.args, call.options, call.origin.errors))
        before = first.setdefault(key, call)
        if before is call:
            return [call]
        return before.out if call.outs else []

    return each_call(graph, rule)
