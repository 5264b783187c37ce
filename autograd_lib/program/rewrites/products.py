"""Sums as products of matrices (chapter 24)."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from autograd_lib.program.core.graph import Call, Graph, Value
from autograd_lib.program.rewrites.shared import as_value

ROW = 2**10  # elements that a product adds up without losing digits


def products(graph: Graph) -> Graph:
    """Sum by products of matrices: of two arrays, without one of their products; of
    one array along an axis, as a product with ones.

    The terms are the same, added in another order: a difference of rounding. NumPy's
    reductions take some 30 ns for each row or element of the result.
    """
    made, readers = graph.makers(), graph.readers()
    outputs = {u for v in graph.outputs for u in v.bases()}
    written = graph.owners_written()
    calls, gone = [], set()
    new: dict[Value, Value] = {}
    fixed: dict[Any, Value] = {}
    for call in graph.calls:
        inner = made.get(call.args[0]) if is_sum(call) else None
        if inner is None or inner.function is not np.multiply or inner.options:
            calls += with_ones(call, fixed)
            continue
        p = inner.out
        x, y = inner.args
        full = all(type(v) is Value and v.shape == p.shape for v in (x, y))
        only = readers[p] == [call] and p not in outputs and p.owner not in written
        clean = full and not any(v.owner in written for v in (x, y))
        shorter = summed(call, x, y) if only and clean and p.dtype.kind == "f" else None
        if shorter is None or inner.origin.errors != call.origin.errors:
            calls += with_ones(call, fixed)
            continue
        gone.add(inner)
        new |= {call.out: shorter[-1].out} if shorter[-1].out is not call.out else {}
        calls += shorter
    return graph.replacing(new, [c for c in calls if c not in gone])


def is_sum(call: Call) -> bool:
    """Return whether a call sums along one axis."""
    if call.name != "add.reduce" or call.into is not None or not call.args[0].shape:
        return False
    usual = set(call.options) <= {"axis", "keepdims"}
    return usual and type(call.options["axis"]) is int


def with_ones(call: Call, fixed: dict[Any, Value]) -> list[Call]:
    """Return calls for a sum or mean as a product with ones, or the call as it is.

    Long rows are left to NumPy, which adds them in pairs, and so more exactly.
    """
    axis = summed_axis(call)
    if axis is None:
        return [call]
    x, y = call.args[0], call.out
    n, kind = x.shape[axis], x.dtype
    column = axis and len(y.shape) == len(x.shape)
    shape = (n, 1) if column else (n,)
    if (shape, kind) not in fixed:
        fixed[shape, kind] = Value("constant", np.ones(shape, kind), "ones")
    ones = fixed[shape, kind]
    args = (x, ones) if axis else (ones, x)
    if call.function is not np.mean:
        return [Call(np.matmul, "matmul", args, {}, (y,), None, call.origin)]
    total, number = Value("result", y, y.name), as_value(n, kind, fixed)
    return [
        Call(np.matmul, "matmul", args, {}, (total,), None, call.origin),
        Call(np.divide, "divide", (total, number), {}, (y,), None, call.origin),
    ]


def summed_axis(call: Call) -> int | None:
    """Return along which axis a call sums, if a product can do that as well."""
    if not is_sum(call) and call.function is not np.mean:
        return None
    x, axis = call.args[0], call.options.get("axis")
    axis = axis[0] if type(axis) is tuple and len(axis) == 1 else axis
    usual = set(call.options) <= {"axis", "keepdims"} and not call.args[1:]
    if not usual or type(axis) is not int or type(x) is not Value:
        return None
    axis, last = axis % len(x.shape), len(x.shape) - 1
    float_rows = x.dtype in (np.float32, np.float64) and x.in_rows and x.nbytes
    whole = axis == last and x.shape[axis] <= ROW
    first = axis == 0 and last == 1 and not call.options.get("keepdims")
    return axis if last and float_rows and (whole or first) else None


def summed(call: Call, x: Value, y: Value) -> list[Call] | None:
    """Return calls for the sum of x·y along an axis, None where nothing is gained."""
    axis, keepdims = call.options["axis"], "keepdims" in call.options
    if axis == len(x.shape) - 1:
        if not keepdims:
            return [Call(np.vecdot, "vecdot", (x, y), {}, call.outs, None, call.origin)]
        dot = Value("result", np.empty(x.shape[:-1], call.out.dtype))
        column = call.out.moved_to(dot, None)
        index = (dot, (..., None))
        return [
            Call(np.vecdot, "vecdot", (x, y), {}, (dot,), None, call.origin),
            Call(operator.getitem, "getitem", index, {}, (column,), None, call.origin),
        ]
    if axis == 0 and len(x.shape) == 2 and not keepdims:
        function = np.einsum
        args = ("ij,ij->j", x, y)
        return [Call(function, "einsum", args, {}, call.outs, None, call.origin)]
    return None
