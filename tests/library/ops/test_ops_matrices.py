"""NumPy's other names for matrices, and products of several, where cases cannot."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograd_lib.engine.ops.more.matrix_products import cheapest_cuts
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.operations.case import normal

LinAlgError = np.linalg.LinAlgError
X, Y = normal(2, 3, 4), normal(2, 3, 4, seed=1)
CALLS: list[tuple[Any, tuple[np.ndarray, ...], dict[str, Any]]] = [
    (np.matrix_transpose, (X,), {}),
    (np.linalg.diagonal, (X,), {"offset": 1}),
    (np.linalg.trace, (X,), {"offset": -1}),
    (np.linalg.trace, (X,), {"dtype": np.float32}),
    (np.linalg.outer, (X[0, 0], Y[0, 0]), {}),
    (np.vecdot, (X, Y), {"axis": 0}),
    (np.linalg.vecdot, (X, Y[0]), {}),
    (np.cross, (X[..., :3], Y[0, :, :3]), {"axisb": 0}),
    (np.cross, (X, Y), {"axis": 1}),
    (np.cross, (X, Y), {"axisa": 1, "axisb": 1, "axisc": 0}),
    (np.linalg.cross, (X, Y[:1]), {"axis": 1}),
    (np.linalg.tensorinv, (normal(2, 3, 6),), {}),
    (np.linalg.tensorsolve, (normal(2, 3, 6), normal(2, 3)), {}),
    (np.linalg.tensorsolve, (normal(6, 3, 2), normal(3, 2)), {"axes": [0]}),
    *((np.linalg.matrix_power, (normal(3, 3), np.int64(n)), {}) for n in range(-4, 9)),
]


def leaf(array: Any) -> Tensor:
    return Tensor(array, requires_grad=True)


@pytest.mark.parametrize(("function", "arguments", "options"), CALLS)
def test_results_are_numpys(function: Any, arguments: Any, options: Any) -> None:
    found = function(leaf(arguments[0]), *arguments[1:], **options)
    right = function(*arguments, **options)
    assert found.dtype == right.dtype
    # Powers are products in another order than NumPy's, of numbers up to 1000.
    np.testing.assert_allclose(found.data, right, rtol=1e-9, atol=1e-11)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(1, 9), min_size=3, max_size=8), st.randoms())
def test_no_order_of_a_chain_is_cheaper(sizes: list[int], random: Any) -> None:
    def cost(i: int, j: int, cut: Any) -> int:
        if i == j:
            return 0
        k = cut(i, j)
        here = sizes[i] * sizes[k + 1] * sizes[j + 1]
        return cost(i, k, cut) + cost(k + 1, j, cut) + here

    cuts, last = cheapest_cuts(sizes), len(sizes) - 2
    least = cost(0, last, lambda i, j: cuts[i, j])
    for _ in range(5):
        assert least <= cost(0, last, lambda i, j: random.randrange(i, j))
    arrays = [normal(*shape) for shape in pairwise(sizes)]
    found = np.linalg.multi_dot([leaf(a) for a in arrays]).data
    right = np.linalg.multi_dot(arrays)
    np.testing.assert_allclose(found, right, atol=1e-12 * np.abs(right).max(initial=1))


@pytest.mark.parametrize(
    ("refused", "error", "said"),
    [
        (
            lambda: np.linalg.multi_dot([leaf(X[0]), leaf(X[0])]),
            *(ValueError, r"multi_dot: .*got shapes \[\(3, 4\), \(3, 4\)\]"),
        ),
        (lambda: np.linalg.multi_dot([leaf(X[0])]), ValueError, "two matrices or more"),
        (lambda: np.linalg.multi_dot([leaf(X), leaf(X)]), ValueError, "multi_dot: "),
        (
            lambda: np.linalg.multi_dot([leaf(X[0])] * 2, out=X[0]),
            *(TypeError, "multi_dot: out="),
        ),
        (
            lambda: np.linalg.matrix_power(leaf(X[0]), 2),
            *(LinAlgError, r"matrix_power: a must be square .*\(3, 4\)"),
        ),
        (
            lambda: np.linalg.matrix_power(leaf(np.eye(2)), 0.5),
            *(TypeError, "matrix_power: n must be an integer, got 0.5"),
        ),
        (
            lambda: np.linalg.outer(leaf(X[0]), X[0, 0]),
            *(ValueError, r"outer: .* two vectors, got shapes \(3, 4\) and \(4,\)"),
        ),
        (
            lambda: np.vecdot(leaf(X), X[0, 0, :3]),
            *(ValueError, r"vecdot: shapes \(2, 3, 4\) and \(3,\) do not fit"),
        ),
        (lambda: np.vecdot(leaf(X), X[:, :2]), ValueError, "vecdot: shapes"),
        (lambda: np.vecdot(leaf(X), X, axis=3), ValueError, "vecdot: axis=3"),
        (
            lambda: np.cross(leaf(X), X),
            *(ValueError, "cross: needs vectors of 3 elements, got 4 and 4; for 2"),
        ),
        (
            lambda: np.cross(leaf(X), X[:, :, :2], axis=1),
            *(ValueError, r"cross: .* \(2, 4, 3\) and \(2, 2, 3\) must broadcast"),
        ),
        (
            lambda: leaf(X[0, 0]).mT,
            *(LinAlgError, r"matrix_transpose: needs matrices .*\(4,\)"),
        ),
        (
            lambda: np.linalg.tensorsolve(leaf(X), X[0]),
            *(LinAlgError, r"tensorsolve: a, of shape \(2, 3, 4\), must have"),
        ),
        (
            lambda: np.linalg.tensorinv(leaf(X)),
            *(LinAlgError, r"tensorinv: a, of shape \(2, 3, 4\), must .*another ind"),
        ),
        (lambda: np.linalg.tensorinv(leaf(X), 0), ValueError, "ind must be positive"),
    ],
)
def test_what_does_not_fit_is_named(refused: Any, error: Any, said: str) -> None:
    with pytest.raises(error, match=said):
        refused()


@pytest.mark.skipif(not hasattr(np, "matvec"), reason="since NumPy 2.2")
def test_matrices_and_vectors_that_do_not_fit_are_named() -> None:
    x = X[..., :3]
    for name, left, right in (
        ("matvec", x, X[0]),
        ("matvec", x[0, 0], x[0, 0]),
        ("vecmat", x[:, :2], x[0, :2]),
        ("vecmat", x[0, :2], X[:, :2]),
    ):
        with pytest.raises(ValueError, match=rf"{name}: shapes .* do not fit"):
            getattr(np, name)(leaf(left), right)


def test_complex_vectors_on_the_left_are_conjugated() -> None:
    c = X[0, :2, :2] + 1j * Y[0, :2, :2]
    functions = [np.vecdot, np.linalg.vecdot]
    functions += [np.matvec, np.vecmat] if hasattr(np, "matvec") else []
    for function in functions:
        right = function(c, c[::-1])
        np.testing.assert_allclose(function(Tensor(c), c[::-1]).data, right)


def test_the_transposes_and_diagonals_are_views_that_see_writes() -> None:
    x = leaf(normal(3, 3))
    y = x * 1.0
    t = y.mT
    y[0, 1] = 5.0
    assert t.data[1, 0] == 5.0
    t.sum().backward()
    assert x.grad is not None
    assert x.grad.data[0, 1] == 0.0


def test_a_power_of_0_depends_on_nothing() -> None:
    x = leaf(normal(2, 2))
    np.linalg.matrix_power(x, 0).sum().backward()
    assert x.grad is not None
    np.testing.assert_array_equal(x.grad.data, np.zeros((2, 2)))
