"""Calls that nothing depends on (chapter 24)."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from autograd_lib.program.core.graph import Call, Graph, Value, values_in
from autograd_lib.program.rewrites.shared import changed, key_of

MAY_FAIL = (operator.truediv, operator.floordiv, operator.mod, operator.pow)
"""What Python does not calculate of all numbers."""


def dead_code(graph: Graph) -> Graph:
    """Leave out the calls that no output and no check depends on. It changes no bit.

    A call that fails for some numbers stays, and fails for these, unless another one
    looks for elements by the same index.
    """
    needed: set[Value] = {u for v in graph.outputs for u in v.bases()}
    looked: set[Any] = {None}
    kept = []
    for call in reversed(graph.calls):
        fails = failing(call)
        if fails in looked and call.outs and not any(v in needed for v in call.outs):
            continue
        looked.add(fails)
        kept.append(call)
        needed.update(u for v in call.operands() for u in v.bases())
    return changed(graph, reversed(kept))


def failing(call: Call) -> Any:
    """Return by what NumPy may fail for some numbers, None if by nothing: a matrix may
    be singular, an index that is given may find nothing in an array of a shape, and
    `np.errstate` may make errors of what are warnings."""
    if call.function in (operator.getitem, operator.setitem, np.take, np.put):
        x, index = call.args[:2]
        given = any(v.kind != "constant" for v in values_in(index))
        return (getattr(x, "shape", None), key_of(index)) if given else None
    if any(what == "raise" for _, what in call.origin.errors):
        return call
    of_matrices = getattr(call.function, "__module__", "") == "numpy.linalg"
    return call if of_matrices or call.function in MAY_FAIL else None
