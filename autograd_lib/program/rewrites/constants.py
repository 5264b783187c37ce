"""Constant folding (chapter 22)."""

from __future__ import annotations

import numpy as np

from autograd_lib.program.core.ir import Call, Graph, Value
from autograd_lib.program.rewrites.helpers import each_call, owners_written

SMALL = 2**16  # bytes; to compute larger constants again is as fast as to read them


def constants(graph: Graph) -> Graph:
    """Execute calls on constants now, if the result is small. It changes no bit."""
    written = owners_written(graph)

    def rule(call: Call) -> Value | list[Call]:
        known = all(v.kind == "constant" for v in call.operands()) and not call.is_loop
        if not known or len(call.outs) != 1 or call.into is not None:
            return [call]
        if call.out.nbytes > SMALL or call.out.owner in written:
            return [call]
        with np.errstate(all="ignore"):
            return Value("constant", call.run(lambda v: v.array))

    return each_call(graph, rule)
