"""Powers, logarithms and roots where cases end: infinities, integers, bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.leaves.grad_mode import no_grad
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor

NAMES = (
    *("exp", "expm1", "exp2", "log", "log1p", "log2", "log10"),
    *("sqrt", "cbrt", "square", "reciprocal"),
)


def slope(f: Any, x: Any, dtype: Any = float) -> Any:
    """Return the value and the derivative at a number, whatever NumPy warns of."""
    t = Tensor(x, requires_grad=True, dtype=dtype)
    with np.errstate(all="ignore"):
        y = f(t)
        y.backward()
    return y.item(), t.grad.item()


@pytest.mark.parametrize(
    ("f", "x", "value", "right"),
    [
        (np.log, 0.0, -np.inf, np.inf),
        (np.log2, 0.0, -np.inf, np.inf),
        (np.log10, 0.0, -np.inf, np.inf),
        (np.log1p, -1.0, -np.inf, np.inf),
        (np.sqrt, 0.0, 0.0, np.inf),
        (np.cbrt, 0.0, 0.0, np.inf),
        (np.exp, 1000.0, np.inf, np.inf),
        (np.exp, -1000.0, 0.0, 0.0),
        (np.exp2, 2000.0, np.inf, np.inf),
        (np.reciprocal, 0.0, np.inf, -np.inf),
        (np.reciprocal, 1e160, 1e-160, 0.0),
        (np.square, 1e200, np.inf, 2e200),
    ],
)
def test_infinities_are_those_of_the_formulas(
    f: Any, x: float, value: float, right: float
) -> None:
    got, d = slope(f, x)
    assert got == value
    assert d == pytest.approx(right, abs=1e-300)


def test_numpy_warns_of_infinities_as_ever() -> None:
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        np.log(Tensor(0.0))
    t = Tensor(0.0, requires_grad=True)
    root = np.sqrt(t)  # nothing to warn of yet
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        root.backward()


@pytest.mark.parametrize("name", NAMES)
def test_nan_stays_nan(name: str) -> None:
    value, d = slope(getattr(np, name), np.nan)
    assert np.isnan(value)
    assert np.isnan(d)


def test_a_small_slope_of_expm1_keeps_its_digits() -> None:
    assert slope(np.expm1, -40.0)[1] == np.exp(-40.0)  # the result plus 1 would be 0


def test_a_small_number_keeps_its_digits() -> None:
    assert slope(np.log1p, 1e-20) == (1e-20, 1.0)
    assert slope(np.expm1, 1e-20) == (1e-20, 1.0)


@pytest.mark.parametrize("name", NAMES)
def test_whole_numbers_give_constants_of_numpys_type(name: str) -> None:
    x = np.array([1, 2, 3])
    y = getattr(np, name)(Tensor(x))
    assert isinstance(y, Tensor)
    assert not y.requires_grad
    right = getattr(np, name)(x)
    assert y.dtype == right.dtype
    np.testing.assert_array_equal(y.data, right)


def test_complex_constants_are_calculated() -> None:
    z = np.array([1.0 + 2.0j, -1.0j])
    np.testing.assert_array_equal(np.exp(Tensor(z)).data, np.exp(z))


@pytest.mark.parametrize("f", [np.exp, np.square, np.reciprocal, np.sqrt])
def test_third_derivatives(f: Any) -> None:
    x = Tensor([0.7, 1.3], requires_grad=True)
    y = f(x)
    for _ in range(3):
        (y,) = grad(y.sum(), x, create_graph=True)
        y = y + 0.0 * x  # where the slope has become constant
    right = {
        np.exp: np.exp,
        np.square: np.zeros_like,
        np.reciprocal: lambda a: -6 / a**4,
        np.sqrt: lambda a: 0.375 * a**-2.5,
    }[f](x.data)
    np.testing.assert_allclose(y.data, right, rtol=1e-13)


def test_a_result_that_was_written_into_is_not_used() -> None:
    y = np.exp(Tensor([1.0, 2.0], requires_grad=True))
    with no_grad():
        y *= 0.0
    with pytest.raises(RuntimeError, match=r"exp saved an array that was written"):
        y.sum().backward()


def test_another_array_for_a_result_leaves_what_was_saved() -> None:
    x = Tensor([1.0, 2.0], requires_grad=True)
    y = np.exp(x)
    y.data = np.zeros(2)
    y.sum().backward()
    assert x.grad is not None and x.grad.tolist() == np.exp([1.0, 2.0]).tolist()


def test_out_is_refused() -> None:
    for x, out in [
        (Tensor([1.0], requires_grad=True), np.zeros(1)),
        (Tensor([1.0]), Tensor([0.0])),
    ]:
        with pytest.raises(TypeError, match=r"numpy\.exp: out= would write"):
            np.exp(x, out=out)
    out = np.zeros(1)
    assert np.exp(Tensor([0.0]), out=out) is out
    assert out.tolist() == [1.0]
