"""Writes that are refused leave numbers, nodes and the clock as they were."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.numpy.coercion import from_numpy
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.engine.writes.versions import version_of
from tests.library.helpers.witness_of_writes import leaf
from tests.library.helpers.written_programs import X, change

V = leaf([1.0, 2.0, 3.0, 4.0])
BASE = leaf(X) * 1.0
FREED = BASE[1:]
FREED.sum().backward()
SHOWN = Tensor(X)
VIEW = SHOWN[1:]
READ_ONLY = from_numpy(np.broadcast_to(1.0, (3, 4)))
LEAF = leaf(X)
IDLE_VIEW = LEAF[1:]
IDLE_VIEW.sum().backward()
REFUSED: dict[str, tuple[Tensor, Any, type[Exception], str]] = {
    "a leaf": (leaf(X), 1.0, RuntimeError, "is a leaf.*no_grad"),
    "a view of a leaf": (leaf(X).T[1:], 1.0, RuntimeError, "is a view of a leaf"),
    "a freed view of a leaf": (IDLE_VIEW, 1.0, RuntimeError, "is a view of a leaf"),
    "a detached leaf": (
        leaf(X).detach().requires_grad_()[0],
        1.0,
        RuntimeError,
        "leaf",
    ),
    "a freed view": (FREED, 1.0, RuntimeError, "make the view again"),
    "integers": (Tensor([[1, 2, 3, 4]]), V, TypeError, "int64.*gradient.*floats"),
    "truth values": (Tensor([[True] * 4]), V, TypeError, "bool.*floats"),
    "a constant that is shown": (SHOWN, V, RuntimeError, "other tensors.*copy"),
    "an array shown as one": (READ_ONLY, 1.0, ValueError, "t = t [+] 1"),
    "broadcast": (np.broadcast_to(leaf(1.0) * V, (3, 4)), 1.0, ValueError, "several"),
    "a value too large": (
        leaf(X) * 1.0,
        np.ones((2, 3, 4)),
        ValueError,
        "shape|broadc",
    ),
    "a value that needs one": (leaf(X) * 1.0, leaf([1.0, 2.0]), ValueError, "shape"),
    "words": (leaf(X) * 1.0, "many", TypeError, "an array or a number"),
}


@pytest.mark.parametrize("symbol", ["=", "+=", "*="])
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_changes_nothing(name: str, symbol: str) -> None:
    t, value, error, message = REFUSED[name]
    data, node, version = t.data.copy(), t.node, version_of(t.data)
    with pytest.raises(error, match=message):
        change(t, symbol, value)
    np.testing.assert_array_equal(t.data, data)
    assert t.node is node
    assert version_of(t.data) == version


def test_complex_numbers_and_indices_that_do_not_fit_are_refused() -> None:
    t = leaf(X) * 1.0
    node = t.node
    with pytest.raises(TypeError, match="complex"):
        t *= 1j
    with pytest.raises(IndexError):
        t[3] = 0.0
    with pytest.raises(ValueError, match="broadcast"):
        t[0] = V[:3]
    assert t.node is node
    np.testing.assert_array_equal(t.data, X)


@pytest.mark.parametrize(
    ("index", "value", "error", "words"),
    [
        (0, np.ones(2), ValueError, r"shape \(2,\).*shape \(\)"),
        (0, [1.0], ValueError, r"shape \(1,\).*shape \(\)"),
        (np.array([True, True, False]), np.ones(3), ValueError, r"\(3,\).*\(2,\)"),
        (0, 10**400, OverflowError, "too large"),
        (0, 1j, TypeError, "complex"),
    ],
)
def test_a_value_that_does_not_fit_leaves_numbers_gradients_and_saves(
    index: Any, value: Any, error: type[Exception], words: str
) -> None:
    x = leaf([1.0, 2.0, 3.0])
    t = x * 2.0
    y = (t * t).sum()  # has saved t
    with pytest.raises(error, match=words):
        t[index] = value
    t.sum().backward(retain_graph=True)
    assert t.tolist() == [2.0, 4.0, 6.0]
    assert x.grad is not None
    assert x.grad.tolist() == [2.0, 2.0, 2.0]
    y.backward()
    assert x.grad.tolist() == [10.0, 18.0, 26.0]
