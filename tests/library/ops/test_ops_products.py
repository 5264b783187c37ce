"""Products where cases cannot show them: bad input, lists, forms of axes."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.tape.tensor import Tensor


def leaf(*shape: int) -> Tensor:
    return Tensor(np.arange(1.0, 1.0 + np.prod(shape)).reshape(shape), True)


@pytest.mark.parametrize(
    ("product", "said"),
    [
        (lambda: np.dot(leaf(2, 3), leaf(2)), "dot: .*shape (2, 3).*shape (2,)"),
        (lambda: leaf(2, 2, 3).dot(leaf(2, 3)), "dot: .*shape (2, 2, 3).*(2, 3)"),
        (lambda: np.inner(leaf(2, 3), leaf(2)), "inner: .*shapes (2, 3) and (2,)"),
        (
            lambda: np.tensordot(leaf(2, 3), leaf(2, 3)[:1]),
            "tensordot: axes 2 of shapes (2, 3) and (1, 3)",
        ),
        (lambda: np.tensordot(leaf(2), leaf(2), 2), "tensordot: axes 2 of"),
        (lambda: np.tensordot(2.0, leaf(2), 1), "tensordot: axes 1 of"),
        (
            lambda: np.tensordot(leaf(2, 3), leaf(3, 2), ([0, 1], [1])),
            "tensordot: axes ([0, 1], [1]) of shapes (2, 3) and (3, 2)",
        ),
        (
            lambda: np.tensordot(leaf(2, 2), leaf(2, 2), ([0, 0], [0, 1])),
            "tensordot: axes ([0, 0], [0, 1])",
        ),
        (lambda: np.tensordot(leaf(2), leaf(2), ([1], [0])), "tensordot: axes ([1]"),
        (lambda: np.tensordot(leaf(2), leaf(2), (0, 0, 0)), "tensordot: axes (0, 0"),
        (lambda: np.vdot(leaf(2), leaf(3)), "vdot: x of shape (2,) and y of shape"),
    ],
)
def test_shapes_that_do_not_fit_are_named(product: Any, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said).replace(r"\.\*", ".*")):
        product()


PRODUCTS = [np.dot, np.inner, np.outer, np.vdot, np.kron, np.tensordot]


@pytest.mark.parametrize("product", PRODUCTS)
def test_what_is_no_array_of_numbers_is_refused(product: Any) -> None:
    with pytest.raises(TypeError, match="must be a tensor, an array or a number"):
        product(leaf(2), "ab")


@pytest.mark.parametrize("product", PRODUCTS)
def test_lists_and_integers_are_constants(product: Any) -> None:
    x, y = leaf(2, 2), [[1, 2], [3, 4]]
    for arguments, same in ([(x, y), (x.data, y)], [(y, x), (y, x.data)]):
        found = product(*arguments)
        np.testing.assert_array_equal(found.data, product(*same))
        found.sum().backward()
        assert x.grad is not None
        assert x.grad.dtype == np.float64


def test_kron_takes_any_shapes_that_numpy_takes() -> None:
    for a in ((), (2,), (2, 3), (2, 1, 2)):
        for b in ((), (3,), (0, 2), (2, 2, 2)):
            right = np.kron(leaf(*a).data, leaf(*b).data)
            np.testing.assert_array_equal(np.kron(leaf(*a), leaf(*b)).data, right)


def test_axes_may_be_arrays_tuples_and_numpy_integers() -> None:
    a, b = leaf(2, 3), leaf(3, 2)
    right = np.tensordot(a.data, b.data, (1, 0))
    for axes in (((1,), (0,)), [[1], [0]], np.array([1, 0]), (np.int64(1), [0])):
        np.testing.assert_array_equal(np.tensordot(a, b, axes).data, right)
    right = np.tensordot(a.data, b.data, 1)
    np.testing.assert_array_equal(np.tensordot(a, b, np.int64(1)).data, right)
