"""Order, repetition and diagonals: what their cases cannot say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.exceptions import AxisError

from autograd_lib.engine.tape.tensor import Tensor
from tests.library.ops.test_ops_reductions import gradient, leaf

X = np.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (lambda x: np.flip(x, 2), r"flip: axis=2 does not fit shape \(2, 3\)"),
        (lambda x: np.flip(x, (0, -2)), r"flip: axis=\(0, -2\).*each named once"),
        (lambda x: np.fliplr(x[0]), r"flip: axis=1 does not fit shape \(3,\)"),
        (lambda x: np.flipud(x[0, 0]), r"flip: axis=0.*no axes"),
        (lambda x: np.roll(x, 1, axis=2), r"roll: axis=2 does not fit shape \(2, 3\)"),
        (lambda x: np.rot90(x[0]), r"rot90: axis=\(0, 1\) does not fit shape \(3,\)"),
        (lambda x: np.rot90(x, axes=(0, 0)), r"rot90: axis=\(0, 0\)"),
        (lambda x: np.rot90(x, axes=(0,)), r"rot90: axis=\(0,\)"),
        (lambda x: np.repeat(x, 2, axis=2), r"repeat: axis=2 does not fit shape"),
        (lambda x: np.diagonal(x, axis2=2), r"diagonal: axis=\(0, 2\)"),
        (lambda x: np.diagonal(x, axis1=1), r"diagonal: axis=\(1, 1\)"),
        (
            lambda x: np.moveaxis(x, 0, 2),
            "moveaxis: source=0, destination=2 d",
        ),
        (
            lambda x: np.swapaxes(x, 0, 2),
            "swapaxes: .*axis2=2 .*axes are -2 to 1",
        ),
    ],
)
def test_an_axis_that_is_not_there(f: Any, message: str) -> None:
    with pytest.raises(AxisError, match=message):
        f(leaf(X))


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (lambda x: np.diagonal(x[0]), r"diagonal: needs two axes, got shape \(3,\)"),
        (lambda x: np.trace(x[0]), r"diagonal: needs two axes"),
        (lambda x: np.diag(x[None]), r"diag: .*got shape \(1, 2, 3\); diagonal"),
        (lambda x: np.diag(x[0, 0]), r"diag: .*got shape \(\)"),
        (lambda x: np.tril(x[0, 0]), r"tril: .*shape \(\)"),
        (lambda x: np.triu(x[0, 0]), r"triu: .*shape \(\)"),
        (lambda x: np.repeat(x, [1, 2], axis=1), r"repeat: .*3 of them.*shape \(2,\)"),
        (lambda x: np.repeat(x, 1.5), r"repeat: .*whole number.*float64"),
        (lambda x: np.repeat(x, [[1]]), r"repeat: .*shape \(1, 1\)"),
        (lambda x: np.repeat(x, -1), "negative"),
        (lambda x: np.tile(x, -1), "negative"),
        (lambda x: np.pad(x, [1, 2, 3]), r"pad: pad_width=\[1, 2, 3\].*shape \(2, 3\)"),
        (lambda x: np.pad(x, -1), "negative"),
        (lambda x: x.flatten("A"), r"flatten: order must be 'C' or 'F', got 'A'"),
        (lambda x: np.reshape(x, 4), r"reshape: shape=4 does .* \(2, 3\)"),
        (lambda x: np.reshape(x, 6, "A"), "reshape: order"),
        (lambda x: np.broadcast_to(x, (3, 2)), r"_to: shape=\(3, 2\) d.*\(2, 3\)"),
    ],
)
def test_what_does_not_fit_is_refused(f: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        f(leaf(X))


@pytest.mark.parametrize("mode", ["mean", "linear_ramp", "none"])
def test_what_is_made_of_several_elements_is_not_put_around(mode: str) -> None:
    with pytest.raises(NotImplementedError, match=f"pad: mode='{mode}'.*'constant'"):
        np.pad(leaf(X), 1, mode=mode)
    with pytest.raises(NotImplementedError, match=r"pad: mode='reflect'.*odd"):
        np.pad(leaf(X), 1, mode="reflect", reflect_type="odd")


def test_what_is_put_around_is_a_constant() -> None:
    with pytest.raises(TypeError, match=r"pad: constant_values.*np\.concatenate"):
        np.pad(leaf(X), 1, constant_values=leaf(1.0))


@pytest.mark.parametrize("shape", [(0,), (0, 2), (2, 0)], ids=str)
def test_empty_arrays(shape: tuple[int, ...]) -> None:
    x = leaf(np.empty(shape))
    results = [np.flip(x), np.roll(x, 2), np.tile(x, 2), np.repeat(x, 2), np.pad(x, 1)]
    results += [np.repeat(x, np.zeros(shape[0], int), axis=0), x.flatten(), np.diag(x)]
    results += [np.atleast_3d(x), np.triu(x)]
    for y in results:
        assert gradient(y, x).shape == shape
    assert np.trace(leaf(np.empty((0, 0)))).item() == 0.0


def test_views_are_views_and_copies_copies() -> None:
    x = Tensor(X)
    x[0, 0] = 7.0
    for y in (np.flip(x), np.rot90(x), np.atleast_3d(x), np.diagonal(x), np.diag(x)):
        assert np.shares_memory(y.data, x.data)
    for y in (x.flatten(), np.roll(x, 1), np.tile(x, 1), np.repeat(x, 1), np.pad(x, 0)):
        assert not np.shares_memory(y.data, x.data)
    assert np.atleast_1d(x) is x


def test_a_diagonal_and_copies_by_broadcasting_cannot_be_written_into() -> None:
    x = leaf(X) * 1.0
    for y in (np.diagonal(x), np.diag(x), np.broadcast_to(x, (2, 2, 3))):
        with pytest.raises(ValueError, match=r"read-only|for reading only"):
            y[0] = 1.0
    np.testing.assert_array_equal(x.data, X)


def test_a_write_through_a_turned_view_goes_where_it_belongs() -> None:
    x = leaf(X)
    y = x * 1.0
    np.flip(y, 1)[0, 0] = 5.0
    np.rot90(y)[0, 1] = 6.0
    np.testing.assert_array_equal(y.data, [[0, 1, 5], [3, 4, 6]])
    np.testing.assert_array_equal(gradient(y, x), [[1, 1, 0], [1, 1, 0]])


def test_several_at_once() -> None:
    a, b, c = np.atleast_2d(leaf(1.0), np.ones(2), leaf(X))
    assert [t.shape for t in (a, b, c)] == [(1, 1), (1, 2), (2, 3)]
    assert (a.requires_grad, b.requires_grad) == (True, False)


def test_how_often_may_be_a_tensor_and_changed_afterwards() -> None:
    times = np.array([1, 2, 0])
    x = leaf(X)
    y = np.repeat(x, Tensor(times), axis=1)
    z = np.repeat(x, times, axis=1)
    times[:] = 9
    for result in (y, z):
        np.testing.assert_array_equal(gradient(result, x), [[1, 2, 0], [1, 2, 0]])


def test_integers_are_constants() -> None:
    x = Tensor(np.arange(6).reshape(2, 3))
    for f in (np.flip, np.ravel, np.diag, np.triu):
        assert f(x).dtype == int
        assert not f(x).requires_grad
    assert np.trace(x).item() == 4
