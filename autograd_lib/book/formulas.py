"""Formulas as nested tuples, and their derivatives by school's rules (chapter 01).

A formula is "x", a number, or a tuple of an operator and two formulas. Equal parts of a
derivative are one object, as they are equal tuples.

>>> derivative(("*", "x", "x"))
('+', 'x', 'x')
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

Formula = Any


@cache
def derivative(formula: Formula) -> Formula:
    """Return the derivative of a formula of +, -, * and / with respect to x."""
    if not isinstance(formula, tuple):
        return int(formula == "x")
    op, u, v = formula
    if op in "+-":
        return _made(op, derivative(u), derivative(v))
    if op == "*":
        left, right = _made("*", derivative(u), v), _made("*", u, derivative(v))
        return _made("+", left, right)
    rest = _made("*", formula, derivative(v))
    return _made("/", _made("-", derivative(u), rest), v)


def operations(formula: Formula) -> Iterator[Formula]:
    """Yield the operations of a formula, as often as they are written in it.

    >>> len(list(operations(("+", ("*", "x", "x"), ("*", "x", "x")))))
    3
    """
    if isinstance(formula, tuple):
        yield from (formula, *operations(formula[1]), *operations(formula[2]))


def _made(op: str, u: Formula, v: Formula) -> Formula:
    """Return an operation, without a term of 0 and a factor of 0 or 1."""
    if (op in "+-" and v == 0) or (op in "*/" and v == 1):
        return u
    if (op == "+" and u == 0) or (op == "*" and u == 1):
        return v
    return 0 if op in "*/" and 0 in (u, v) else (op, u, v)
