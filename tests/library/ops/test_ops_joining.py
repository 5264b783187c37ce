"""Joining and splitting: what the cases cannot say."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from numpy.exceptions import AxisError

from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor
from tests.library.ops.test_ops_reductions import gradient, leaf

A, B = np.ones((2, 3)), np.ones((2, 2))
STACKS = [np.stack, np.vstack, np.hstack, np.dstack, np.column_stack, np.concatenate]


@pytest.mark.parametrize("f", STACKS, ids=lambda f: f.__name__)
def test_shapes_that_do_not_fit_are_all_named(f: Any) -> None:
    other = np.ones((4, 5, 6))
    with pytest.raises(ValueError, match=r"must|may") as error:
        f([leaf(A), other])
    assert f"{f.__name__}: " in str(error.value)
    assert "(2, 3" in str(error.value)
    assert "(4, 5, 6)" in str(error.value)
    assert "reshape" in str(error.value)


def test_lengths_that_do_not_fit_are_named_and_not_all_of_many() -> None:
    with pytest.raises(ValueError, match=r"^stack: .*one shape.*\(2, 3\), \(2, 2\)"):
        np.stack([leaf(A), leaf(B)])
    with pytest.raises(ValueError, match=r"^concatenate: .*along axis 0 only"):
        np.concatenate([leaf(A), leaf(B)])
    assert np.concatenate([leaf(A), leaf(B)], axis=1).shape == (2, 5)
    with pytest.raises(ValueError, match="…"):
        np.concatenate([leaf(A)] * 9 + [B])


def test_numbers_are_stacked_and_not_joined() -> None:
    with pytest.raises(ValueError, match=r"shape \(\) has no axis.*np\.stack"):
        np.concatenate([leaf(1.0), leaf(2.0)])
    assert np.stack([leaf(1.0), 2.0]).tolist() == [1.0, 2.0]


@pytest.mark.parametrize("f", STACKS, ids=lambda f: f.__name__)
def test_nothing_cannot_be_joined(f: Any) -> None:
    from autograd_lib.engine.numpy.protocol import OPERATIONS

    with pytest.raises(ValueError, match=f"{f.__name__}: needs one tensor at least"):
        OPERATIONS[f]([])
    with pytest.raises(TypeError, match=f"{f.__name__}: needs a list or tuple"):
        OPERATIONS[f](3.0)
    with pytest.raises(TypeError, match="an operand must be a tensor"):
        f([leaf(A), "words"])


def test_axes_that_are_not_there() -> None:
    with pytest.raises(AxisError, match=r"concatenate: axis=2 does not fit"):
        np.concatenate([leaf(A), A], axis=2)
    with pytest.raises(
        AxisError, match=r"stack: axis=3 does not fit shape \(2, 2, 3\)"
    ):
        np.stack([leaf(A), A], axis=3)
    for f in (np.split, np.array_split):
        with pytest.raises(AxisError, match=rf"{f.__name__}: axis=2 does not fit"):
            f(leaf(A), 1, axis=2)


def test_parts_that_cannot_be_equal() -> None:
    message = r"split: axis 1 of shape \(2, 3\) cannot be cut into 2.*array_split"
    with pytest.raises(ValueError, match=message):
        np.split(leaf(A), 2, axis=1)
    for f in (np.split, np.array_split):
        with pytest.raises(ValueError, match="needs one part at least, got 0"):
            f(leaf(A), 0)


def test_parts_are_views_and_a_list() -> None:
    x = leaf(A) * 1.0
    parts = np.split(x, [1])
    assert isinstance(parts, list)
    assert all(np.shares_memory(part.data, x.data) for part in parts)
    assert [p.shape for p in np.array_split(leaf(np.ones(5)), 3)] == [(2,), (2,), (1,)]


def test_a_part_that_is_not_used_gets_zeros() -> None:
    x = leaf(A)
    first, _, last = np.split(x, 3, axis=1)
    np.testing.assert_array_equal(gradient(first + last, x), [[1, 0, 1], [1, 0, 1]])


def test_arrays_among_tensors_are_constants() -> None:
    x = leaf(A, np.float32)
    with pytest.warns(UserWarning, match="concatenate: an operand of float64"):
        y = np.concatenate([A, x, [[1.0, 2.0, 3.0]], x * 2.0])
    assert y.dtype == np.float64
    g = grad(y.sum(), x)[0]
    assert g is not None
    assert g.dtype == np.float32
    np.testing.assert_array_equal(g.data, np.full((2, 3), 3.0))
    assert not np.stack([Tensor(A), A]).requires_grad


def test_the_rows_of_a_tensor_stacked_again() -> None:
    x = leaf(A)
    for f in (np.stack, np.vstack):
        np.testing.assert_array_equal(gradient(f(x), x), A)
        np.testing.assert_array_equal(gradient(f(list(x)), x), A)
        np.testing.assert_array_equal(gradient(f(tuple(x)), x), A)


def test_grids() -> None:
    assert np.meshgrid(leaf([1.0, 2.0]), 3.0)[1].shape == (1, 2)
    x = Tensor([1.0, 2.0])
    grid, _ = np.meshgrid(x, [3.0])
    x *= 10.0  # which copies do not see, as NumPy's
    grid += 0.5
    assert grid.tolist() == [[1.5, 2.5]]
    with pytest.raises(ValueError, match="meshgrid: indexing must be 'xy' or 'ij'"):
        np.meshgrid(leaf([1.0]), indexing="yx")


@pytest.mark.parametrize("join", [np.concatenate, np.stack])
def test_a_join_writes_over_no_array(join: Any) -> None:
    out = join([A, A])
    with pytest.raises(TypeError, match="out= would write over an array"):
        join([leaf(A), A], out=out)


@pytest.mark.parametrize("join", [np.concatenate, np.stack])
@pytest.mark.parametrize("shape", [(3,), (2, 3), (1,), (1, 1)])
def test_tensors_side_by_side_are_asked_for_in_a_list(join: Any, shape: Any) -> None:
    said = rf"^{join.__name__}: axis is a whole number, got .*; several .* list, \[x, y"
    for other in (leaf(np.ones(shape)), np.ones(shape)):
        with pytest.raises(TypeError, match=re.compile(said, re.DOTALL)):
            join(leaf(np.ones(shape)), other)
