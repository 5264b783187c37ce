"""Executes a graph call by call, without rewriting or writing it (chapter 22).

That is slower than its program, and worth it for a program that runs once.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np

from autograd_lib.program.core.ir import Graph, Value


def interpret(graph: Graph, arrays: Any) -> list[Any]:
    """Return the outputs of a graph for arrays of its inputs."""
    held: dict[Value, Any] = dict(zip(graph.inputs, arrays, strict=True))

    def of(v: Any) -> Any:
        return v.array if v.kind == "constant" else held[v]

    for errors, calls in groupby(graph.calls, lambda call: call.origin.errors):
        with np.errstate(**dict(errors)):
            for call in calls:
                made = call.run(of)
                if call.into is not None:
                    made = of(call.out.before)
                several = made if len(call.outs) > 1 else [made]
                held.update(zip(call.outs, several, strict=False))
    pairs = zip(graph.outputs, graph.copied(), strict=True)
    return [of(v).copy() if copied else of(v) for v, copied in pairs]
