"""Formulas as tuples: their derivatives, and how many operations they take."""

from __future__ import annotations

import operator
from typing import Any

import pytest

from autograd_lib.book.formulas import derivative, operations

OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


def value(formula: Any, x: float) -> float:
    if not isinstance(formula, tuple):
        return x if formula == "x" else formula
    op, u, v = formula
    return OPERATORS[op](value(u, x), value(v, x))


SQUARE = ("*", "x", "x")


@pytest.mark.parametrize(
    "formula",
    [
        "x",
        5,
        ("-", 3, SQUARE),
        ("*", ("+", 2, "x"), ("-", "x", 7)),
        ("/", "x", ("+", 1, SQUARE)),
        ("/", SQUARE, ("-", ("*", 3, "x"), 1)),
    ],
)
@pytest.mark.parametrize("x", [-0.7, 0.4, 2.0])
def test_a_derivative_is_that_of_a_difference(formula: Any, x: float) -> None:
    h = 1e-6
    by_difference = (value(formula, x + h) - value(formula, x - h)) / (2 * h)
    assert value(derivative(formula), x) == pytest.approx(by_difference, abs=1e-7)


def test_no_term_of_0_and_no_factor_of_1_is_written() -> None:
    assert derivative(("+", ("*", 3, "x"), 4)) == 3
    assert derivative(("/", "x", 1)) == 1


def test_operations_count_a_part_wherever_it_is_written() -> None:
    formula = ("+", SQUARE, SQUARE)
    assert list(operations(formula)) == [formula, SQUARE, SQUARE]
    assert len(set(operations(formula))) == 2
