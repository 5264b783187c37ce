"""Every rule at the places where rules go wrong: 0, whole numbers, edges, infinity.

The cases of an operation are called at points where all is smooth. A rule that divides
by its argument is right there and NaN at 0, where the function is fine. So each case
that takes single numbers is called at `PLACES`, in every combination, and at those that
it names itself. Where the result is finite the gradient must lie between the slopes on
both sides, be infinite where they grow without end, and never be NaN. Where the slopes
say nothing, as at a jump, `DECLARED` has what the gradient is. All other cases are
called with zeros among their numbers, and have no NaN either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from math import inf, isfinite, isnan, nan
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.function import Function
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.operations.case import Case, all_cases, each_case

CASES = all_cases()
Place = tuple[float, ...]
PLACES = (0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -3.0)
ENDS = (inf, -inf)  # for functions of one number; of two, many have no limit there

DECLARED: dict[str, dict[Place, Place]] = {
    # x**0 is 1 at x = 0, and 0 for the next greater exponent: no slope in between.
    "numpy.power": {(0.0, 0.0): (0.0, 0.0)},
    "numpy.float_power": {(0.0, 0.0): (0.0, 0.0)},
    # The origin has no angle and no direction.
    "numpy.arctan2": {(0.0, 0.0): (0.0, 0.0)},
    "numpy.angle: of complex numbers": {(0.0, 0.0): (0.0, 0.0)},
    "numpy.sign: of complex numbers": {(0.0, 0.0): (0.0, 0.0)},
    # A jump, at which the factor is a constant.
    "numpy.multiply: by its logical_not": {(0.0,): (1.0,)},
    # The rule of the square multiplies a slope of 0 by infinity.
    "numpy.clip: of a square": {(inf,): (nan,), (-inf,): (nan,)},
}
"""What the gradient is where it does not follow from the slopes, by a case's id."""
NAN = {
    "numpy.linalg.svd": "vectors of equal singular values may turn",
}
"""Operations whose derivative does not exist where several numbers are 0, and why."""


def value(f: Callable[..., Any], at: Place) -> float:
    """Return what f is of numbers, NaN if it is no number."""
    try:
        y = f(*(Tensor(x) for x in at))
    except ValueError:  # a matrix of one number, 0, is singular
        return nan
    y = y.data if isinstance(y, Tensor) else np.asarray(y)
    return float(y) if y.shape == () else nan


def slope(f: Callable[..., Any], at: Place, i: int, step: float) -> float:
    """Return the slope on one side: NaN if there is none, infinite if it has no end."""

    def by(h: float) -> float:
        return (value(f, (*at[:i], at[i] + h, *at[i + 1 :])) - value(f, at)) / h

    far, near = by(step), by(step / 100)
    return near * inf if abs(near) > 1.2 * abs(far) + 1e-3 else far


def gradient(f: Callable[..., Any], at: Place) -> Place:
    """Return the gradient that the rules give."""
    leaves = [Tensor(x, requires_grad=True) for x in at]
    y = f(*leaves)
    if isinstance(y, Tensor) and y.requires_grad:
        y.backward()
    return tuple(0.0 if x.grad is None else x.grad.item() for x in leaves)


def wrong_places(f: Callable[..., Any], places: list[Place], declared: Any) -> Any:
    """Return what is wrong at which places, and at how many the result is finite."""
    wrong, seen = [], 0
    for at in places:
        if not isfinite(value(f, at)):
            continue
        seen += 1
        got = gradient(f, at)
        if at in declared:
            if not np.array_equal(got, declared[at], equal_nan=True):
                wrong.append(f"{at}: the gradient is {got}, declared {declared[at]}")
            continue
        for i, g in enumerate(got):
            sides = [-inf, inf]
            if isfinite(at[i]):
                sides = [slope(f, at, i, step) for step in (1e-6, -1e-6)]
                sides = [s for s in sides if not isnan(s)]
            if sides and not between(g, min(sides), max(sides)):
                wrong.append(f"{at}: slope {i} is {g}, on both sides {sides}")
    return wrong, seen


def between(g: float, low: float, high: float) -> bool:
    """Return whether a slope lies between two others, but for the last digits."""
    near = 1e-4 * (1 + min(abs(low), abs(high)))
    return g in (low, high) or low - near <= g <= high + near


def takes_numbers(case: Case) -> bool:
    """Return whether a case can be called with single numbers, and returns one."""
    try:
        return isfinite(value(case.f, (0.5,) * len(case.inputs)))
    except (ValueError, TypeError, IndexError):
        return False


def by_operation() -> Iterator[Any]:
    """Yield the cases of each operation that takes numbers, each function once."""
    found: dict[str, dict[Any, Case]] = {}
    with np.errstate(all="ignore"):
        for case in CASES:
            if len(case.inputs) <= 2 and takes_numbers(case):
                found.setdefault(case.operation, {}).setdefault(case.f, case)
    for operation, cases in found.items():
        yield pytest.param(operation, list(cases.values()), id=operation)


NUMBERS = list(by_operation())


@pytest.mark.parametrize(("operation", "cases"), NUMBERS)
def test_no_rule_is_wrong_at_a_special_place(operation: str, cases: list[Case]) -> None:
    wrong, seen = [], 0
    for case in cases:
        of_one = len(case.inputs) == 1
        several = (*PLACES, *case.places, *ENDS * of_one)
        places = list(product(several, repeat=len(case.inputs)))
        declared = next((d for k, d in DECLARED.items() if case.id.startswith(k)), {})
        with np.errstate(all="ignore"):
            found, finite = wrong_places(case.f, places, declared)
        wrong += [f"{case.name} at {line}" for line in found]
        seen += finite
    assert not wrong, "\n".join(wrong)
    assert seen >= 2


def test_most_operations_of_numbers_are_among_them() -> None:
    assert len(NUMBERS) > 100
    cases = [case.id for parameters in NUMBERS for case in parameters.values[1]]
    assert not [k for k in DECLARED if not any(c.startswith(k) for c in cases)]


def nan_at_zeros(case: Case, count: int | None) -> bool | None:
    """Return whether a gradient is NaN where numbers are 0, None for no finite result.

    Args:
        case: what is called.
        count: how many numbers of each input are 0, None for all.
    """
    leaves = [Tensor(x, requires_grad=True) for x in case.inputs]
    for x in leaves:
        x.data.flat[:count] = 0.0
    with np.errstate(all="ignore"):
        try:
            y = case.f(*leaves)
            if not np.isfinite(y.data).all():
                return None
            (y * np.cos(np.arange(y.size)).reshape(y.shape)).sum().backward()
        except (ValueError, ZeroDivisionError):  # such as a singular matrix
            return None
    return any(x.grad is not None and np.isnan(x.grad.data).any() for x in leaves)


@each_case([case for case in CASES if case.operation not in NAN])
def test_no_rule_is_nan_where_numbers_are_zero(case: Case) -> None:
    assert not nan_at_zeros(case, None), "all numbers are 0"
    assert not nan_at_zeros(case, 1), "the first number of each input is 0"


def test_most_cases_are_finite_where_numbers_are_zero_and_some_have_no_slope() -> None:
    found = [(case.operation, nan_at_zeros(case, None)) for case in CASES]
    assert {operation for operation, wrong in found if wrong} == set(NAN)
    assert sum(wrong is not None for _, wrong in found) > 1000


class Sinc(Function):
    """As somebody may write it: right wherever x is not 0, and NaN there."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        """Return sin(πx) / πx, and 1 at 0."""
        ctx.save_for_backward(x)
        return Tensor(np.sinc(x.data))

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        """Return the gradient by the quotient rule."""
        (x,) = ctx.saved_tensors
        return g * (np.cos(np.pi * x) / x - np.sin(np.pi * x) / (np.pi * x * x))


FAULTS: list[tuple[Callable[..., Any], str]] = [
    (Sinc.apply, r"\(0.0,\): slope 0 is nan"),
    (lambda x: abs(x) + 2 * x.detach(), "slope 0 is 1.0, on both sides"),
    (lambda x: (x * x) ** 0.5, r"\(0.0,\): slope 0 is nan"),
    (lambda x: np.where(x == 1, 1.0, x), r"\(1.0,\): slope 0 is 0.0"),
    (lambda x: np.sqrt(x.detach()) + 5 * x, "slope 0 is 5.0, on both sides .inf"),
]


@pytest.mark.parametrize(("f", "said"), FAULTS)
def test_rules_that_are_wrong_at_a_place_are_found(
    f: Callable[..., Any], said: str
) -> None:
    with np.errstate(all="ignore"):
        wrong, seen = wrong_places(f, [(x,) for x in PLACES], {})
    assert seen >= 4
    assert re.search(said, "\n".join(wrong))
