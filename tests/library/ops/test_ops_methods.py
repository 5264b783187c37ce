"""Operators and methods that arrays have, and what tensors refuse."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.numpy.protocol import REFUSED
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.ops.test_ops_reductions import X, gradient, leaf


def test_bits_of_whole_numbers_and_truth_values() -> None:
    a, b = np.array([6, 3, 12]), np.array([3, 1, 2])
    f = (operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift)
    for op in f:
        right = op(a, b)
        for got in (op(Tensor(a), Tensor(b)), op(Tensor(a), b), op(a, Tensor(b))):
            assert type(got) is np.ndarray
            assert got.tolist() == right.tolist()
        assert op(12, Tensor(b)).tolist() == op(12, b).tolist()
        t = Tensor(a)
        same = getattr(operator, f"i{op.__name__.strip('_')}")(t, b)
        assert same is t
        assert t.tolist() == right.tolist()
    mask = Tensor(a > 3)
    assert (~mask).tolist() == [False, True, False]
    assert (mask & (Tensor(b) > 1)).tolist() == [True, False, True]
    message = (
        r"bitwise_and: needs whole numbers or truth values, got float64.*\(t > 0\)"
    )
    with pytest.raises(TypeError, match=message):
        leaf([1.0, 2.0]) & mask[:2]
    with pytest.raises(TypeError, match="invert: needs whole numbers"):
        ~leaf(1.0)


def test_pythons_own_functions_of_numbers() -> None:
    x = leaf([7.5, -7.5])
    quotient, rest = divmod(x, 2.0)
    assert type(quotient) is np.ndarray
    assert quotient.tolist() == [3.0, -4.0]
    assert gradient(rest, x).tolist() == [1.0, 1.0]
    assert divmod(15.0, x)[0].tolist() == [2.0, -2.0]
    assert round(leaf([1.26, -2.5]), 1).tolist() == [1.3, -2.5]
    assert round(leaf([1.26, -2.5])).tolist() == [1.0, -2.0]


def test_what_an_array_says_of_its_memory() -> None:
    x = leaf(X)
    assert (x.strides, x.nbytes, x.itemsize) == (X.strides, 48, 8)
    assert x.T.flags.f_contiguous
    for name in ("strides", "nbytes", "itemsize", "flags"):
        with pytest.raises(AttributeError):
            setattr(x, name, 1)


def test_methods_of_arrays() -> None:
    x = leaf(X)
    np.testing.assert_array_equal(x.compress([True, False], axis=0).data, X[:1])
    assert Tensor([1.0, 2.0, 4.0]).searchsorted(3.0) == 2
    assert Tensor([2, 0, 1]).argpartition(0)[0] == 1
    assert Tensor([1, 0]).choose([leaf([1.0, 2.0]), 5.0]).tolist() == [5.0, 2.0]
    y = x * 1.0
    y.fill(leaf(3.0))
    assert gradient(y.sum(), x).tolist() == [[0.0] * 3] * 2
    with pytest.raises(ValueError, match=r"fill: needs one value, got shape \(3,\)"):
        (x * 1.0).fill([1.0, 2.0, 3.0])
    with pytest.raises(RuntimeError, match="in-place write: this tensor is a leaf"):
        x.fill(0.0)


@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_what_writes_into_an_array_is_refused_with_the_way_out(function: Any) -> None:
    x = leaf(np.ones((2, 2)))
    arguments = {
        np.copyto: (x, 1.0),
        np.fill_diagonal: (x, 1.0),
    }.get(function, (x, np.array([[True, False]] * 2), 1.0))
    with pytest.raises(TypeError, match=rf"numpy\.{function.__name__}: would write"):
        function(*arguments)
    assert x.tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_lists_that_change_later_do_not_change_a_gradient() -> None:
    x, shift, axes = leaf([1.0, 5.0]), [1], [0]
    y, z = np.roll(x * 1.0, shift, axes), np.flip(x * 1.0, axes)
    shift[0] = axes[0] = 0
    axes.append(3)
    assert grad(y[:1].sum(), x)[0].tolist() == [0.0, 1.0]  # type: ignore[union-attr]
    assert grad(z[:1].sum(), x)[0].tolist() == [0.0, 1.0]  # type: ignore[union-attr]


def test_small_things_that_numpy_accepts() -> None:
    x = leaf([1.0, 2.0, 4.0])
    assert np.transpose(x, 0).tolist() == [1.0, 2.0, 4.0]
    assert np.diff(x, n=0, prepend=[9.0], append=[8.0]).tolist() == [1.0, 2.0, 4.0]
    assert np.kron(x, 3.0).tolist() == np.kron(3.0, x).tolist() == [3.0, 6.0, 12.0]
    assert np.array_equiv(x, [[1.0, 2.0, 4.0]] * 2)
    with pytest.raises(IndexError, match=r"take: indices from 3 to 3 do not fit"):
        np.take(leaf(np.ones((0, 2))), 3, -1)
