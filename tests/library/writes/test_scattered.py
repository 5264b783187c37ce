"""Writes at many places at once: every value counts, a wrong one changes nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib import checkpoint, compile, no_grad
from autograd_lib.engine import Tensor, grad

X = np.arange(6.0).reshape(3, 2)


def leaf(a: Any) -> Tensor:
    return Tensor(a, requires_grad=True)


def test_every_value_of_a_place_that_is_named_twice_is_added() -> None:
    t, v = Tensor(np.zeros(3)), leaf([1.0, 2.0, 4.0, 8.0])
    np.add.at(t, [0, 0, 2, 1], v)
    assert t.tolist() == [3.0, 8.0, 4.0]
    (found,) = grad((t * t).sum(), v)
    assert found.tolist() == [6.0, 6.0, 8.0, 16.0]


@pytest.mark.parametrize(
    "index", [0, slice(1, None), ([0, 2, 0], [1, 1, 1]), X[:, 0] > 1, (..., [1, 1])]
)
def test_each_index_adds_as_numpy_does(index: Any) -> None:
    expected, t, v = X.copy(), Tensor(X), leaf(2.5)
    np.add.at(expected, index, 2.5)
    np.add.at(t, index, v)
    assert t.tolist() == expected.tolist()
    (found,) = grad(t.sum(), v)
    assert found.item() == (expected - X).sum() / 2.5
    np.subtract.at(t, index, 2.5)
    assert t.tolist() == X.tolist()


def test_an_array_of_counts_takes_constants_and_refuses_a_gradient() -> None:
    counts = np.zeros(3)
    np.add.at(counts, Tensor([0, 0, 1]), Tensor([1.0, 2.0, 3.0]))
    np.put_along_axis(counts, Tensor([2]), Tensor([7.0]), 0)
    assert counts.tolist() == [3.0, 3.0, 7.0]
    with pytest.raises(TypeError, match=r"add\.at: an array would lose .* Tensor\(a\)"):
        np.add.at(counts, [0], leaf([1.0]))
    with pytest.raises(TypeError, match="put_along_axis: an array would lose"):
        np.put_along_axis(counts, np.array([0]), leaf([1.0]), 0)
    assert counts.tolist() == [3.0, 3.0, 7.0]


WRONG: list[Any] = [
    (lambda t: np.add.at(t, [0, 3], 1.0), IndexError, "indexing: .* does not fit"),
    (lambda t: np.add.at(t, [0], [1.0, 2.0, 3.0]), ValueError, r"add\.at: a value of"),
    (lambda t: np.put_along_axis(t, np.array([0]), 1.0, 1), ValueError, "as many axes"),
    (lambda t: np.put_along_axis(t, np.array([[9]]), 1.0, 1), IndexError, "from 9 to"),
    (lambda t: np.put_along_axis(t, np.array([[9]]), 1.0, None), ValueError, "one row"),
    (lambda t: np.put_along_axis(t, np.array([[0.5]]), 1.0, 1), TypeError, "whole"),
    (lambda t: np.maximum.at(t, 0, 9.0), TypeError, r"maximum\.at: would write .*add"),
]


@pytest.mark.parametrize(("write", "error", "message"), WRONG)
def test_a_wrong_write_changes_nothing(write: Any, error: Any, message: str) -> None:
    t = Tensor(X)
    with pytest.raises(error, match=message):
        write(t)
    assert t.tolist() == X.tolist()


def test_a_leaf_is_refused_and_moved_without_recording() -> None:
    w = leaf(X)
    for write in (lambda: np.add.at(w, [0, 0], 1.0), lambda: np.put_along_axis(
        w, np.array([[0]] * 3), 1.0, 1)):  # fmt: skip
        with pytest.raises(RuntimeError, match="a leaf that requires a gradient"):
            write()
    with no_grad():
        np.add.at(w, [0, 0], 1.0)
        np.put_along_axis(w, np.array([0]), 9.0, None)
    assert w.tolist() == [[9.0, 3.0], [2.0, 3.0], [4.0, 5.0]]


def messages(v: Tensor) -> Tensor:
    total = Tensor(np.zeros((3, 2)))
    np.add.at(total, np.array([0, 2, 0]), v)
    np.put_along_axis(total, np.array([[1], [0], [1]]), v.sum(1, keepdims=True), 1)
    return (total * total * total).sum()


def test_it_is_compiled_and_calculated_again() -> None:
    v = leaf(X + 1)
    (expected,) = grad(messages(v), v)
    step = compile(lambda v: grad(messages(v), v)[0])
    for _ in range(3):
        assert step(v).tolist() == expected.tolist()
    (again,) = grad(checkpoint(messages, v), v)
    assert again.tolist() == expected.tolist()


def test_all_elements_in_one_row() -> None:
    expected, t, v = X.copy(), Tensor(X), leaf([1.0, 2.0])
    np.put_along_axis(expected, np.array([5, 1]), [1.0, 2.0], None)
    np.put_along_axis(t, np.array([5, 1]), v, None)
    assert t.tolist() == expected.tolist()
    (found,) = grad((t * t).sum(), v)
    assert found.tolist() == [2.0, 4.0]
