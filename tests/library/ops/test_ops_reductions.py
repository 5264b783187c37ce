"""Means, variances and products: what their cases cannot say."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pytest
from numpy.exceptions import AxisError

from autograd_lib.engine.ops.logsumexp import logsumexp
from autograd_lib.engine.ops.reductions import others
from autograd_lib.engine.ops.sums import dot_along
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor

REDUCTIONS = [np.sum, np.mean, np.var, np.std, np.prod, np.max, np.min, logsumexp]
X = np.array([[1.0, 2.0, 4.0], [3.0, 5.0, 8.0]])


def leaf(x: Any, dtype: Any = float) -> Tensor:
    return Tensor(x, requires_grad=True, dtype=dtype)


def gradient(y: Tensor, x: Tensor, *weights: Any) -> np.ndarray:
    (g,) = grad(y, x, weights[0] if weights else np.ones(y.shape, x.dtype))
    assert g is not None
    return g.numpy()


@pytest.mark.parametrize("f", REDUCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("axis", [2, -3, (0, 5), (0, 0), (1, -1)], ids=str)
def test_an_axis_that_is_not_there_is_named_with_the_shape(f: Any, axis: Any) -> None:
    message = rf"^{f.__name__}: axis={re.escape(str(axis))} .*\(2, 3\).*-2 to 1"
    with pytest.raises(AxisError, match=message):
        f(leaf(X), axis=axis)


@pytest.mark.parametrize("f", REDUCTIONS, ids=lambda f: f.__name__)
def test_shape_without_axes_has_none_to_name(f: Any) -> None:
    with pytest.raises(AxisError, match="it has no axes"):
        f(leaf(2.0), axis=(0, 1))


@pytest.mark.parametrize("f", REDUCTIONS, ids=lambda f: f.__name__)
def test_an_axis_may_be_a_number_of_numpy_or_no_axes(f: Any) -> None:
    x = leaf(X)
    of_numpy, usual = f(x, axis=np.int64(1)), f(x, axis=1)
    np.testing.assert_array_equal(of_numpy.data, usual.data)
    np.testing.assert_array_equal(gradient(of_numpy, x), gradient(usual, x))
    assert f(x, axis=()).shape == x.shape
    slope = 0.0 if f in (np.var, np.std) else 1.0
    np.testing.assert_allclose(gradient(f(x, axis=()), x), slope, atol=1e-15)


@pytest.mark.parametrize("f", REDUCTIONS[:-1], ids=lambda f: f.__name__)
def test_integers_and_truth_values_are_constants(f: Any) -> None:
    for x in (np.arange(6).reshape(2, 3), X > 2.0):
        if x.dtype == bool and f in (np.max, np.min):
            continue
        y = f(Tensor(x), axis=1)
        assert isinstance(y, Tensor)
        assert not y.requires_grad
        np.testing.assert_array_equal(y.numpy(), f(x, axis=1))


def test_logsumexp_of_integers_is_of_floats() -> None:
    y = logsumexp(Tensor([1, 1]))
    assert y.dtype == float
    assert y.item() == pytest.approx(1.0 + np.log(2.0))


@pytest.mark.parametrize("f", [np.mean, np.var, np.std], ids=lambda f: f.__name__)
def test_of_no_elements_there_is_no_mean(f: Any) -> None:
    x = leaf(np.empty((0, 3)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the wording is NumPy's, as is the nan
        y = f(x, axis=0)
    assert np.isnan(y.data).all()
    assert gradient(y, x).shape == (0, 3)
    assert f(x, axis=1).shape == (0,)
    assert gradient(f(x, axis=1), x).shape == (0, 3)


def test_of_no_elements_the_sum_is_0_and_the_product_1() -> None:
    x = leaf(np.empty((0, 3)))
    for f, value in ((np.sum, 0.0), (np.prod, 1.0), (logsumexp, -np.inf)):
        y = f(x, axis=0)
        np.testing.assert_array_equal(y.data, np.full(3, value))
        assert gradient(y, x).shape == (0, 3)


def test_too_few_elements_for_ddof_give_what_numpy_gives() -> None:
    x = leaf([1.0, 2.0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = np.var(x, ddof=2)
    assert y.data == np.inf
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        np.testing.assert_array_equal(gradient(y, x), [-np.inf, np.inf])


def test_the_slope_of_a_deviation_of_0_is_0() -> None:
    x = leaf([[2.0, 2.0, 2.0], [1.0, 2.0, 3.0]])
    np.testing.assert_array_equal(gradient(np.std(x, axis=1), x)[0], np.zeros(3))
    (g,) = grad(np.std(x, axis=1).sum(), [x], create_graph=True)
    (h,) = grad((g * np.arange(3.0)).sum(), [x])
    np.testing.assert_array_equal(h.data[0], np.full(3, np.nan))
    assert np.isfinite(h.data[1]).all()
    assert gradient(np.std(x, axis=1), x)[1, 2] == pytest.approx(1 / np.sqrt(6))


def test_one_zero_gets_the_product_of_the_others() -> None:
    x = leaf([[2.0, 0.0, 3.0], [0.0, 0.0, 3.0], [2.0, 1.0, 3.0]])
    got = gradient(np.prod(x, axis=1), x)
    np.testing.assert_array_equal(got, [[0, 6, 0], [0, 0, 0], [3, 6, 2]])


def test_products_too_small_or_large_for_their_type_have_gradients() -> None:
    x = leaf([1e-200, 1e-150])  # their product is 0
    np.testing.assert_array_equal(gradient(np.prod(x), x), [1e-150, 1e-200])
    x = leaf([1e200, 1e150])
    with pytest.warns(RuntimeWarning, match="overflow"):
        y = np.prod(x)
    np.testing.assert_array_equal(gradient(y, x), [1e150, 1e200])
    x = leaf([np.nan, 0.0, 2.0])
    np.testing.assert_array_equal(gradient(np.prod(x), x), [0.0, np.nan, np.nan])


def test_a_third_derivative_of_a_product_with_zeros() -> None:
    x = leaf([0.0, 0.0, 0.0, 5.0])
    (g,) = grad(np.prod(x), x, create_graph=True)
    (h,) = grad(g[0], x, create_graph=True)
    (third,) = grad(h[1], x)
    np.testing.assert_array_equal(third.data, [0.0, 0.0, 5.0, 0.0])


@pytest.mark.parametrize("n", range(9))
def test_products_of_others(n: int) -> None:
    x = np.arange(2.0, 2.0 + 2 * n).reshape(2, n)
    right = [[np.prod(np.delete(row, i)) for i in range(n)] for row in x]
    np.testing.assert_array_equal(others(x), np.reshape(right, (2, n)))


def test_weights_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match=r"average: .*\(3,\).*\(2, 3\).*axis=0"):
        np.average(leaf(X), axis=0, weights=np.ones(3))
    with pytest.raises(ValueError, match="average"):
        np.average(leaf(X), weights=np.ones(3))
    with pytest.raises(ZeroDivisionError, match="average: weights sum to 0"):
        np.average(leaf([1.0, 2.0]), weights=[1.0, -1.0])


def test_logsumexp_neither_overflows_nor_warns() -> None:
    x = leaf([[1000.0, 1000.0], [-1000.0, -1000.0], [-np.inf, 0.0], [-np.inf] * 2])
    y = logsumexp(x, axis=1)
    right = [1000.0 + np.log(2.0), -1000.0 + np.log(2.0), 0.0, -np.inf]
    np.testing.assert_allclose(y.data, right)
    shares = [[0.5, 0.5], [0.5, 0.5], [0.0, 1.0], [0.0, 0.0]]
    np.testing.assert_allclose(gradient(y, x), shares)
    (g,) = grad(logsumexp(x, axis=1).sum(), x, create_graph=True)
    np.testing.assert_allclose(g.data, shares)
    (second,) = grad(g[0, 0], x)
    np.testing.assert_allclose(second.data[:2], [[0.25, -0.25], [0.0, 0.0]])


def test_logsumexp_of_infinity_and_nan() -> None:
    assert logsumexp(Tensor([np.inf, 1.0])).item() == np.inf
    assert np.isnan(logsumexp(Tensor([np.nan, 1.0])).item())


@pytest.mark.parametrize(
    ("x", "y", "slope"),
    [
        (-np.inf, -np.inf, 0.0),
        (-np.inf, 0.0, 0.0),
        (0.0, -np.inf, 1.0),
        (0.0, np.inf, 0.0),
        (np.inf, 0.0, 1.0),
    ],
)
def test_logaddexp_of_infinities(x: float, y: float, slope: float) -> None:
    leaves = leaf([x]), leaf([y])
    (first,) = grad(np.logaddexp(*leaves).sum(), leaves[0], create_graph=True)
    assert first.tolist() == [slope]
    assert [g.tolist() for g in grad(first.sum(), leaves)] == [[0.0], [0.0]]


def test_logaddexp_of_numbers_far_apart_keeps_its_second_slope() -> None:
    x = Tensor([30.0, 1000.0, -1000.0], requires_grad=True, dtype=np.float32)
    (first,) = grad(np.logaddexp(x, 0.0).sum(), x, create_graph=True)
    assert first.tolist() == [1.0, 1.0, 0.0]
    (second,) = grad(first.sum(), x)
    assert second.dtype == np.float32
    np.testing.assert_allclose(second.data, [np.exp(-30.0), 0.0, 0.0], rtol=1e-6)


def test_large_numbers_do_not_lose_a_variance() -> None:
    x = leaf(X[0] + 1e8)
    np.testing.assert_allclose(gradient(np.var(x), x), gradient(np.var(x - 1e8), x))


@pytest.mark.parametrize("name", ["sort", "ptp", "median", "average"])
def test_tensors_have_no_method_that_arrays_lack_or_that_sorts_in_place(
    name: str,
) -> None:
    assert not hasattr(Tensor, name)


@pytest.mark.parametrize("axis", [-1, (-1,), 2, 1])
def test_products_are_summed_along_an_axis_of_three(axis: Any) -> None:
    x, y = np.arange(24.0).reshape(2, 3, 4), np.sin(np.arange(24.0)).reshape(2, 3, 4)
    got = dot_along(x, y, axis)
    np.testing.assert_allclose(got, (x * y).sum(axis=axis, keepdims=True), rtol=1e-14)
