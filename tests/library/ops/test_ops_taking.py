"""Indexing and taking: what the cases cannot say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.exceptions import AxisError

from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.ops.test_ops_reductions import gradient, leaf

X = np.arange(12.0).reshape(3, 4)


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (
            lambda x: np.take(x, [0, 3], axis=0),
            r"take: indices from 0 to 3 do not fit axis 0 of shape \(3, 4\).*-3 to 2",
        ),
        (lambda x: np.take(x, -13), r"take: .*shape \(12,\).*-12 to 11"),
        (
            lambda x: np.take_along_axis(x, np.array([[4]]), 1),
            r"take_along_axis: .*axis 1 of shape \(3, 4\).*-4 to 3",
        ),
        (lambda x: x[3], "index 3 is out of bounds for axis 0 with size 3"),
        (lambda x: x[0, 0, 0], "too many indices"),
        (lambda x: x[1.0], "only integers"),
        (lambda x: x["a"], "only integers"),
        (lambda x: x[np.ones((2, 2), bool)], "boolean"),
        (lambda x: x[[0, 1], [0, 1, 2]], "could not be broadcast"),
    ],
)
def test_out_of_range(f: Any, message: str) -> None:
    with pytest.raises(IndexError, match=message):
        f(leaf(X))


@pytest.mark.parametrize("f", [np.take, np.take_along_axis], ids=lambda f: f.__name__)
def test_numbers_that_are_not_whole(f: Any) -> None:
    for wrong, dtype in ((np.ones((3, 4)), "float64"), (X > 1.0, "bool")):
        with pytest.raises(TypeError, match=rf"{f.__name__}: .*{dtype}.*t\[mask\]"):
            f(leaf(X), wrong, axis=0)
    with pytest.raises(AxisError, match=rf"{f.__name__}: axis=2 does not fit"):
        f(leaf(X), np.array([[0]]), axis=2)


def test_indices_along_an_axis_have_the_others() -> None:
    message = r"take_along_axis: indices of shape \(3,\).*\(3, 4\).*expand_dims"
    with pytest.raises(ValueError, match=message):
        np.take_along_axis(leaf(X), np.array([0, 1, 2]), 1)
    with pytest.raises(ValueError, match=r"shape \(2, 1\)"):
        np.take_along_axis(leaf(X), np.array([[0], [1]]), 1)


def test_conditions_that_do_not_fit() -> None:
    for wrong in ([True] * 4, [[True]]):
        with pytest.raises(ValueError, match=r"compress: .*axis 0 of shape \(3, 4\)"):
            np.compress(wrong, leaf(X), axis=0)
    np.testing.assert_array_equal(
        np.compress([True, False, False, False], leaf(X), axis=0).data, X[:1]
    )


def test_rows_taken_several_times_add_up() -> None:
    x = leaf(X)
    for y in (np.take(x, [2, 2, 0], axis=0), x[[2, 2, 0]], x[(2, 2, 0),]):
        np.testing.assert_array_equal(gradient(y, x)[:, 0], [1.0, 0.0, 2.0])
    y = np.take_along_axis(x, np.array([[1, 1, 1]]), 1)
    np.testing.assert_array_equal(gradient(y, x)[0], [0.0, 3.0, 0.0, 0.0])


@pytest.mark.parametrize("length", [3, 400], ids=["few", "many"])
def test_few_and_many_rows_of_a_table(length: int) -> None:
    rows = np.random.default_rng(0).integers(-50, 50, length)
    rows[:3] = 7, 7, -43  # one row three times
    x, g = leaf(np.zeros((50, 4))), np.random.default_rng(1).normal(size=(length, 4))
    right = np.zeros((50, 4))
    np.add.at(right, rows, g)
    for table in (x, np.asfortranarray(x.data)):
        t = x if table is x else leaf(table)
        np.testing.assert_allclose(gradient(t[rows], t, g), right, atol=1e-14)
        np.testing.assert_allclose(gradient(t.T[:, rows], t, g.T), right, atol=1e-14)


def test_an_index_that_is_changed_afterwards() -> None:
    for index in (np.array([0, 1]), np.array([True, False, True])):
        x = leaf(X)
        y, z = x[index], x[index, 1:]
        right = gradient(y, x)
        index[:] = index[::-1] if index.dtype == int else True
        index[0] = index[1]
        np.testing.assert_array_equal(gradient(x[0:0], x), np.zeros((3, 4)))
        (g,) = grad(z.sum(), x)
        assert g is not None
        np.testing.assert_array_equal(g.data[:, 1:], right[:, 1:])
    numbers = np.array([0, 1])
    x = leaf(X)
    y = np.take(x, numbers, axis=0)
    numbers[:] = 2
    np.testing.assert_array_equal(gradient(y, x)[:, 0], [1.0, 1.0, 0.0])


def test_tensors_as_indices() -> None:
    x = leaf(X)
    for y in (
        x[Tensor([0, 0])],
        x[Tensor(0)],
        x[Tensor([True, False, True])],
        x[Tensor([0, 1]), Tensor([1, 1])],
        x[Tensor(0) : Tensor(2)],
        np.take_along_axis(x, Tensor(np.argsort(X, 1)), 1),
    ):
        assert isinstance(y, Tensor)
    with pytest.raises(IndexError):
        x[leaf([0.0, 1.0])]


def test_views_and_copies() -> None:
    x = leaf(X) * 1.0
    for part in (x[1], x[:, ::2], x[..., None], x[::-1], x[1, 1:]):
        assert np.shares_memory(part.data, x.data)
    for copy in (x[[1]], x[x > 3.0], np.take(x, 1, axis=0)):
        assert not np.shares_memory(copy.data, x.data)


def test_nothing_taken_of_nothing() -> None:
    x = leaf(np.empty((0, 3)))
    for y in (x[:], x[[]], x[np.empty((0, 3), bool)], np.take(x, [], axis=0), x.T[0]):
        assert gradient(y, x).shape == (0, 3)
    with pytest.raises(IndexError):
        np.take(x, [0], axis=0)


def test_a_third_derivative_through_an_index() -> None:
    x = leaf([1.0, 2.0])
    (g,) = grad((x[[0, 0, 1]] ** 3).sum(), x, create_graph=True)
    (h,) = grad(g[[0, 1]].sum(), x, create_graph=True)
    (third,) = grad(h.sum(), x)
    np.testing.assert_allclose(third.data, [12.0, 6.0])


def test_wrapped_and_clipped_numbers_name_rows() -> None:
    x = leaf(X)
    y = np.take(x, [-1, 3, 7], axis=0, mode="wrap")
    np.testing.assert_array_equal(gradient(y, x)[:, 0], [1.0, 1.0, 1.0])
    y = np.take(x, [-1, 3, 7], axis=0, mode="clip")
    np.testing.assert_array_equal(gradient(y, x)[:, 0], [1.0, 0.0, 2.0])
    with pytest.raises(ValueError, match="clipmode"):
        np.take(x, [0], axis=0, mode="other")
