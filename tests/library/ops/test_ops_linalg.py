"""Linear algebra where cases cannot show it: bad input and singularity."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib.check.checks import gradgradcheck
from autograd_lib.engine.ops import linalg
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.operations.case import normal

LinAlgError = np.linalg.LinAlgError
FUNCTIONS = [np.linalg.inv, np.linalg.det, np.linalg.slogdet, np.linalg.cholesky]
SINGULAR = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.0, 1.0, 1.0]])


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 3, 2)])
def test_matrices_that_are_not_square_are_named(function: Any, shape: Any) -> None:
    said = rf"{function.__name__}: a must be square .* got shape \({str(shape)[1:-1]}\)"
    with pytest.raises(LinAlgError, match=said):
        function(Tensor(np.ones(shape), True))


@pytest.mark.parametrize("function", [*FUNCTIONS, lambda x: np.linalg.solve(x, x)])
def test_numbers_are_needed(function: Any) -> None:
    with pytest.raises(NotImplementedError):
        np.linalg.eig(Tensor(np.eye(2), True))
    with pytest.raises(TypeError, match="float16 is unsupported"):
        function(Tensor(np.eye(2), True, dtype=np.float16))


@pytest.mark.parametrize(
    ("a", "b"), [((3, 3), (2,)), ((3, 3), ()), ((3, 3), (2, 3)), ((2, 3, 3), (2, 3))]
)
def test_sides_that_do_not_fit_are_named(a: Any, b: Any) -> None:
    with pytest.raises(ValueError, match=r"solve: b, of shape .* as many rows as a"):
        np.linalg.solve(Tensor(np.ones(a), True), Tensor(np.ones(b), True))
    with pytest.raises(LinAlgError, match=r"solve: a must be square"):
        np.linalg.solve(Tensor(np.ones((2, 3)), True), np.ones(2))
    with pytest.raises(TypeError, match="must be a tensor, an array or a number"):
        np.linalg.solve(Tensor(np.eye(2), True), "ab")


def test_as_in_numpy_singular_matrices_raise_where_an_inverse_is_needed() -> None:
    x = Tensor(SINGULAR, True)
    for refused in (
        lambda: np.linalg.inv(x),
        lambda: np.linalg.solve(x, np.ones(3)),
        lambda: np.linalg.cholesky(x - 9.0),
    ):
        with pytest.raises(LinAlgError):
            refused()


def test_a_matrix_that_is_refused_is_named_with_its_place_and_a_way_out() -> None:
    stack = Tensor(np.stack([np.eye(3), SINGULAR]), True)
    for refused, said in (
        (lambda: np.linalg.inv(stack), r"inv: a, .* singular at index \(1,\); .*pinv"),
        (
            lambda: np.linalg.solve(stack, np.ones(3)),
            r"solve: a, of shape \(2, 3, 3\), is singular at index \(1,\); .*lstsq",
        ),
        (
            lambda: np.linalg.cholesky(stack[1] - 9.0),
            r"cholesky: a, of shape \(3, 3\), is not positive definite; ",
        ),
        (
            lambda: np.linalg.svd(Tensor(stack.data * np.nan)),
            r"svd: a, .* does not converge at index \(0,\); look for NaN",
        ),
    ):
        with pytest.raises(LinAlgError, match=said):
            refused()


def test_a_constant_on_either_side_of_solve() -> None:
    a, b = normal(3, 3), normal(3)
    for x, y in ((Tensor(a, True), b.tolist()), (a.tolist(), Tensor(b, True))):
        found = np.linalg.solve(x, y)
        np.testing.assert_allclose(found.data, np.linalg.solve(a, b), rtol=1e-12)
        found.sum().backward()


def test_slogdet_returns_a_pair_with_names() -> None:
    x = Tensor(normal(2, 3, 3), True)
    right = np.linalg.slogdet(x.data)
    found = np.linalg.slogdet(x)
    sign, logarithm = found
    assert found.sign is sign
    assert isinstance(logarithm, Tensor)
    np.testing.assert_array_equal(sign, right[0])
    np.testing.assert_array_equal(found.logabsdet.data, right[1])


def test_one_singular_matrix_of_a_stack_spoils_no_other() -> None:
    x = Tensor(np.stack([SINGULAR, 2.0 * np.eye(3), np.zeros((3, 3))]), True)
    np.linalg.slogdet(x).logabsdet.backward(np.ones(3))
    assert x.grad is not None
    np.testing.assert_array_equal(x.grad.data[1], np.eye(3) / 2)
    assert np.isinf(x.grad.data[0][np.linalg.matrix_rank(SINGULAR) :]).any()
    assert np.isnan(x.grad.data[2]).all()  # 0 over 0


def cofactors(a: np.ndarray) -> np.ndarray:
    """Return cofactors as school teaches them: determinants of what is left."""
    found = np.zeros(a.shape)
    for i, j in np.ndindex(a.shape):
        rest = np.delete(np.delete(a, i, 0), j, 1)
        found[i, j] = (-1) ** (i + j) * np.linalg.det(rest)
    return found


@pytest.mark.parametrize("n", [2, 3, 4, 6])
@pytest.mark.parametrize("missing", [0, 1, 2, 3])
def test_slopes_of_det_are_cofactors_for_every_rank(n: int, missing: int) -> None:
    rank = max(n - missing, 0)
    a = normal(n, rank) @ normal(rank, n, seed=1) if rank else np.zeros((n, n))
    x = Tensor(a, True)
    np.linalg.det(x).backward()
    assert x.grad is not None
    np.testing.assert_allclose(x.grad.data, cofactors(a), rtol=1e-10, atol=1e-12)


def test_cofactors_of_large_matrices_are_those_of_the_inverse() -> None:
    a = normal(60, 60) / 8
    x = Tensor(a, True)
    np.linalg.det(x).backward()
    right = np.linalg.det(a) * np.linalg.inv(a).T
    assert x.grad is not None
    scale = np.abs(right).max()
    np.testing.assert_allclose(x.grad.data, right, rtol=1e-9, atol=1e-12 * scale)


def derivatives(a: Any, order: int) -> Any:
    """Return weighted derivatives of det, one inside the other."""
    y = np.linalg.det(a)
    for i in range(order):
        (g,) = grad(y, a, create_graph=True)
        assert g is not None
        y = (g * normal(*a.shape, seed=i)).sum()
    return y


@pytest.mark.parametrize("order", [1, 2, 3])
def test_higher_derivatives_of_det_are_those_of_differences(order: int) -> None:
    a, h = normal(4, 4), 1e-5
    x = Tensor(a, True)
    (found,) = grad(derivatives(x, order), x)
    assert found is not None
    for index in np.ndindex(a.shape):
        step = np.zeros(a.shape)
        step[index] = h
        up, down = (derivatives(Tensor(b, True), order) for b in (a + step, a - step))
        slope = (up.item() - down.item()) / (2 * h)
        assert found.data[index] == pytest.approx(slope, rel=1e-6, abs=1e-7)


def test_third_derivatives_of_a_singular_matrix_raise() -> None:
    x = Tensor(SINGULAR, True)
    second = derivatives(x, 2)
    with pytest.raises(LinAlgError):
        grad(second, x)


def test_nan_and_infinity_in_a_matrix_make_nan_slopes_of_det() -> None:
    for bad in (np.nan, np.inf):
        x = Tensor(np.stack([np.eye(2), np.full((2, 2), bad)]), True)
        with np.errstate(invalid="ignore"):
            np.linalg.det(x).backward(np.ones(2))
        assert x.grad is not None
        np.testing.assert_array_equal(x.grad.data[0], np.eye(2))
        assert np.isnan(x.grad.data[1]).all()


def test_cholesky_reads_half_of_the_matrix_and_gives_it_the_gradient() -> None:
    a = normal(3, 3) @ normal(3, 3).T + np.eye(3)
    for upper in (False, True):
        x = Tensor(a, True)
        np.linalg.cholesky(x, upper=upper).sum().backward()
        half = np.triu if upper else np.tril
        assert x.grad is not None
        np.testing.assert_array_equal(x.grad.data, half(x.grad.data))


def test_integers_are_constants() -> None:
    x = Tensor([[2, 0], [0, 4]])
    assert np.linalg.det(x).item() == pytest.approx(8.0)
    np.testing.assert_array_equal(np.linalg.inv(x).data, [[0.5, 0.0], [0.0, 0.25]])


def test_a_stack_in_which_one_matrix_has_no_inverse() -> None:
    regular, singular = [[2.0, 1.0], [0.0, 3.0]], [[1.0, 2.0], [2.0, 4.0]]
    a = Tensor([[regular], [singular]], requires_grad=True)
    (slope,) = grad(np.linalg.slogdet(a)[1], a, np.array([[5.0], [7.0]]))
    assert slope is not None
    assert np.allclose(slope.data[0, 0], 5.0 * np.linalg.inv(regular).T)
    assert (slope.data[1, 0] == np.inf * np.array([[1.0, -1.0], [-1.0, 1.0]])).all()


def test_third_derivatives_of_determinants_in_a_stack() -> None:
    a = normal(2, 4, 4)  # of 3 by 3 the third derivative is the same at every matrix

    def slopes(a: Tensor) -> Any:
        a = a if a.requires_grad else Tensor(a.numpy(), requires_grad=True)
        return grad(np.linalg.det(a), a, np.array([1.3, -0.7]), create_graph=True)

    # The witness is a difference of first derivatives, and one of second derivatives.
    gradgradcheck(slopes, a)


def test_half_of_a_matrix_is_that_below_and_half_of_its_diagonal() -> None:
    a = normal(2, 4, 3, 3)
    half = linalg.lower_half(a)
    np.testing.assert_array_equal(half, np.tril(a, -1) + np.tril(np.triu(a)) / 2)
