"""Derivatives from function values alone (chapter 01).

A difference quotient needs nothing but calls of the function, and pays with error:
truncation when the step is large, rounding when it is small. The complex step has no
subtraction to lose digits in, but needs a function that takes complex numbers.

Sources: Nocedal and Wright, *Numerical Optimization*, section 8.1, for the steps;
Squire and Trapp (1998) for the complex step.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from numbers import Complex, Real

from autograd_lib._real import Number, callable_with, name_of, real, unwrapped

EPSILON = sys.float_info.epsilon
"""The distance from 1.0 to the next float, 2**-52."""

FORWARD_STEP = EPSILON ** (1 / 2)
"""Step of a forward difference that balances truncation and rounding, near x = 1."""

CENTRAL_STEP = EPSILON ** (1 / 3)
"""Step of a central difference that balances truncation and rounding, near x = 1."""

COMPLEX_STEP = 1e-20
"""Step of a complex step, whose square is far below the last digit of a float."""


def forward_difference(
    f: Callable[[float], Number], x: Number, h: Number | None = None
) -> float:
    """Return (f(x + h) - f(x)) / h, whose truncation error shrinks as h.

    Args:
        f: a function of one real number.
        x: where to differentiate.
        h: the step, greater than 0; by default ε^(1/2), times the size of x above 1.

    Raises:
        TypeError: if `f` is not a function, or a number is not real.
        ValueError: if `h` is too small to change `x`, or a value is not finite.

    >>> round(forward_difference(lambda x: x * x, 3.0), 5)
    6.0
    """
    where = "forward_difference"
    x, h = _point_and_step(where, f, x, h, FORWARD_STEP)
    ahead = x + h
    return (_value(where, f, ahead) - _value(where, f, x)) / (ahead - x)


def central_difference(
    f: Callable[[float], Number], x: Number, h: Number | None = None
) -> float:
    """Return (f(x + h) - f(x - h)) / 2h, whose truncation error shrinks as h².

    Args:
        f: a function of one real number.
        x: where to differentiate.
        h: the step, greater than 0; by default ε^(1/3), times the size of x above 1.

    Raises:
        TypeError: if `f` is not a function, or a number is not real.
        ValueError: if `h` is too small to change `x`, or a value is not finite.

    >>> round(central_difference(lambda x: x * x, 3.0), 8)
    6.0
    """
    where = "central_difference"
    x, h = _point_and_step(where, f, x, h, CENTRAL_STEP)
    ahead, behind = x + h, x - h
    return (_value(where, f, ahead) - _value(where, f, behind)) / (ahead - behind)


def complex_step(
    f: Callable[[complex], complex], x: Number, h: Number = COMPLEX_STEP
) -> float:
    """Return Im f(x + ih) / h, exact to rounding where `f` is analytic.

    Args:
        f: a function that takes a complex number and is analytic around `x`, such as
            a formula of ``+ - * / **`` and NumPy's or cmath's functions.
        x: where to differentiate.
        h: the step, greater than 0.

    Raises:
        TypeError: if `f` is not a function, does not take complex numbers, or returns
            a real number (`abs` does), which has lost the derivative.
        ValueError: if a number is NaN, the step is not positive, or `x` or the
            derivative is not finite.

    >>> import cmath
    >>> complex_step(lambda z: cmath.sin(z) ** 2, 1.0) == 2 * math.sin(1) * math.cos(1)
    True
    """
    where = "complex_step"
    callable_with(where, "f", f, "x")
    x, h = _point(where, x), _positive(where, real(where, "h", h))
    try:
        value = unwrapped(f(complex(x, h)))
    except TypeError as error:
        raise TypeError(
            f"{where}: {name_of(f)} does not take a complex number; build it from "
            "NumPy's or cmath's functions, or use central_difference"
        ) from error
    if not isinstance(value, Complex) or isinstance(value, Real):
        raise TypeError(
            f"{where}: {name_of(f)} returned {value!r} for a complex input, so the "
            "imaginary part, which carries the derivative, is lost (abs does "
            "this); use central_difference"
        )
    derivative = float(value.imag) / h
    return _finite(where, f"the derivative of {name_of(f)} at {x!r}", derivative)


def partial_derivatives(
    f: Callable[..., Number],
    point: Sequence[Number],
    method: Callable[[Callable[..., Number], Number], float] = central_difference,
) -> tuple[float, ...]:
    """Return the derivative of `f` toward each of its arguments, one at a time.

    Args:
        f: a function of ``len(point)`` real numbers.
        point: where to differentiate.
        method: how to differentiate a function of one number.

    Raises:
        TypeError: if `f` or `method` is not a function, `point` not a sequence, or a
            number not real.

    >>> [round(d, 6) for d in partial_derivatives(lambda x, y: x * y, (2.0, 5.0))]
    [5.0, 2.0]
    """
    where = "partial_derivatives"
    try:
        numbers = list(point)
    except TypeError as error:
        raise TypeError(
            f"{where}: point must be a sequence of real numbers, got {point!r}; "
            "write (x,) for one number"
        ) from error
    at = [real(where, f"point[{i}]", x) for i, x in enumerate(numbers)]
    callable_with(where, "f", f, *(f"x{i}" for i in range(len(at))))
    callable_with(where, "method", method, "f", "x")

    def toward(i: int) -> float:
        return method(lambda x: f(*at[:i], x, *at[i + 1 :]), at[i])

    return tuple(toward(i) for i in range(len(at)))


def _point_and_step(
    where: str, f: object, x: Number, h: Number | None, default: float
) -> tuple[float, float]:
    callable_with(where, "f", f, "x")
    x = _point(where, x)
    if h is None:
        return x, default * max(1.0, abs(x))
    h = _positive(where, real(where, "h", h))
    if x + h == x or x - h == x:
        raise ValueError(
            f"{where}: the step h = {h:g} does not change x = {x:g}; "
            f"take h above {abs(x) * EPSILON:.1g}"
        )
    return x, h


def _point(where: str, x: object) -> float:
    x = real(where, "x", x)
    if math.isinf(x):
        raise ValueError(f"{where}: x is {x}; a derivative needs a finite point")
    return x


def _positive(where: str, h: float) -> float:
    if not 0 < h < math.inf:
        raise ValueError(f"{where}: h must be a finite step above 0, got {h!r}")
    return h


def _value(where: str, f: Callable[[float], Number], x: float) -> float:
    return _finite(where, f"the value of {name_of(f)} at {x!r}", f(x))


def _finite(where: str, what: str, value: object) -> float:
    number = real(where, what, value)
    if math.isinf(number):
        raise ValueError(
            f"{where}: {what} is {number}; differentiate where the function and its "
            "derivative are finite"
        )
    return number
