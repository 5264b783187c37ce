"""Derivatives at equal eigenvalues and singular values: right, or NaN."""

import numpy as np
import pytest

from autograd_lib import Tensor, functional
from autograd_lib.forward import jacfwd

LINALG = np.linalg
Q = LINALG.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
MATRICES = {
    "identity": np.eye(3),
    "diagonal": np.diag([2.0, 2.0, 3.0]),
    "a pair": Q @ np.diag([2.0, 2.0, 3.0]) @ Q.T,
    "all": Q @ np.diag([2.0, 2.0, 2.0]) @ Q.T,
    "none": Q @ np.diag([1.0, 2.0, 3.0]) @ Q.T,
}
FUNCTIONS = {  # of the eigenvalues, and of the matrix
    "squares": (lambda w: (w**2).sum(), lambda a: (a * a).sum()),
    "logarithms": (lambda w: np.log(w).sum(), lambda a: LINALG.slogdet(a)[1]),
    "product": (np.prod, LINALG.det),
    "fourth powers": (lambda w: (w**4).sum(), lambda a: np.trace(a @ a @ a @ a)),
    "squared sum": (lambda w: w.sum() ** 2, lambda a: np.trace(a) ** 2),
}
WEIGHTS = np.arange(1.0, 4.0)


def symmetric(a):
    return (a + a.swapaxes(-1, -2)) * 0.5


def hessian(f, a):
    with np.errstate(divide="ignore", invalid="ignore"):
        return functional.jacobian(functional.grad(f))(Tensor(a)).data


@pytest.mark.parametrize("matrix", MATRICES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_second_derivatives_of_functions_of_eigenvalues(name, matrix):
    of_values, of_matrix = FUNCTIONS[name]
    a = MATRICES[matrix]
    found = hessian(lambda x: of_values(LINALG.eigvalsh(symmetric(x))), a)
    expected = hessian(lambda x: of_matrix(symmetric(x)), a)
    np.testing.assert_allclose(found, expected, atol=1e-11)


def test_a_stack_of_which_one_has_equal_eigenvalues():
    a = np.stack([MATRICES["all"], MATRICES["none"]])
    found = hessian(lambda x: (LINALG.eigvalsh(symmetric(x)) ** 2).sum() ** 2, a)
    expected = hessian(lambda x: (symmetric(x) ** 2).sum() ** 2, a)
    np.testing.assert_allclose(found, expected, atol=1e-11)


@pytest.mark.parametrize("matrix", ["identity", "a pair"])
def test_what_treats_equal_eigenvalues_differently_has_none(matrix):
    found = hessian(lambda x: LINALG.eigvalsh(symmetric(x))[0] ** 2, MATRICES[matrix])
    assert np.isnan(found).any()


@pytest.mark.parametrize("matrix", ["identity", "a pair", "all"])
def test_forward_mode_says_nan_where_it_does_not_know(matrix):
    def f(x):
        return (LINALG.eigvalsh(symmetric(x)) ** 2).sum()

    with np.errstate(divide="ignore", invalid="ignore"):
        for second in (jacfwd(functional.grad(f)), functional.jacobian(jacfwd(f))):
            assert np.isnan(second(Tensor(MATRICES[matrix])).data).any()


@pytest.mark.parametrize("turn", [np.eye(3), Q])
def test_vectors_that_take_no_part_may_have_equal_eigenvalues(turn):
    a = turn @ np.diag([1.0, 1.0, 3.0]) @ turn.T

    def f(x):
        v = LINALG.eigh(symmetric(x)).eigenvectors[:, -1]
        return (v @ WEIGHTS) ** 2

    found = functional.grad(f)(Tensor(a)).data
    u, h = turn[:, -1], 1e-6
    # dv = (dA·v - v·vᵀ·dA·v)/(3 - 1), and f = (v·c)².
    down = 2 * (u @ WEIGHTS) * (WEIGHTS - u * (u @ WEIGHTS)) / 2.0
    np.testing.assert_allclose(found, symmetric(np.outer(down, u)), atol=1e-12)
    assert np.abs(found).max() > h


def test_singular_vectors_that_take_no_part():
    found = functional.grad(lambda x: (LINALG.svd(x).U[:, 0] * WEIGHTS).sum())(
        Tensor(np.diag([3.0, 1.0, 1.0]))
    )
    assert np.isfinite(found.data).all()
    np.testing.assert_allclose(found.data[1:, 0], WEIGHTS[1:] * 3 / (9 - 1))


@pytest.mark.parametrize("decompose", ["eigh", "svd"])
def test_what_is_put_together_again_is_nan_and_not_a_part_of_the_gradient(decompose):
    def again(x):
        if decompose == "svd":
            u, s, v = LINALG.svd(x)
            return ((u * s) @ v * np.arange(9.0).reshape(3, 3)).sum()
        w, v = LINALG.eigh(x)
        return ((v * w) @ v.T * np.arange(9.0).reshape(3, 3)).sum()

    with np.errstate(divide="ignore", invalid="ignore"):
        found = functional.grad(again)(Tensor(np.eye(3))).data
    assert np.isnan(found).any()
