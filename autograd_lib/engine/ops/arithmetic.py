"""Sums, differences, products, quotients and powers (chapter 10)."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.operands import refuse_subclass
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.kinks import with_kink
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import array, binary, unary
from autograd_lib.engine.tape.tensor import Tensor


@operation(np.add)
def add(x: Any, y: Any) -> Tensor:
    """Return x + y."""
    return binary(operator.add, x, identity, None, y, identity, None)


@operation(np.subtract)
def subtract(x: Any, y: Any) -> Tensor:
    """Return x - y."""
    return binary(operator.sub, x, identity, None, y, negated, None)


@operation(np.multiply)
def multiply(x: Any, y: Any) -> Tensor:
    """Return x times y, element by element."""
    return binary(operator.mul, x, times, y, y, times, x)


@operation(np.divide, np.true_divide)
def divide(x: Any, y: Any) -> Tensor:
    """Return x divided by y."""
    return binary(operator.truediv, x, over, y, y, by_divisor, Saved(x, y))


@operation(np.negative)
def negative(x: Any) -> Tensor:
    """Return -x."""
    return unary(np.negative, x, negated, None)


@operation(np.power)
def power(x: Any, y: Any) -> Tensor:
    """Return x to the power of y. Where x and y are 0, the slope in x is 0."""
    return binary(operator.pow, x, by_base, Saved(x, y), y, by_exponent, Saved(x, y))


@operation(np.float_power)
def float_power(x: Any, y: Any) -> Tensor:
    """Return x to the power of y, in float64 at least."""
    return power(*(np.astype(t, np.result_type(t.dtype, float)) for t in both(x, y)))


def both(x: Any, y: Any) -> tuple[Any, Any]:
    """Return two operands as tensors or arrays."""
    a, b = (t if isinstance(t, Tensor) else numpy().asarray(array(t)) for t in (x, y))
    return a, b


@rule("elementwise", broadcasts=True, complex=True)
def identity(g: Any, _: None) -> Any:
    """The slope is 1."""
    return g


@rule("elementwise", broadcasts=True, complex=True)
def negated(g: Any, _: None) -> Any:
    """The slope is -1."""
    return -g


@rule("elementwise", broadcasts=True, complex=True)
def times(g: Any, slope: Any) -> Any:
    """The slope is the saved factor."""
    return g * slope


@rule("elementwise", broadcasts=True, complex=True)
def over(g: Any, divisor: Any) -> Any:
    """The slope is 1 over the saved divisor."""
    return g / divisor


@rule("elementwise", broadcasts=True, complex=True)
def by_divisor(g: Any, saved: Any) -> Any:
    """d(x/y)/dy = -x/y²."""
    x, y = saved
    return -(g * (x / y) / y)


@rule("elementwise", broadcasts=True, complex=True)
def by_base(g: Any, saved: Any) -> Any:
    """d(xʸ)/dx = y·xʸ⁻¹, and 0 where y is 0."""
    x, y = saved
    none = array_of(y) == 0
    if none is not False:  # 0·0⁻¹ would be NaN
        none = none & (array_of(x) == 0)
    slope = y * np.power(x, y - 1 + none)
    if isinstance(y, Tensor):  # where x is 0, xʸ⁻¹ jumps with y
        b = array_of(y)
        slope = with_kink(slope, y, (array_of(x) == 0) & ((b == 0) | (b == 1)))
    return g * slope


@rule("elementwise", broadcasts=True, complex=True)
def by_exponent(g: Any, saved: Any) -> Any:
    """d(xʸ)/dy = xʸ·log x, and 0 where x is 0 and y is at least 0."""
    x, y = saved
    zero = (array_of(x) == 0) & (array_of(y) >= 0)
    one = np.result_type(g.dtype, array_of(y)).type(1)  # where x is a number, or real
    safe = np.where(zero, one, x)
    slope = np.where(zero, 0.0, np.power(x, y) * np.log(safe))
    if isinstance(x, Tensor):
        slope = with_kink(slope, x, zero & (np.real(array_of(y)) <= 1))
    return g * slope


def array_of(x: Any) -> Any:
    """Return a tensor's array, and anything else unchanged.

    Raises:
        TypeError: if `x` is an array of a subclass that carries more than numbers.
    """
    if isinstance(x, Tensor):
        return x._array
    if type(x) is not np.ndarray:
        refuse_subclass("an argument", x)
    return x


def flipped(function: Any) -> Any:
    """Return the function with its two arguments exchanged."""

    def reflected(y: Tensor, x: Any) -> Tensor:
        result: Tensor = function(x, y)
        return result

    return reflected
