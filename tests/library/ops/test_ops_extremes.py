"""The largest, the smallest and the order: what their cases cannot say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.exceptions import AxisError

from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.ops.test_ops_reductions import gradient, leaf

EXTREMES = [np.max, np.min, np.ptp, np.median]


def test_ties_share_the_gradient_evenly() -> None:
    x = leaf([[1.0, 3.0, 3.0], [3.0, 2.0, 2.0]])
    third = 1.0 / 3.0
    np.testing.assert_allclose(
        gradient(np.max(x), x), [[0, third, third], [third, 0, 0]]
    )
    np.testing.assert_array_equal(
        gradient(np.min(x, axis=1), x), [[1, 0, 0], [0, 0.5, 0.5]]
    )
    np.testing.assert_array_equal(
        gradient(np.max(x, axis=0, keepdims=True), x), [[0, 1, 1], [1, 0, 0]]
    )
    assert not gradient(np.ptp(x * 0.0), x).any()


@pytest.mark.parametrize("f", EXTREMES, ids=lambda f: f.__name__)
def test_of_no_elements_there_is_none(f: Any) -> None:
    name = "max" if f is np.ptp else f.__name__
    x = leaf(np.empty((0, 3)))
    for axis in (None, 0, (0, 1)):
        with pytest.raises(ValueError, match=rf"^{name}: shape \(0, 3\).*no elements"):
            f(x, axis=axis)
    assert f(x, axis=1).shape == (0,)
    assert gradient(f(x, axis=1), x).shape == (0, 3)


@pytest.mark.parametrize("f", [np.max, np.min], ids=lambda f: f.__name__)
def test_a_nan_is_the_result_and_gets_the_gradient(f: Any) -> None:
    x = leaf([[1.0, np.nan, 2.0], [4.0, 5.0, 6.0]])
    y = f(x, axis=1)
    assert np.isnan(y.data[0])
    np.testing.assert_array_equal(gradient(y, x)[0], [0.0, 1.0, 0.0])


def test_infinities_are_numbers_like_others() -> None:
    x = leaf([np.inf, 1.0, np.inf, -np.inf])
    np.testing.assert_array_equal(gradient(np.max(x), x), [0.5, 0.0, 0.5, 0.0])
    np.testing.assert_array_equal(gradient(np.min(x), x), [0.0, 0.0, 0.0, 1.0])


def test_an_infinite_gradient_stays_where_it_belongs() -> None:
    x = leaf([1.0, 3.0])
    np.testing.assert_array_equal(gradient(np.max(x), x, np.inf), [0.0, np.inf])


def test_a_median_with_a_nan_is_nan() -> None:
    x = leaf([[1.0, np.nan, 2.0, 3.0], [4.0, 1.0, 6.0, 7.0]])
    y = np.median(x, axis=1)
    np.testing.assert_array_equal(y.data, [np.nan, 5.0])
    np.testing.assert_array_equal(gradient(y, x)[1], [0.5, 0.0, 0.5, 0.0])
    assert np.median(leaf([[1, np.nan]], np.float32)).dtype == np.float32


def test_equal_elements_keep_their_order() -> None:
    x = leaf([2.0, 1.0, 2.0, 1.0])
    got = gradient(np.sort(x), x, np.array([1.0, 2.0, 3.0, 4.0]))
    np.testing.assert_array_equal(got, [3.0, 1.0, 4.0, 2.0])


def test_sorting_what_has_nothing_to_sort() -> None:
    for shape in ((0,), (3, 0), (0, 3)):
        x = leaf(np.empty(shape))
        assert gradient(np.sort(x), x).shape == shape
    assert np.sort(leaf([np.nan, 1.0])).data.tolist()[0] == 1.0
    assert np.sort(Tensor([3, 1, 2])).tolist() == [1, 2, 3]


@pytest.mark.parametrize("f", [np.sort, *EXTREMES[2:]], ids=lambda f: f.__name__)
def test_an_axis_that_is_not_there(f: Any) -> None:
    with pytest.raises(AxisError, match=r"axis=2 does not fit shape \(2, 3\)"):
        f(leaf(np.ones((2, 3))), axis=2)
    if f is np.sort:
        with pytest.raises(AxisError, match=r"sort: .* has no axes"):
            f(leaf(1.0))
        with pytest.raises(TypeError, match="kind"):
            f(leaf([1.0]), kind="heapsort")


def test_the_second_derivative_of_a_sorted_product() -> None:
    x = leaf([3.0, 1.0, 2.0])
    (g,) = grad(
        (np.sort(x) * np.array([1.0, 2.0, 3.0]) * x).sum(), x, create_graph=True
    )
    (h,) = grad(g[0], x)
    np.testing.assert_array_equal(h.data, [0.0, 1.0, 3.0])
