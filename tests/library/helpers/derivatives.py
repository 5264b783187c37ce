"""Second opinions on a derivative, shared by the tests.

Every primitive has a counterpart for complex numbers and for mpmath's numbers of fifty
digits.
"""

from __future__ import annotations

import cmath
import operator
import sys
from collections.abc import Callable, Mapping
from typing import Any

import mpmath

EPSILON = sys.float_info.epsilon

# name -> the ends of a range that keeps clear of poles, kinks and overflow
RANGES: dict[str, tuple[float, float]] = {
    "square": (-3.0, 3.0),
    "neg": (-20.0, 20.0),
    "reciprocal": (0.2, 20.0),
    "sigmoid": (-20.0, 20.0),
    "relu": (0.1, 20.0),
    "exp": (-3.0, 3.0),
    "log": (0.2, 20.0),
    "sin": (-20.0, 20.0),
    "cos": (-20.0, 20.0),
    "tanh": (-20.0, 20.0),
    "sqrt": (0.2, 20.0),
}
ANALYTIC = sorted(set(RANGES) - {"relu"})
BINARY = ["add", "sub", "mul", "div"]

_ARITHMETIC: dict[str, Callable[..., Any]] = {
    "square": lambda v: v * v,
    "neg": operator.neg,
    "reciprocal": lambda v: 1 / v,
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
}

COMPLEX = _ARITHMETIC | {
    name: getattr(cmath, name) for name in ("exp", "log", "sin", "cos", "tanh", "sqrt")
}
COMPLEX["sigmoid"] = lambda v: 1 / (1 + cmath.exp(-v))

PRECISE = _ARITHMETIC | {
    name: getattr(mpmath, name) for name in ("exp", "log", "sin", "cos", "tanh", "sqrt")
}
PRECISE["sigmoid"] = lambda v: 1 / (1 + mpmath.exp(-v))
PRECISE["relu"] = lambda v: max(v, mpmath.mpf(0))


def precise_derivative(f: Callable[..., Any], *point: float, toward: int = 0) -> float:
    """Return the derivative of `f` for one argument, right to the last digit."""
    orders = tuple(int(i == toward) for i in range(len(point)))
    with mpmath.workdps(50):
        return float(mpmath.diff(f, point, orders))


def composed(names: list[str], library: Mapping[str, Any], x: Any) -> Any:
    """Return `x` after the functions of `library` with these names, one by one."""
    for name in names:
        x = library[name](x)
    return x


def within_ranges(names: list[str], x: float) -> list[str]:
    """Return `names` with exp(tanh(·)) put in where a value would leave its range."""
    steps: list[str] = []
    for name in names:
        low, high = RANGES[name]
        if not low <= composed(steps, PRECISE, x) <= high:
            steps += ["tanh", "exp"]
        steps.append(name)
    return steps
