"""Eigenvalues, singular values and Q·R where cases cannot show them."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.leaves.grad_mode import no_grad
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.node import Node
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.operations.case import normal

LinAlgError = np.linalg.LinAlgError
EQUAL = np.diag([2.0, 2.0, 5.0])


def leaf(array: Any) -> Tensor:
    return Tensor(array, requires_grad=True)


def gradient(y: Tensor, x: Tensor) -> np.ndarray:
    (g,) = grad(y, x)
    assert g is not None
    return g.data


@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4), (2, 3, 2)])
def test_results_are_those_of_numpy_under_its_names(shape: tuple[int, ...]) -> None:
    a = normal(*shape)
    for found, right in (
        (np.linalg.svd(leaf(a), False), np.linalg.svd(a, False)),
        (np.linalg.qr(leaf(a)), np.linalg.qr(a)),
        (np.linalg.svd(Tensor(a)), np.linalg.svd(a)),  # a constant: all vectors
    ):
        assert found._fields == right._fields
        for x, y in zip(found, right, strict=True):
            np.testing.assert_allclose(x.data, y, atol=1e-14)
    symmetric = a @ a.swapaxes(-1, -2)
    for half in "LUlu":
        values, vectors = np.linalg.eigh(leaf(symmetric), half)
        right = np.linalg.eigh(symmetric, half)
        np.testing.assert_allclose(values.data, right.eigenvalues, atol=1e-13)
        product = (vectors.data * values.data[..., None, :]) @ vectors.mT.data
        np.testing.assert_allclose(product, symmetric, atol=1e-13)
        only = np.linalg.eigvalsh(Tensor(symmetric), half)
        np.testing.assert_allclose(only.data, right.eigenvalues, atol=1e-13)


@pytest.mark.parametrize("half", "LU")
def test_eigenvectors_have_the_same_signs_recorded_or_not(half: str) -> None:
    """A sign is LAPACK's choice, and depends on which half it is given."""
    for a in normal(5, 6, 6):
        recorded = np.linalg.eigh(leaf(a), half).eigenvectors
        constant = np.linalg.eigh(Tensor(a), half).eigenvectors
        np.testing.assert_allclose(recorded.data, constant.data, atol=1e-13)


def test_the_slope_of_a_single_eigenvalue_is_finite_where_two_are_equal() -> None:
    x = leaf(EQUAL)
    w = np.linalg.eigh(x).eigenvalues
    np.testing.assert_array_equal(gradient(w[2], x), np.diag([0.0, 0.0, 1.0]))
    w = np.linalg.eigvalsh(x)
    np.testing.assert_allclose(gradient(w[0] + w[1], x), np.diag([1.0, 1.0, 0.0]))


VECTORS = {
    "eigh": lambda linalg, x: linalg.eigh(x)[1],
    "left": lambda linalg, x: linalg.svd(x)[0],
    "right": lambda linalg, x: linalg.svd(x)[2],
}


@pytest.mark.parametrize("name", VECTORS)
def test_the_vectors_of_equal_values_have_no_finite_gradient(name: str) -> None:
    x = leaf(EQUAL)
    y = (VECTORS[name](np.linalg, x) * normal(3, 3)).sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        g = gradient(y, x)
    assert not np.isfinite(g).all()


@pytest.mark.parametrize("name", VECTORS)
def test_in_pytorch_they_have_none_either(name: str) -> None:
    torch = pytest.importorskip("torch")
    t = torch.tensor(EQUAL, requires_grad=True)
    (VECTORS[name](torch.linalg, t) * torch.tensor(normal(3, 3))).sum().backward()
    assert not t.grad.isfinite().all()


def test_a_singular_value_of_0_leaves_square_matrices_their_gradients() -> None:
    x = leaf(np.diag([3.0, 1.0, 0.0]))
    u, s, v = np.linalg.svd(x)
    y = ((u * s[None, :]) @ v * normal(3, 3)).sum()  # the matrix itself
    np.testing.assert_allclose(gradient(y, x), normal(3, 3), atol=1e-14)
    x = leaf(np.diag([3.0, 0.0, 0.0])[:, :2])
    with np.errstate(all="ignore"):
        y = (np.linalg.svd(x, full_matrices=False).U * normal(3, 2)).sum()
        assert not np.isfinite(gradient(y, x)).all()


def test_what_has_no_derivative_is_refused_only_where_one_is_needed() -> None:
    a = normal(3, 2)
    with pytest.raises(
        ValueError, match=r"svd: full_matrices=True, .*\(3, 2\).*=False"
    ):
        np.linalg.svd(leaf(a))
    assert np.linalg.svd(Tensor(a)).U.shape == (3, 3)
    assert np.linalg.svd(leaf(a), compute_uv=False).shape == (2,)
    with pytest.raises(ValueError, match=r"svd: hermitian=True .*eigh"):
        np.linalg.svd(leaf(a), hermitian=True)
    for mode in ("complete", "raw", "other"):
        with pytest.raises(ValueError, match=rf"qr: mode must .*got '{mode}'"):
            np.linalg.qr(leaf(a), mode)


def test_constants_and_what_is_not_recorded_get_all_that_numpy_gives() -> None:
    a = normal(3, 2)
    with no_grad():
        assert np.linalg.svd(leaf(a)).Vh.shape == (2, 2)
        assert np.linalg.qr(leaf(a), "complete").Q.shape == (3, 3)
    assert np.linalg.qr(Tensor(a), "raw")[0].shape == (2, 3)
    assert np.linalg.qr(Tensor(a), "r").shape == (2, 2)
    c = a + 1j * normal(3, 2, seed=1)
    for name in ("svd", "qr"):
        found = getattr(np.linalg, name)(Tensor(c.T))
        for x, y in zip(found, getattr(np.linalg, name)(c.T), strict=True):
            np.testing.assert_array_equal(x.data, y)
    hermitian = c @ c.conj().T
    for half in "LU":
        found = np.linalg.eigh(Tensor(hermitian), half)
        for x, y in zip(found, np.linalg.eigh(hermitian, half), strict=True):
            np.testing.assert_array_equal(x.data, y)


def test_columns_that_are_linearly_dependent_have_no_gradient_of_q() -> None:
    x = leaf(np.zeros((3, 2)))
    y = np.linalg.qr(x).Q.sum()
    with pytest.raises(LinAlgError, match=r"qr: there is no gradient .*\(2, 2\)"):
        y.backward()


@pytest.mark.parametrize("name", ["svd", "svdvals", "qr", "pinv"])
def test_vectors_are_no_matrices(name: str) -> None:
    with pytest.raises(LinAlgError, match=rf"{name}: needs matrices .* shape \(3,\)"):
        getattr(np.linalg, name)(leaf(np.ones(3)))


def test_matrices_that_are_not_symmetric_in_shape_or_half_are_refused() -> None:
    for function in (np.linalg.eigh, np.linalg.eigvalsh):
        name = function.__name__
        with pytest.raises(LinAlgError, match=rf"{name}: a must be square .*\(2, 3\)"):
            function(leaf(np.ones((2, 3))))
        with pytest.raises(ValueError, match=rf"{name}: UPLO must be 'L' .*got 'X'"):
            function(leaf(np.eye(2)), "X")


def living() -> int:
    return sum(type(o) in (Tensor, Node) for o in gc.get_objects())


@pytest.mark.parametrize(
    "function",
    [np.linalg.eigh, lambda x: np.linalg.svd(x, full_matrices=False), np.linalg.qr],
)
def test_results_that_need_each_other_make_no_cycle(function: Any) -> None:
    """What a decomposition holds is freed at once, and not by the garbage collector."""
    gc.collect()
    gc.disable()
    try:
        x = leaf(normal(3, 3))
        before = living()
        for _ in range(5):
            function(x)
        after = living()
    finally:
        gc.enable()
    assert after == before


def test_integers_are_constants() -> None:
    x = Tensor([[2, 1], [1, 2]])
    np.testing.assert_allclose(np.linalg.eigvalsh(x).data, [1.0, 3.0])
    np.testing.assert_allclose(np.linalg.svdvals(x).data, [3.0, 1.0])
    assert not np.linalg.qr(x).R.requires_grad


def test_eigenvectors_of_stacks_of_stacks() -> None:
    weights = np.cos(np.arange(18.0)).reshape(2, 3, 3)
    a = np.sin(np.arange(18.0)).reshape(2, 3, 3) + np.diag([1.0, 4.0, 9.0])

    def slopes(shape: tuple[int, ...]) -> np.ndarray:
        x = Tensor(a.reshape(shape), requires_grad=True)
        vectors = np.linalg.eigh(x)[1]
        ((vectors**2) * weights.reshape(shape)).sum().backward()
        assert x.grad is not None
        return x.grad.numpy().reshape(a.shape)

    np.testing.assert_allclose(slopes((2, 1, 3, 3)), slopes(a.shape), rtol=1e-12)
