"""Dead code elimination (chapter 22)."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from autograd_lib.program.core.ir import Call, Graph, Value, values_in
from autograd_lib.program.rewrites.helpers import changed, key_of

MAY_FAIL = (operator.truediv, operator.floordiv, operator.mod, operator.pow)
"""Operators that raise for some Python numbers."""


def dead_code(graph: Graph) -> Graph:
    """Remove calls that no output and no check depends on. It changes no bit.

    A call that may raise for some numbers stays, unless another call uses the same
    index.
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
        for v in call.operands():
            needed.update(v.bases() if v.base is not None else (v,))
    return changed(graph, reversed(kept))


def failing(call: Call) -> Any:
    """Return a key for the error that a call may raise, or None: a matrix may be
    singular, an index out of bounds, and `np.errstate` may turn warnings into errors.
    """
    errors = call.origin.errors
    if type(call.function) is np.ufunc and not errors:
        return None
    if call.function in (operator.getitem, operator.setitem, np.take, np.put):
        x, index = call.args[:2]
        given = any(v.kind != "constant" for v in values_in((index,)))
        return (getattr(x, "shape", None), key_of(index)) if given else None
    if any(what == "raise" for _, what in errors):
        return call
    of_matrices = getattr(call.function, "__module__", "") == "numpy.linalg"
    return call if of_matrices or call.function in MAY_FAIL else None
