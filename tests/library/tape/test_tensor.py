"""A tensor is an array: what it takes, what it shares, and what it says of itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.numpy.coercion import from_numpy
from autograd_lib.engine.tape.tensor import Tensor

KINDS = ["float16", "float32", "float64", "int8", "int64", "uint8", "bool", "complex64"]


class Subclass(np.ndarray):
    pass


def needing(*numbers: float) -> Tensor:
    return Tensor(list(numbers), requires_grad=True)


@pytest.mark.parametrize("kind", KINDS)
def test_it_copies_and_keeps_the_type(kind: str) -> None:
    array = np.ones((2, 3), kind)
    t = Tensor(array)
    assert (t.shape, t.ndim, t.size, t.dtype) == ((2, 3), 2, 6, np.dtype(kind))
    assert not np.shares_memory(t.data, array)
    assert type(t.data) is np.ndarray
    assert (t.requires_grad, t.is_leaf, t.grad, t.grad_fn) == (False, True, None, None)


@pytest.mark.parametrize(
    ("data", "shape", "kind"),
    [
        (3, (), int),
        (3.0, (), float),
        (True, (), bool),
        ([1, 2.5], (2,), float),
        ([[1], [2]], (2, 1), int),
        ((), (0,), float),
        ([np.float32(1), np.float32(2)], (2,), np.float32),
        ([Tensor(1.0), Tensor(2.0)], (2,), float),
        (Tensor([1, 2]), (2,), int),
        (range(3), (3,), int),
        (np.ones((1, 2)).view(Subclass), (1, 2), float),
        (np.ones((4, 4))[::2, 1:], (2, 3), float),
    ],
)
def test_what_it_can_be_made_from(data: Any, shape: Any, kind: Any) -> None:
    t = Tensor(data)
    assert (t.shape, t.dtype) == (shape, np.dtype(kind))
    assert type(t.data) is np.ndarray
    assert Tensor(data, dtype=np.float32).dtype == np.float32


@pytest.mark.parametrize("data", ["1", None, {}, object(), ["a"], [b"a"], [None, 1.0]])
def test_what_is_no_number_is_refused(data: Any) -> None:
    said = f"Tensor: needs numbers, got {re.escape(repr(data))[:40]}"
    for dtype in (None, float):
        with pytest.raises(TypeError, match=said):
            Tensor(data, dtype=dtype)


def test_times_and_objects_are_refused_by_their_type() -> None:
    for array in (np.array(["2020"], "datetime64"), np.array([1.0], object)):
        with pytest.raises(TypeError, match="needs numbers, got an array of"):
            Tensor(array)
        with pytest.raises(TypeError, match="from_numpy: needs numbers"):
            from_numpy(array)
    with pytest.raises(TypeError, match="Tensor: needs numbers"):
        Tensor([1.0], dtype=object)


def test_a_tensor_that_needs_a_gradient_is_not_copied_in_silence() -> None:
    for data in (needing(1.0), [needing(1.0)]):
        with pytest.raises(TypeError, match=r"lose the gradient .*, or t.detach"):
            Tensor(data)


@pytest.mark.parametrize("kind", ["int8", "int64", "uint8", "bool"])
def test_only_floats_have_gradients(kind: str) -> None:
    for make in (
        lambda a: Tensor(a, requires_grad=True),
        lambda a: Tensor(a).requires_grad_(),
        lambda a: setattr(Tensor(a), "requires_grad", True),
    ):
        with pytest.raises(
            TypeError, match=rf"only floating-point .* of {kind}: a step.*Write 1.0 for"
        ):
            make(np.ones(2, kind))
    t = Tensor(np.ones(2, kind), requires_grad=True, dtype=np.float32)
    assert (t.requires_grad, t.dtype) == (True, np.float32)


def test_from_numpy_shares() -> None:
    array = np.zeros((2, 2))
    t = from_numpy(array[0])
    array[0, 0] = 5.0
    t.data[1] = 7.0
    assert (t.tolist(), array[0].tolist()) == ([5.0, 7.0], [5.0, 7.0])
    assert not t.requires_grad
    assert type(from_numpy(array.view(Subclass)).data) is np.ndarray
    for other in ([1.0], 1.0, np.float64(1), Tensor(1.0)):
        with pytest.raises(
            TypeError, match=r"from_numpy: shares an array, got \w+; Te"
        ):
            from_numpy(other)  # type: ignore[arg-type]


def test_detach_shares_and_needs_no_gradient() -> None:
    x = needing(1.0, 2.0)
    y = x * 2
    d = y.detach()
    assert d.data is y.data
    assert (d.requires_grad, d.node) == (False, None)
    d.data[0] = 9.0
    assert y.tolist() == [9.0, 4.0]
    (x * d).sum().backward()
    z = (y * y).sum()
    d *= 5
    with pytest.raises(RuntimeError, match="saved an array that was written into"):
        z.backward()
    assert x.grad.tolist() == [9.0, 4.0]


def test_data_can_be_replaced_by_the_like() -> None:
    x = Tensor([1.0, 2.0], requires_grad=True, dtype=np.float32)
    new = np.array([3.0, 4.0], np.float32)
    x.data = new
    assert x.data is new
    x.data -= 1
    assert x.tolist() == [2.0, 3.0]
    x.data = from_numpy(new)  # type: ignore[assignment]
    for bad in ([1.0, 2.0], np.ones(2), np.ones((2, 1), np.float32), np.float32(1)):
        with pytest.raises(
            ValueError, match=r"data: a tensor of shape \(2,\) and float3"
        ):
            x.data = bad
    assert x.data is new
    assert x.requires_grad


@pytest.mark.parametrize(
    ("t", "text"),
    [
        (Tensor(3.0), "Tensor(3.)"),
        (Tensor([1, 2]), "Tensor([1, 2])"),
        (Tensor([True]), "Tensor([ True])"),
        (Tensor([1.0], dtype=np.float32), "Tensor([1.], dtype=float32)"),
        (Tensor([[1.0], [2.0]]), "Tensor([[1.],\n        [2.]])"),
        (Tensor([]), "Tensor([])"),
        (needing(1.0), "Tensor([1.], requires_grad=True)"),
        (-needing(1.0), "Tensor([-1.], grad_fn=<Node: negated (1,)>)"),
        (needing(1.0).detach(), "Tensor([1.])"),
    ],
)
def test_repr(t: Tensor, text: str) -> None:
    assert repr(t) == text


def test_repr_of_a_large_tensor_is_short() -> None:
    assert len(repr(Tensor(np.zeros((1000, 1000))))) < 500


def test_numbers_of_python() -> None:
    t = Tensor([[2.5]])
    assert (float(t), int(t), complex(t), t.item()) == (2.5, 2, 2.5 + 0j, 2.5)
    assert type(Tensor(2.5, dtype=np.float32).item()) is float
    assert type(Tensor(2).item()) is int
    assert [10, 20, 30][Tensor(1)] == 20
    assert needing(2.5).item() == 2.5
    assert needing(1.0, 2.0).tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match=r"item: a tensor of shape \(2,\) has no one"):
        Tensor([1.0, 2.0]).item()
    with pytest.raises(TypeError, match="float64 is no index"):
        [10, 20][Tensor(1.0)]  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "f", [np.float32, np.asarray, np.array, Tensor.numpy, Tensor, np.ones(1).dot]
)
def test_what_would_lose_a_gradient_is_refused(f: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match="would lose the gradient of a tensor that nee"):
        f(needing(2.0))
    f(Tensor([2.0]))
    f(needing(2.0).detach())


def test_numpy_shares_and_asarray_copies() -> None:
    t = Tensor([1.0, 2.0])
    assert t.numpy() is t.data
    assert not np.shares_memory(np.asarray(t), t.data)
    assert np.asarray(t, dtype=np.float32).dtype == np.float32


def test_truth_length_items() -> None:
    assert Tensor(1.0)
    assert not Tensor([0.0])
    with pytest.raises(ValueError, match="truth value"):
        bool(Tensor([1.0, 2.0]))
    t = needing(1.0, 2.0, 3.0)
    assert len(t) == 3
    assert 2.0 in t
    assert 4.0 not in t
    a, _, c = t
    (a * c).backward()
    assert t.grad.tolist() == [3.0, 0.0, 1.0]
    for f in (len, iter):
        with pytest.raises(TypeError):
            f(Tensor(1.0))
    assert list(Tensor([])) == []
    assert len({Tensor(1.0), Tensor(1.0)}) == 2


def test_there_are_no_subclasses() -> None:
    with pytest.raises(
        TypeError, match=r"Tensor has no subclasses: .* hold one instead"
    ):
        type("Mine", (Tensor,), {})


def test_attributes_of_ones_own_are_refused() -> None:
    with pytest.raises(AttributeError):
        Tensor(1.0).label = "x"  # type: ignore[attr-defined]
