"""Converts Python numbers to arrays once (chapter 22)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from autograd_lib.program.core.ir import Call, Graph, Value, values_in
from autograd_lib.program.rewrites.helpers import as_value, each_call

OF_NUMBERS = (
    *(np.add, np.subtract, np.multiply, np.divide, np.maximum, np.minimum),
    *(np.greater, np.less, np.equal, np.not_equal, np.greater_equal, np.less_equal),
)


def numbers(graph: Graph) -> Graph:
    """Convert Python numbers to arrays once, instead of in every NumPy call.

    A Python number takes the dtype of the other operand, so no bit changes.
    """
    made: dict[Any, Value] = {}

    def rule(call: Call) -> list[Call]:
        beside = [v.dtype for v in values_in(call.args)]
        known = call.function in OF_NUMBERS and not call.options and call.into is None
        wide = len(beside) == 1 and beside[0].kind == "f" and beside[0].itemsize > 2
        if not (known and wide and call.out.shape):
            return [call]
        args = tuple(as_value(x, beside[0], made) for x in call.args)
        return [replace(call, args=args)]

    return each_call(graph, rule)
