"""A selection that was written with bits, as a selection (chapter 26).

For NumPy the quickest way to keep some numbers and set the others to 0 is to multiply
their bits by 0 or 1, as whole numbers: so the rule of `relu` does it. In a loop over
elements `where` is as quick, and can be read.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from autograd_lib.program.core.graph import Call, Graph, Value
from autograd_lib.program.rewrites.dead_code import dead_code


def selections(graph: Graph) -> Graph:
    """Write ``y = where(on, x, 0)`` for ``y.view(int)[...] = x.view(int) * on``."""
    makers, readers = graph.makers(), graph.readers()
    written = Counter(c.into.owner for c in graph.calls if c.into is not None)
    outputs = {u for v in graph.outputs for u in v.bases()}
    new: dict[Value, Value] = {}
    calls = []

    def maker(v: Any, *functions: Any) -> Call | None:
        call = makers.get(v) if type(v) is Value else None
        return call if call is not None and call.function in functions else None

    for c in graph.calls:
        calls.append(c)
        if c.function is not np.copyto or not set(c.options) <= {"casting"}:
            continue
        shown, times = maker(c.args[0], np.ndarray.view), maker(c.args[1], np.multiply)
        if shown is None or times is None or times.options:
            continue
        y, (bits, on) = shown.args[0], times.args
        of = maker(bits, np.ndarray.view)
        empty = maker(y, np.empty, np.empty_like)
        if of is None or empty is None or type(on) is not Value or on.dtype != bool:
            continue
        x, v = of.args[0], c.args[0]
        alike = (x.shape, x.dtype) == (y.shape, y.dtype) and on.shape == y.shape
        lies = on.in_rows and (x.in_rows or not any(x.strides))  # or is one number
        whole = lies and y.in_rows and v.shape == y.shape and y.dtype.kind == "f"
        alone = readers[y] == [shown] and readers[v] == [c] and written[y] == 1
        fresh = not written[x.owner] and not written[on.owner]
        if not (alike and whole and alone and fresh) or {y, v} & outputs:
            continue
        new[c.out] = made = c.out.moved_to(None, None)
        made.kind = "result"
        zero = Value("constant", np.zeros((), y.dtype), "zero")
        args = (on, x, zero)
        calls[-1] = Call(np.where, "where", args, {}, (made,), None, c.origin)
    return dead_code(graph.replacing(new, calls)) if new else graph
