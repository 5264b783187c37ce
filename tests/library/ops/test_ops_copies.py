"""Copies and types: what is shared, what is recorded, and what cannot be."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.tape.tensor import Tensor


@pytest.mark.parametrize("f", [np.copy, np.positive, operator.pos, lambda t: t.copy()])
def test_a_copy_is_real_and_recorded(f: Any) -> None:
    t = Tensor([1.0, 2.0], requires_grad=True)
    y = f(t)
    assert not np.shares_memory(y, t)
    y[0] = 5.0  # a leaf would refuse
    assert t.tolist() == [1.0, 2.0]
    y.sum().backward()
    assert t.grad.tolist() == [0.0, 1.0]


def test_orders_in_memory_are_numpys() -> None:
    x = np.asfortranarray(np.ones((2, 3)))
    t = Tensor(x)
    assert np.copy(t, order="F").data.flags.f_contiguous
    assert t.copy().data.flags.c_contiguous
    assert t.copy("F").data.flags.f_contiguous
    assert t.copy(order="F").data.flags.f_contiguous


def test_the_gradient_comes_back_in_the_type_of_the_input() -> None:
    t = Tensor([1.0, 2.0], requires_grad=True, dtype=np.float32)
    y = t.astype(float)
    assert y.dtype == np.float64
    (y * y).sum().backward()
    assert t.grad.dtype == np.float32
    assert t.grad.tolist() == [2.0, 4.0]


def test_there_and_back_within_the_graph() -> None:
    t = Tensor([1.0, 2.0], requires_grad=True)
    seen: list[Any] = []
    half = t.astype(np.float32)
    half.register_hook(lambda g: seen.append(g.dtype))
    (half.astype("float64") * 3.0).sum().backward()
    assert seen == [np.float32]
    assert t.grad.dtype == np.float64
    assert t.grad.tolist() == [3.0, 3.0]


def test_whole_numbers_are_constants_either_way() -> None:
    t = Tensor([1.7, -0.2], requires_grad=True)
    for dtype in (int, bool, np.uint8, "int32"):
        y = abs(t).astype(dtype)
        assert isinstance(y, Tensor)
        assert not y.requires_grad
        assert y.dtype == np.dtype(dtype)
    y = Tensor([1, 2]).astype(float).requires_grad_()
    (y * y).sum().backward()
    assert y.grad.tolist() == [2.0, 4.0]


def test_real_numbers_become_complex_and_not_the_other_way() -> None:
    assert Tensor([1.0]).astype(complex).dtype == complex
    z = Tensor([1.0], requires_grad=True).astype(complex)
    assert z.dtype == complex
    assert z.requires_grad
    with pytest.raises(TypeError, match=r"astype: .*complex128.* float64.*t\.real"):
        z.astype(float)


def test_without_a_copy_the_same_type_is_the_same_tensor() -> None:
    t = Tensor([1.0], requires_grad=True)
    assert t.astype(float, copy=False) is t
    assert t.astype(float) is not t
    assert not np.shares_memory(t.astype(float), t)


def test_numpys_function_is_the_method() -> None:
    t = Tensor([1.0], requires_grad=True)
    assert np.astype(t, np.float32).dtype == np.float32
    assert np.astype(t, np.float32).requires_grad


def test_a_type_that_there_is_not() -> None:
    with pytest.raises(TypeError, match="float12"):
        Tensor([1.0]).astype("float12")


@pytest.mark.parametrize("dtype", [str, object, "datetime64[s]"])
def test_a_type_that_holds_no_numbers(dtype: Any) -> None:
    for t in (Tensor([1.0], True), Tensor([1])):
        with pytest.raises(
            TypeError, match=r"^astype: tensors hold numbers, got .*\.d"
        ):
            t.astype(dtype)
