"""Norms: what their cases cannot say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.exceptions import AxisError

from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.ops.test_ops_reductions import gradient, leaf

M = np.array([[3.0, 0.0], [4.0, 0.0]])


@pytest.mark.parametrize("ord", [None, 1, 2, 3, 1.5, 0.5, np.inf, -np.inf], ids=str)
def test_at_0_the_gradient_is_0(ord: Any) -> None:
    x = leaf(np.zeros(3))
    np.testing.assert_array_equal(gradient(np.linalg.norm(x, ord), x), np.zeros(3))


@pytest.mark.parametrize("ord", [None, 2, 3])
def test_at_0_the_second_derivative_is_nan(ord: Any) -> None:
    x = leaf(np.zeros((2, 3)))
    x.data[1] = 1.0, 2.0, -2.0
    (g,) = grad(np.linalg.norm(x, ord, axis=1).sum(), [x], create_graph=True)
    (h,) = grad((g * np.array([1.0, 2.0, 3.0])).sum(), [x])
    np.testing.assert_array_equal(h.data[0], np.full(3, np.nan))
    assert np.all(h.data[1] != 0)
    assert np.isfinite(h.data[1]).all()


def test_a_row_of_zeros_does_not_spoil_the_others() -> None:
    x = leaf(M.T)
    for ord in (None, 2, 3):
        got = gradient(np.linalg.norm(x, ord, axis=1), x)
        np.testing.assert_array_equal(got[1], np.zeros(2))
        assert (got[0] > 0).all()
    np.testing.assert_allclose(gradient(np.linalg.norm(x), x), M.T / 5.0)


def test_a_power_below_2_where_some_elements_are_0() -> None:
    for ord in (1.5, 3.0):
        x = leaf([0.0, 4.0, -4.0])
        got = gradient(np.linalg.norm(x, ord), x)
        slope = 0.5 ** (1 - 1 / ord)  # (|x|/norm)**(p - 1), norm = 4·2**(1/p)
        np.testing.assert_allclose(got, [0.0, slope, -slope], rtol=1e-14)


def test_a_negative_power_at_0() -> None:
    x = leaf([0.0, 2.0])
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        y = np.linalg.norm(x, -1)
    assert y.data == 0.0
    np.testing.assert_array_equal(gradient(y, x), np.zeros(2))


def test_small_and_large_vectors_have_directions() -> None:
    for scale in (1e-100, 1.0, 1e100):
        x = leaf(np.array([3.0, 4.0]) * scale)
        np.testing.assert_allclose(gradient(np.linalg.norm(x), x), [0.6, 0.8])
        np.testing.assert_allclose(
            gradient(np.linalg.norm(x, 3), x), np.array([9.0, 16.0]) / 91 ** (2 / 3)
        )


@pytest.mark.parametrize("ord", [2, -2, "nuc", "fro", 1, np.inf])
def test_norms_of_matrices_are_those_of_numpy(ord: Any) -> None:
    a = np.random.default_rng(0).normal(size=(2, 3, 4))
    for options in ({"axis": (0, 2)}, {"axis": (2, 1), "keepdims": True}):
        right = np.linalg.norm(a, ord, **options)
        found = np.linalg.norm(leaf(a), ord, **options).data
        np.testing.assert_allclose(found, right, rtol=1e-13)
    right = np.linalg.matrix_norm(a, ord=ord)
    np.testing.assert_allclose(np.linalg.matrix_norm(leaf(a), ord=ord).data, right)
    right = np.linalg.cond(a[:, :, :3][..., :2, :2], ord)
    found = np.linalg.cond(leaf(a[:, :, :3][..., :2, :2]), ord).data
    np.testing.assert_allclose(found, right, rtol=1e-12)


def test_the_norm_of_several_axes_is_that_of_one_vector() -> None:
    a = np.random.default_rng(0).normal(size=(2, 3, 4))
    for ord in (2, 1, 3, np.inf):
        for axis in (None, 0, (1, 2), (2, 0)):
            for keepdims in (False, True):
                options = {"axis": axis, "ord": ord, "keepdims": keepdims}
                found = np.linalg.vector_norm(leaf(a), **options).data
                right = np.linalg.vector_norm(a, **options)
                assert found.shape == np.shape(right)
                np.testing.assert_allclose(found, right, rtol=1e-13)


def test_the_condition_of_a_singular_matrix() -> None:
    singular = np.array([[1.0, 2.0], [2.0, 4.0]])
    for p in (1, np.inf, "fro"):
        assert np.linalg.cond(Tensor(singular), p).data == np.inf  # as NumPy
        with pytest.raises(np.linalg.LinAlgError, match=r"a, .* \(2, 2\), is singular"):
            np.linalg.cond(leaf(singular), p)
    with pytest.raises(np.linalg.LinAlgError, match=r"cond: a must be square"):
        np.linalg.cond(leaf(np.ones((2, 3))), 1)
    for function in (np.linalg.cond, np.linalg.matrix_norm):
        with pytest.raises(np.linalg.LinAlgError, match=r"needs matrices.*\(2,\)"):
            function(leaf(np.ones(2)))


def test_counting_has_no_slope() -> None:
    with pytest.raises(NotImplementedError, match=r"norm: ord=0 counts.*count_nonzero"):
        np.linalg.norm(leaf([1.0, 0.0]), 0)


@pytest.mark.parametrize(
    ("x", "ord", "axis", "message"),
    [
        ([1.0], "fro", None, "vectors have no norm ord='fro'"),
        (M, 3, None, "matrices have no norm ord=3"),
        (M, "other", None, "matrices have no norm ord='other'"),
        (np.ones((2, 2, 2)), 1, None, r"ord=1 with axis=None of shape \(2, 2, 2\)"),
        (np.ones((2, 2, 2)), None, (0, 1, 2), "3 axes; name one for vectors"),
        (1.0, 2, None, r"shape \(\) is about 0 axes"),
    ],
)
def test_there_is_no_such_norm(x: Any, ord: Any, axis: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"norm: .*{message}"):
        np.linalg.norm(leaf(x), ord, axis)
    with pytest.raises(ValueError, match=r"norm"):  # in NumPy neither
        np.linalg.norm(np.array(x), ord, axis)


def test_an_axis_that_is_not_there() -> None:
    with pytest.raises(AxisError, match=r"norm: axis=2 does not fit shape \(2, 2\)"):
        np.linalg.norm(leaf(M), axis=2)
    with pytest.raises(AxisError, match=r"norm: axis=\(0, 0\)"):
        np.linalg.norm(leaf(M), axis=(0, 0))


def test_norms_of_integers_are_floats_and_constants() -> None:
    for ord in (None, 1, 2, 3, np.inf):
        y = np.linalg.norm(Tensor([3, -4]), ord)
        right = np.linalg.norm(np.array([3, -4]), ord)
        assert (y.dtype, y.requires_grad) == (np.dtype(float), False)
        assert y.item() == pytest.approx(right)


def test_nothing_has_the_norm_0() -> None:
    x = leaf(np.empty((0, 2)))
    np.testing.assert_array_equal(np.linalg.norm(x, axis=0).data, np.zeros(2))
    assert gradient(np.linalg.norm(x), x).shape == (0, 2)
