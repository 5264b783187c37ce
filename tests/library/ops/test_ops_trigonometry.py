"""Angles where cases end: the ends of domains, the origin, very large numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor


def slopes(f: Any, *xs: Any) -> list[float]:
    ts = [Tensor(x, requires_grad=True) for x in xs]
    with np.errstate(divide="ignore"):
        f(*ts).backward()
    return [t.grad.item() for t in ts]


@pytest.mark.parametrize(
    ("f", "x", "right"),
    [
        (np.arcsin, 1.0, np.inf),
        (np.arcsin, -1.0, np.inf),
        (np.arccos, 1.0, -np.inf),
        (np.arccosh, 1.0, np.inf),
        (np.arctan, np.inf, 0.0),
        (np.tanh, 1000.0, 0.0),
        (np.tanh, -1000.0, 0.0),
        (np.sinh, 0.0, 1.0),
        (np.cosh, 0.0, 0.0),
    ],
)
def test_the_ends_of_the_domains(f: Any, x: float, right: float) -> None:
    assert slopes(f, x) == [right]


def test_arctanh_is_infinite_at_1() -> None:
    assert slopes(np.arctanh, 1.0) == [np.inf]


@pytest.mark.parametrize(
    ("f", "x", "right"),
    [
        (np.arctan, 1e200, 0.0),  # 1e-400
        (np.arctan, 1e150, 1e-300),
        (np.arcsinh, 1e200, 1e-200),
        (np.arccosh, 1e200, 1e-200),
    ],
)
def test_slopes_do_not_overflow(f: Any, x: float, right: float) -> None:
    assert slopes(f, x) == pytest.approx([right], rel=1e-14)


def test_slopes_near_the_ends_keep_their_digits() -> None:
    x = 1.0 - 2.0**-50  # 1 - x·x would have three digits
    right = 1 / math.sqrt(2.0**-50 * (2 - 2.0**-50))
    assert slopes(np.arcsin, x) == pytest.approx([right], rel=1e-15)
    assert slopes(np.arccos, x) == pytest.approx([-right], rel=1e-15)


def test_lengths_and_angles_do_not_overflow() -> None:
    assert slopes(np.hypot, 3e200, 4e200) == pytest.approx([0.6, 0.8], rel=1e-15)
    assert slopes(np.hypot, 3e-200, 4e-200) == pytest.approx([0.6, 0.8], rel=1e-15)
    right = [0.16e-200, -0.12e-200]
    assert slopes(np.arctan2, 3e200, 4e200) == pytest.approx(right, rel=1e-14)


def test_the_origin_has_slopes_of_0() -> None:
    assert slopes(np.hypot, 0.0, 0.0) == [0.0, 0.0]
    assert slopes(np.arctan2, 0.0, 0.0) == [0.0, 0.0]


@pytest.mark.parametrize("f", [np.arctan2, np.hypot])
def test_the_origin_has_no_second_slopes(f: Any) -> None:
    x, y = Tensor(0.0, requires_grad=True), Tensor(0.0, requires_grad=True)
    firsts = grad(f(x, y), [x, y], create_graph=True)
    seconds = grad(firsts[0] + 2.0 * firsts[1], [x, y])
    np.testing.assert_array_equal([d.item() for d in seconds], [np.nan, np.nan])


def test_a_constant_leg_of_whole_numbers() -> None:
    t = Tensor([3.0, 5.0], requires_grad=True)
    np.hypot([4, 12], t).sum().backward()
    np.testing.assert_allclose(t.grad.data, [0.6, 5 / 13])


def test_an_array_first_comes_to_the_operation_too() -> None:
    t = Tensor([1.0, 2.0], requires_grad=True)
    y = np.arctan2(np.array([[1.0], [2.0]]), t)
    assert isinstance(y, Tensor)
    assert y.shape == (2, 2)
    y.sum().backward()
    np.testing.assert_allclose(t.grad.data, [-0.5 - 0.4, -0.2 - 0.25])


@pytest.mark.parametrize("f", [np.arctan2, np.hypot])
def test_shapes_that_do_not_fit(f: Any) -> None:
    with pytest.raises(ValueError, match=r"^\w+: shapes \(3,\) and \(4,\) do"):
        f(Tensor(np.ones(3)), np.ones(4))


def test_the_fourth_derivative_of_a_sine_is_the_sine() -> None:
    x = Tensor([0.3, 1.1, -2.0], requires_grad=True)
    y = np.sin(x)
    for _ in range(4):
        (y,) = grad(y.sum(), x, create_graph=True)
    np.testing.assert_allclose(y.data, np.sin(x.data), rtol=1e-15)
