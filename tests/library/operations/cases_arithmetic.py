"""Cases of `ops/arithmetic.py`."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from tests.library.operations.case import Case, normal, positive

A, B, ROW, COLUMN = normal(3, 4), normal(3, 4, seed=1), normal(4), normal(3, 1)
P, Q = positive(3, 4), positive(3, 4, seed=1)


def both(operation: str, name: str, f: Any, *inputs: np.ndarray) -> Case:
    """Return a case in which PyTorch's operator is the same as NumPy's."""
    return Case(operation, name, f, inputs, torch=f)


CASES = [
    both("numpy.add", "equal shapes", operator.add, A, B),
    both("numpy.add", "a row and a column", operator.add, ROW, COLUMN),
    both("numpy.subtract", "a column from a row", operator.sub, ROW, COLUMN),
    both("numpy.subtract", "from a number", lambda x: 1.0 - x, A),
    both("numpy.multiply", "equal shapes", operator.mul, A, B),
    both("numpy.multiply", "a row and a column", operator.mul, ROW, COLUMN),
    both("numpy.multiply", "shape ()", operator.mul, normal(), A),
    both("numpy.divide", "a row by a column", operator.truediv, ROW, COLUMN),
    both("numpy.divide", "a number by it", lambda x: 2.0 / x, P),
    both("numpy.negative", "a matrix", operator.neg, A),
    both("numpy.power", "a whole number", lambda x: x**3, A),
    both("numpy.power", "two tensors", operator.pow, P, Q),
    both("numpy.power", "of a number", lambda x: 2.0**x, A),
]
