"""Checks of gradients pass what is right, whatever it looks like."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib.check.checks import dotcheck, gradcheck, gradgradcheck
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.operations.case import (
    Case,
    all_cases,
    by_operation,
    each_case,
)

SMOOTH = [case for case in all_cases() if not case.kink]
ROW = np.array([0.3, -0.8, 1.7])
CHECKS = pytest.mark.parametrize("check", [gradcheck, dotcheck, gradgradcheck])
FIRST = pytest.mark.parametrize("check", [gradcheck, dotcheck])


FIRST_CASES = [cases[0] for cases in by_operation(SMOOTH).values()]


def assert_accepted(case: Case) -> None:
    dotcheck(case.f, *case.inputs)
    (gradgradcheck if case.twice else gradcheck)(case.f, *case.inputs)


@each_case(FIRST_CASES)
def test_every_operation_is_right(case: Case) -> None:
    """That it is, is known from `test_operations`: this is about what checks accept."""
    assert_accepted(case)


@pytest.mark.exhaustive
@each_case(SMOOTH)
def test_every_case_of_every_operation_is_right(case: Case) -> None:
    assert_accepted(case)


THROUGH_TIES = {
    "max": lambda x: np.max(x * np.array([1.0, 0.5, 1.0])),
    "max of three, along an axis": lambda x: np.max(x * np.ones((2, 3)), axis=1),
    "min": lambda x: np.min(x * np.array([1.0, 2.0, 1.0])),
    "maximum": lambda x: np.maximum(x, 3.0 * x - 2.0 * x),
    "minimum": lambda x: np.minimum(x * np.array([1.0, 1.0]), x),
    "fmax": lambda x: np.fmax(x, 3.0 * x - 2.0 * x),
    "clip": lambda x: np.clip(x, x, 2.0 * x),
    "the largest norm": lambda x: np.linalg.norm(x * np.array([1.0, -1.0]), np.inf),
}


@pytest.mark.parametrize("f", THROUGH_TIES.values(), ids=THROUGH_TIES)
def test_through_ties(f: Any) -> None:
    """Ties that stay ties as x moves: as functions of x these are smooth, at x = 1."""
    gradcheck(f, 1.0)


def test_what_reference_values_came_from_is_returned() -> None:
    assert gradcheck(np.sin, ROW).by == "complex step"
    assert gradcheck(np.sin, ROW).tolerance == 1e-9
    rough = gradcheck(lambda x: x * np.abs(x), ROW)
    assert (rough.by, rough.tolerance) == ("central difference", 1e-6)
    both = gradcheck(lambda x, y: (np.sin(x), np.abs(y)), ROW, ROW)
    assert both.by == "complex step and central difference"
    assert repr(gradcheck(np.sin, 1.0)) == "✓ 1 number by complex step, to 1e-09"
    assert repr(gradcheck(np.sin, [])) == "✓ there was no number to compare"
    assert gradcheck(np.sin, ROW, tolerance=1e-3).tolerance == 1e-3


def test_where_complex_numbers_raise_or_lose_a_part_a_difference_is_asked() -> None:
    def real_only(x: Tensor) -> Any:
        if x.dtype.kind == "c":
            raise ValueError("real numbers, please")
        return np.sin(x)

    def half(x: Tensor) -> Any:
        kept = np.zeros(3)
        kept[:] = np.real(x.data) if x.dtype.kind == "c" else x.data
        return x * x

    def cast(x: Tensor) -> Any:
        x.data.astype(float)  # warns that it drops the imaginary part
        return np.sin(x)

    assert gradcheck(real_only, ROW).by == "central difference"
    assert gradcheck(half, ROW).by == "complex step"
    assert gradcheck(cast, ROW).by == "central difference"


@FIRST
@pytest.mark.parametrize(
    ("f", "inputs"),
    [
        (np.log, [1e-6]),  # the usual step would leave the domain
        (lambda x: x * x, [1e6]),
        (lambda x: np.exp(x) + 1e8, [1.0]),
        (lambda x: 1e-8 * np.sin(x), ROW),
        (lambda x: np.sin(1e3 * x), ROW),
    ],
)
def test_scales(check: Any, f: Any, inputs: Any) -> None:
    check(f, inputs)


@CHECKS
@pytest.mark.parametrize(
    ("f", "inputs"),
    [
        (lambda x: x, (ROW,)),
        (lambda x: (x, x, x * x), (ROW,)),
        (lambda x, y: x * x, (ROW, 2.0)),
        (lambda x, y: [x.sum(), y], (ROW, 2.0)),
        (lambda x: Tensor([1.0, 2.0]), (ROW,)),
        (lambda x: (np.sin(x), Tensor(1.0)), (ROW,)),
        (lambda x: np.sin(x), (np.ones((2, 0)),)),
        (lambda x: np.sin(x), (np.asfortranarray(np.outer(ROW, ROW)),)),
        (lambda x: np.sin(x), (Tensor(ROW, requires_grad=True),)),
        (lambda x: np.sin(x), ([0.5, 1.0],)),
        (lambda x, y: x @ y, (np.outer(ROW, ROW), ROW)),
        (lambda x: x[1], (ROW,)),
    ],
)
def test_what_functions_may_look_like(check: Any, f: Any, inputs: Any) -> None:
    check(f, *inputs)


@CHECKS
def test_inputs_are_left_as_they_are(check: Any) -> None:
    x, t = ROW.copy(), Tensor(ROW, requires_grad=True)

    def f(x: Tensor, t: Tensor) -> Any:
        y = x * t
        if not x.requires_grad:
            x += 1.0
        return y

    x.flags.writeable = False
    check(f, x, t)
    assert (x == ROW).all() and (t.data == ROW).all() and t.grad is None
