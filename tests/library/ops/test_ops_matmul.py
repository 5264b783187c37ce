"""The matrix product where cases cannot show it: bad input, lists, few products."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.ops import matmul
from autograd_lib.engine.tape.tensor import Tensor


def leaf(*shape: int) -> Tensor:
    return Tensor(np.arange(1.0, 1.0 + np.prod(shape)).reshape(shape), True)


@pytest.mark.parametrize(
    ("left", "right", "said"),
    [
        ((2, 3), (2, 3), "last axis of the left operand, of shape (2, 3)"),
        ((3,), (2,), "only axis of the right, of shape (2,)"),
        ((), (2,), "got shapes () and (2,); use * for a number"),
        ((2, 3), (), "got shapes (2, 3) and (); use *"),
        ((2, 2, 3), (3, 3, 2), "shapes (2, 2, 3) and (3, 3, 2) must be of one length"),
    ],
)
def test_shapes_that_do_not_fit_are_named(left: Any, right: Any, said: str) -> None:
    with pytest.raises(ValueError, match=f"matmul: .*{re.escape(said)}"):
        leaf(*left) @ leaf(*right)


@pytest.mark.parametrize("other", ["ab", None, {}, [leaf(2), leaf(2)]])
def test_what_is_no_array_of_numbers_is_refused(other: Any) -> None:
    with pytest.raises(TypeError, match=r"tensor, an array or a number|lose"):
        leaf(2, 2) @ other


def test_a_list_may_stand_on_either_side() -> None:
    for product in (lambda x: [[1, 2], [3, 4]] @ x, lambda x: x @ [[1, 2], [3, 4]]):
        x = leaf(2, 2)
        product(x).sum().backward()
        y = Tensor(x.data, True)
        product(y).sum().backward()
        assert x.grad is not None
        assert x.grad.shape == (2, 2)
    assert y.grad is not None
    np.testing.assert_array_equal(y.grad.data, [[3.0, 7.0], [3.0, 7.0]])


def test_an_array_of_integers_is_a_constant() -> None:
    x = leaf(2)
    (np.array([[1, 2], [3, 4]]) @ x).sum().backward()
    assert x.grad is not None
    np.testing.assert_array_equal(x.grad.data, [4.0, 6.0])


def test_a_matrix_that_a_batch_shares_takes_one_product(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its gradient is one product of two matrices, and so is that of the batch."""
    shapes = []

    class Seen(np.ndarray):
        def __matmul__(self, other: Any) -> Any:
            shapes.append((self.shape, other.shape))
            return np.asarray(self) @ np.asarray(other)

    g, x, b = (np.ones(s).view(Seen) for s in ((8, 5, 3), (8, 5, 4), (4, 3)))
    assert matmul.vjp_left(g, (x.shape, b)).shape == x.shape
    assert matmul.vjp_right(g, (x, b.shape)).shape == b.shape
    assert shapes == [((40, 3), (3, 4)), ((4, 40), (40, 3))]
