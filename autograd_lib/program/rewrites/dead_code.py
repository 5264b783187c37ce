"""Calls that nothing depends on (chapter 24)."""

from __future__ import annotations

import operator

import numpy as np

from autograd_lib.program.core.graph import Call, Graph, Value, values_in
from autograd_lib.program.rewrites.shared import changed

MAY_FAIL = (operator.truediv, operator.floordiv, operator.mod, operator.pow)
"""What Python does not calculate of all numbers."""


def dead_code(graph: Graph) -> Graph:
    """Leave out the calls that no output and no check depends on. It changes no bit.

    A call that fails for some numbers stays, and fails for these.
    """
    needed: set[Value] = {u for v in graph.outputs for u in v.bases()}
    kept = []
    for call in reversed(graph.calls):
        if not call.outs or may_fail(call) or any(v in needed for v in call.outs):
            kept.append(call)
            needed.update(u for v in call.operands() for u in v.bases())
    return changed(graph, reversed(kept))


def may_fail(call: Call) -> bool:
    """Return whether NumPy may raise for some numbers: a matrix may be singular, and an
    index that is given may find nothing."""
    if call.function in (operator.getitem, operator.setitem, np.take):
        return any(v.kind != "constant" for v in values_in(call.args[1]))
    of_matrices = getattr(call.function, "__module__", "") == "numpy.linalg"
    return of_matrices or call.function in MAY_FAIL
