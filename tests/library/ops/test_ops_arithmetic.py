"""Powers where their formulas have no meaning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor

INF = float("inf")


@pytest.mark.parametrize(
    ("x", "y", "slope_x", "slope_y"),
    [
        (0.0, 0.0, 0.0, 0.0),
        (0.0, 1.0, 1.0, 0.0),
        (0.0, 2.0, 0.0, 0.0),
        (0.0, 0.5, INF, 0.0),
        (1.0, 0.0, 0.0, 0.0),
        (2.0, 0.0, 0.0, np.log(2.0)),
        (1.0, 3.0, 3.0, 0.0),
    ],
)
def test_the_slopes_of_a_power(
    x: float, y: float, slope_x: float, slope_y: float
) -> None:
    base, exponent = (Tensor(v, requires_grad=True) for v in (x, y))
    with np.errstate(divide="ignore"):
        slopes = grad(base**exponent, [base, exponent])
    assert [slope.item() for slope in slopes if slope is not None] == [
        slope_x,
        slope_y,
    ]


def test_a_constant_exponent_of_0_at_0() -> None:
    x = Tensor([0.0, 2.0], requires_grad=True)
    (slope,) = grad((x**0).sum(), x)
    np.testing.assert_array_equal(slope.data, [0.0, 0.0])  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "f", [lambda x, c: x**c, lambda x, c: c**x, np.logaddexp2, np.arctan2, np.fmod]
)
def test_a_list_as_operand_is_an_array_of_its_numbers_then(
    f: Callable[[Any, Any], Any],
) -> None:
    slopes = []
    for change in ([1.5, 2.0, 3.0], np.array([1.5, 2.0, 3.0])):
        x = Tensor([1.0, 2.0, 4.0], requires_grad=True)
        y = f(x, change)
        if isinstance(change, list):
            change[0] = 7.0
        y.sum().backward()
        slopes.append(x.grad.tolist())
    assert slopes[0] == slopes[1]
