"""Least squares and the pseudoinverse where cases cannot show them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.operations.case import normal

LinAlgError = np.linalg.LinAlgError


def leaf(array: Any) -> Tensor:
    return Tensor(array, requires_grad=True)


@pytest.mark.parametrize("a", [(4, 2), (3, 3), (2, 4)])
@pytest.mark.parametrize("columns", [(), (1,), (3,)])
@pytest.mark.parametrize("needed", [(True, True), (True, False), (False, False)])
def test_lstsq_gives_what_numpy_gives(a: Any, columns: Any, needed: Any) -> None:
    left, right = normal(*a), normal(a[0], *columns, seed=1)
    found = np.linalg.lstsq(Tensor(left, needed[0]), Tensor(right, needed[1]))
    for x, y in zip(found, np.linalg.lstsq(left, right), strict=True):
        np.testing.assert_allclose(getattr(x, "data", x), y, atol=1e-13)
        assert np.shape(getattr(x, "data", x)) == np.shape(y)


def test_at_the_least_sum_of_squares_only_the_line_matters() -> None:
    a, b = leaf(normal(5, 2)), leaf(normal(5))
    x, squares, _, _ = np.linalg.lstsq(a, b)
    error = b.data - a.data @ x.data
    slopes: Any = grad(squares, [a, b], np.ones(1))
    np.testing.assert_allclose(slopes[1].data, 2 * error, atol=1e-13)
    np.testing.assert_allclose(slopes[0].data, -2 * np.outer(error, x.data), atol=1e-13)


def test_rank_deficient_equations_are_refused_where_a_gradient_is_needed() -> None:
    a = np.outer(np.ones(3), [1.0, 2.0])
    assert np.linalg.lstsq(Tensor(a), np.ones(3))[2] == 1
    for x, y in ((leaf(a), np.ones(3)), (Tensor(a), leaf(np.ones(3)))):
        with pytest.raises(
            LinAlgError, match=r"lstsq: a, of shape \(3, 2\), has rank 1"
        ):
            np.linalg.lstsq(x, y)


def test_sides_that_do_not_fit_are_named() -> None:
    for a, b in (((3, 2), (2,)), ((3,), (3,)), ((2, 3, 2), (2, 3)), ((3, 2), ())):
        with pytest.raises(LinAlgError, match=r"lstsq: a must be a matrix, got shape"):
            np.linalg.lstsq(leaf(np.ones(a)), np.ones(b))


def test_small_singular_values_count_as_0() -> None:
    a = np.diag([1.0, 1e-9])
    found = np.linalg.pinv(leaf(a), rtol=1e-6)
    np.testing.assert_array_equal(found.data, np.diag([1.0, 0.0]))
    np.testing.assert_array_equal(np.linalg.pinv(leaf(a), 1e-6).data, found.data)
    with pytest.raises(ValueError, match="pinv: hermitian=True"):
        np.linalg.pinv(leaf(a), hermitian=True)
