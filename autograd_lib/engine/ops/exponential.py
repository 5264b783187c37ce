"""Powers of fixed numbers, logarithms and roots (chapter 10).

The slope of many of these functions follows from their own result. Such a rule saves
`OUTPUT`, so no other array is kept alive for it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.arithmetic import over, times
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.record import OUTPUT, unary
from autograd_lib.engine.tape.tensor import Tensor

LOG_2 = math.log(2.0)  # Python's floats, which don't turn float32 into float64
LOG_10 = math.log(10.0)


@operation(np.exp)
def exp(x: Any) -> Tensor:
    """Return e to the power of each element."""
    return unary(np.exp, x, times, OUTPUT)


@operation(np.expm1)
def expm1(x: Any) -> Tensor:
    """Return eˣ - 1, exact for small x too."""
    return unary(np.expm1, x, by_exp, x)


@rule("elementwise", complex=True)
def by_exp(g: Any, x: Any) -> Any:
    """d(eˣ - 1)/dx = eˣ. Adding 1 to the result would give 0 where eˣ is tiny."""
    return g * np.exp(x)


@operation(np.exp2)
def exp2(x: Any) -> Tensor:
    """Return 2 to the power of each element."""
    return unary(np.exp2, x, by_exp2, OUTPUT)


@rule("elementwise", complex=True)
def by_exp2(g: Any, y: Any) -> Any:
    """d(2ˣ)/dx = 2ˣ·log 2."""
    return g * (y * LOG_2)


@operation(np.log)
def log(x: Any) -> Tensor:
    """Return the natural logarithm."""
    return unary(np.log, x, over, x)


@operation(np.log1p)
def log1p(x: Any) -> Tensor:
    """Return log(1 + x), exact for small x too."""
    return unary(np.log1p, x, by_log1p, x)


@rule("elementwise", complex=True)
def by_log1p(g: Any, x: Any) -> Any:
    """d(log(1 + x))/dx = 1/(1 + x)."""
    return g / (1 + x)


@operation(np.log2)
def log2(x: Any) -> Tensor:
    """Return the logarithm to base 2."""
    return unary(np.log2, x, by_log2, x)


@rule("elementwise", complex=True)
def by_log2(g: Any, x: Any) -> Any:
    """d(log₂ x)/dx = 1/(x·log 2)."""
    return g / (x * LOG_2)


@operation(np.log10)
def log10(x: Any) -> Tensor:
    """Return the logarithm to base 10."""
    return unary(np.log10, x, by_log10, x)


@rule("elementwise", complex=True)
def by_log10(g: Any, x: Any) -> Any:
    """d(log₁₀ x)/dx = 1/(x·log 10)."""
    return g / (x * LOG_10)


@operation(np.sqrt)
def sqrt(x: Any) -> Tensor:
    """Return the square root. Its slope at 0 is infinite."""
    return unary(np.sqrt, x, by_sqrt, OUTPUT)


@rule("elementwise", complex=True)
def by_sqrt(g: Any, y: Any) -> Any:
    """d(√x)/dx = 1/(2√x)."""
    return g / (2 * y)


@operation(np.cbrt)
def cbrt(x: Any) -> Tensor:
    """Return the cube root, negative for negative numbers."""
    return unary(np.cbrt, x, by_cbrt, OUTPUT)


@rule("elementwise")
def by_cbrt(g: Any, y: Any) -> Any:
    """d(∛x)/dx = 1/(3·∛x²)."""
    return g / (3 * y * y)


@operation(np.square)
def square(x: Any) -> Tensor:
    """Return x²."""
    return unary(np.square, x, by_square, x)


@rule("elementwise", complex=True)
def by_square(g: Any, x: Any) -> Any:
    """d(x²)/dx = 2x."""
    return g * (2 * x)


@operation(np.reciprocal)
def reciprocal(x: Any) -> Tensor:
    """Return 1/x."""
    return unary(np.reciprocal, x, by_reciprocal, OUTPUT)


@rule("elementwise", complex=True)
def by_reciprocal(g: Any, y: Any) -> Any:
    """d(1/x)/dx = -1/x²."""
    return -(g * y * y)
