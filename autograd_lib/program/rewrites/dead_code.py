"""Calls that nothing depends on (chapter 24)."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from autograd_lib.program.core.graph import Call, Graph, Value, values_in
from autograd_lib.program.rewrites.shared import key_of


def dead_code(graph: Graph) -> Graph:
    """Leave out the calls that no output and no check depends on.

    What looks for elements by numbers that are given fails if there is none. Such a
    call stays, unless another one looks for the same.
    """
    needed: set[Value] = {u for v in graph.outputs for u in v.bases()}
    looked: set[Any] = set()
    kept = []
    for call in reversed(graph.calls):
        place = looked_up(call)
        dead = call.outs and not any(v in needed for v in call.outs)
        if dead and (place is None or place in looked):
            continue
        looked.add(place)
        kept.append(call)
        needed.update(u for v in call.operands() for u in v.bases())
    return graph.changed(reversed(kept))


MAY_FAIL = (operator.truediv, operator.floordiv, operator.mod, operator.pow)
"""What Python does not calculate of all numbers."""


def looked_up(call: Call) -> Any:
    """Return what an index may find missing: the index, and in what shape."""
    if call.function not in (operator.getitem, operator.setitem, np.take):
        if call.function in MAY_FAIL:
            return call
        if getattr(call.function, "__module__", "") == "numpy.linalg":
            return call  # a matrix may be singular
        return None
    given = [v for v in values_in(call.args[1]) if v.kind != "constant"]
    whole = call.args[0]
    shape = whole.shape if type(whole) is Value else None
    return (shape, key_of(call.args[1])) if given else None
