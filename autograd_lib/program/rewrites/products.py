"""Sums as products of matrices (chapter 22)."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.program.core.ir import Call, Graph, Value
from autograd_lib.program.rewrites.helpers import as_value, each_call

ROW = 2**10  # longest row that a product sums without losing digits


def products(graph: Graph) -> Graph:
    """Compute sums and means along an axis as matrix products with ones.

    The terms are added in another order, which changes rounding. NumPy's reductions
    take some 30 ns for each row of the result.
    """
    fixed: dict[Any, Value] = {}

    def rule(call: Call) -> list[Call]:
        axis = summed_axis(call)
        if axis is None:
            return [call]
        x, y = call.args[0], call.out
        n, kind = x.shape[axis], x.dtype
        shape = (n, 1) if axis and len(y.shape) == len(x.shape) else (n,)
        if (shape, kind) not in fixed:
            fixed[shape, kind] = Value("constant", np.ones(shape, kind), "ones")
        ones = fixed[shape, kind]
        args = (x, ones) if axis else (ones, x)
        mean = call.function is np.mean
        total = Value("result", y, y.name) if mean else y
        product = Call(np.matmul, "matmul", args, {}, (total,), None, call.origin)
        if not mean:
            return [product]
        parts = total, as_value(n, kind, fixed)
        return [product, Call(np.divide, "divide", parts, {}, (y,), None, call.origin)]

    return each_call(graph, rule)


def summed_axis(call: Call) -> int | None:
    """Return the axis of a sum that a product can compute, else None.

    Long rows are left to NumPy, whose pairwise summation is more accurate.
    """
    known = call.name == "add.reduce" or call.function is np.mean
    if not known or call.into is not None or type(call.args[0]) is not Value:
        return None
    x, axis = call.args[0], call.options.get("axis")
    axis = axis[0] if type(axis) is tuple and len(axis) == 1 else axis
    usual = set(call.options) <= {"axis", "keepdims"} and not call.args[1:]
    if not usual or type(axis) is not int or not x.shape:
        return None
    axis, last = axis % len(x.shape), len(x.shape) - 1
    float_rows = x.dtype in (np.float32, np.float64) and x.in_rows and x.nbytes
    whole = axis == last and x.shape[axis] <= ROW
    first = axis == 0 and last == 1 and not call.options.get("keepdims")
    return axis if last and float_rows and (whole or first) else None
