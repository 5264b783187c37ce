"""Functions of one or two floats (chapter 03): each returns its value and its slopes.

Outside its domain a function is NaN, and beyond the largest float it is inf, as in IEEE
754 and NumPy; Python's own functions raise errors.
"""

from __future__ import annotations

import math
from numbers import Real
from typing import TypeGuard

from autograd_lib.scalar.real import Number, unwrapped

EXACT = 2**53  # a float holds every integer up to it
INF = math.inf
NAN = math.nan


def relu(x: float) -> tuple[float, float]:
    """x if it is above 0, else 0; the slope is 1 above 0, else 0. NaN stays NaN."""
    return (type(x)(0), 0.0) if x <= 0 else (x, 1.0)


def exp(x: float) -> tuple[float, float]:
    """e to the power of x; the slope is the same."""
    try:
        e = math.exp(x)
    except OverflowError:
        e = INF
    return e, e


def log(x: float) -> tuple[float, float]:
    """The natural logarithm, -inf at 0 and NaN below; the slope is 1 / x."""
    if x > 0:
        return math.log(x), 1.0 / x
    return (-INF, math.copysign(INF, x)) if x == 0 else (NAN, NAN)


def sqrt(x: float) -> tuple[float, float]:
    """The square root, NaN below 0; the slope is 0.5 / root, inf at 0."""
    if x > 0:
        r = math.sqrt(x)
        return r, 0.5 / r
    return (x, INF) if x == 0 else (NAN, NAN)


def sin(x: float) -> tuple[float, float]:
    """The sine of x in radians, NaN for infinite x; the slope is the cosine."""
    return (math.sin(x), math.cos(x)) if math.isfinite(x) else (NAN, NAN)


def cos(x: float) -> tuple[float, float]:
    """The cosine of x in radians, NaN for infinite x; the slope is minus the sine."""
    return (math.cos(x), -math.sin(x)) if math.isfinite(x) else (NAN, NAN)


def tanh(x: float) -> tuple[float, float]:
    """The hyperbolic tangent t; the slope is 1 - t², accurate even if t rounds to 1."""
    small = math.exp(-2.0 * math.fabs(x))
    return math.tanh(x), 4.0 * small / (1.0 + small) ** 2


def sigmoid(x: float) -> tuple[float, float]:
    """The logistic s = 1 / (1 + exp(-x)); the slope is s (1 - s)."""
    small = math.exp(-math.fabs(x))  # from the side where exp does not overflow
    s = (1.0 if x >= 0 else small) / (1.0 + small)
    return s, small / (1.0 + small) ** 2


def abs(x: float) -> tuple[float, float]:
    """The absolute value; the slope is the sign, 0 at 0 and for NaN."""
    return math.fabs(x), float((x > 0) - (x < 0))


def divide(a: float, b: float) -> float:
    """Return a / b: an infinity if b is 0, and NaN for 0 / 0."""
    try:
        return a / b
    except ZeroDivisionError:
        if a == 0 or a != a:
            return NAN
        return math.copysign(INF, a) * math.copysign(1.0, b)


def power(a: float, b: float) -> tuple[float, float, float]:
    """Return a to the power of b, and its slopes with respect to a and b.

    The slope with respect to a is b a^(b-1), and 0 if b is 0, even at a = 0. With
    respect to b it is log(a) a^b; at a = 0 and b ≥ 0 it is 0, and for negative a it is
    NaN.
    """
    p = _power(a, b)
    slope_a = b * _power(a, b - 1.0) if b else 0.0
    slope_b = 0.0 if a == 0 and b >= 0 else log(a)[0] * p
    return p, slope_a, slope_b


def _power(a: float, b: float) -> float:
    try:
        p = math.pow(a, b)
        whole = is_whole(a) and is_whole(b) and b >= 0 and math.fabs(p) <= EXACT
        return a**b if whole else p
    except OverflowError:
        return -INF if a < 0 and b % 2 == 1 else INF
    except ValueError:
        if a:
            return NAN  # a root of a negative number
        return math.copysign(INF, a) if b % 2 == 1 else INF


def is_whole(number: object) -> TypeGuard[int]:
    """Whether a number is an int of Python's that a float holds exactly."""
    return type(number) is int and -EXACT <= number <= EXACT


def whole(number: float) -> float:
    """Return an int as it is if a float holds it exactly, and any other as a float."""
    return number if is_whole(number) else float(number)


def number(where: str, value: object) -> float:
    """Return a real scalar of Python or NumPy as a float, and an int as it is.

    NaN and infinities are allowed.

    Raises:
        TypeError: if `value` is not one real number, or is another class that remembers
            its calls, so that its gradient would be lost.
        OverflowError: if `value` is an integer too large for a float.
    """
    if type(value) is float or is_whole(value):
        return value
    value = unwrapped(value)
    if hasattr(value, "backprop"):
        raise TypeError(
            f"{where} is a {type(value).__name__}, whose gradient would be lost; make "
            "a Value of it from the start, or pass float(...) for a constant"
        )
    if not isinstance(value, Real):
        raise TypeError(
            f"{where} must be one real number, got {value!r}; convert text with "
            "float(...), and take the elements of a list or an array one by one"
        )
    try:
        return float(value)
    except OverflowError as error:
        raise OverflowError(f"{where} is larger than any float") from error


def constant(operation: str, other: object) -> float:
    """Return the plain operand of an operation with a Value, as a float."""
    if type(other) is float:
        return other
    if is_whole(other):
        return other
    return number(f"Value {operation} …: the number beside it", other)


class Compared:
    """An object with a number as `data`, by which it is compared with others.

    `==` compares identity: two numbers that are equal are still two nodes, in sets and
    as keys.
    """

    __slots__ = ()
    data: float

    def __lt__(self, other: Compared | Number) -> bool:
        return self.data < _compared(other)

    def __le__(self, other: Compared | Number) -> bool:
        return self.data <= _compared(other)

    def __gt__(self, other: Compared | Number) -> bool:
        return self.data > _compared(other)

    def __ge__(self, other: Compared | Number) -> bool:
        return self.data >= _compared(other)


def _compared(other: object) -> float:
    if isinstance(other, Compared):
        return other.data
    return constant("compared with", other)
