"""What the tensor of Dependency does when something is wrong: it says so."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib.designs.dependency import Dependency, Tensor
from autograd_lib.designs.dependency_nn import tanh


def leaf(*shape: int) -> Tensor:
    return Tensor(np.arange(1.0, 1.0 + math.prod(shape)).reshape(shape), True)


NO_NUMBERS = [None, "1", 1j, [1j], {}, Tensor(1.0), [Tensor(1.0)], Tensor, object()]


@pytest.mark.parametrize("thing", NO_NUMBERS, ids=lambda thing: type(thing).__name__)
def test_what_is_no_array_of_numbers_is_refused(thing: Any) -> None:
    with pytest.raises(TypeError, match="Tensor: data must be real numbers, got"):
        Tensor(thing)
    if isinstance(thing, Tensor):
        return
    t = leaf(2)
    for sign, f in {"+": operator.add, "-": operator.sub, "@": operator.matmul}.items():
        for operands in ((t, thing), (thing, t)):
            with pytest.raises(TypeError, match=rf"Tensor \{sign}: data must be real"):
                f(*operands)
    with pytest.raises(TypeError, match="Tensor tanh: data must be real numbers"):
        tanh(thing)


def test_lists_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="Tensor: the lists have different lengths"):
        Tensor([[1.0], [1.0, 2.0]])


def test_whole_numbers_are_taken_as_floats() -> None:
    t = Tensor([1, 2, 3], requires_grad=True)
    half = t * 0.5
    half.sum().backward()
    assert t.data.dtype == float
    assert t.grad.data.tolist() == [0.5, 0.5, 0.5]
    assert Tensor(True).data == Tensor(np.uint8(1)).data == 1.0
    assert t[0].backward() is None
    assert t.grad.data.tolist() == [1.5, 0.5, 0.5]


@pytest.mark.parametrize("sign", ["+", "-", "*"])
def test_shapes_that_do_not_fit(sign: str) -> None:
    f = {"+": operator.add, "-": operator.sub, "*": operator.mul}[sign]
    message = rf"Tensor \{sign}: shapes \(2, 3\) and \(2,\) do not fit; .* equal, or"
    with pytest.raises(ValueError, match=message):
        f(leaf(2, 3), leaf(2))


@pytest.mark.parametrize("shapes", [((2, 3), (2, 3)), ((3,), ()), ((), (2,))])
def test_products_that_do_not_fit(shapes: Any) -> None:
    a, b = shapes
    with pytest.raises(ValueError, match=r"Tensor @: shapes .* do not fit; the last"):
        leaf(*a) @ leaf(*b)


@pytest.mark.parametrize("f", [float, int, math.sin, np.sin, np.tanh, len])
def test_what_would_lose_the_gradient_is_an_error(f: Callable[..., Any]) -> None:
    with pytest.raises(TypeError):
        f(leaf())


def test_an_index_beyond_the_end() -> None:
    with pytest.raises(IndexError, match="index 5 is out of bounds"):
        leaf(3)[5]
    with pytest.raises(TypeError, match="a single number has no elements"):
        list(leaf())


def test_backward_without_a_gradient_to_start_from() -> None:
    x = leaf(3)
    with pytest.raises(
        RuntimeError, match=r"of shape \(3,\) needs .* from its sum\(\)"
    ):
        (x * x).backward()
    with pytest.raises(ValueError, match=r"shape \(3,\) was handed .* shape \(2,\)"):
        (x * x).backward([1.0, 2.0])
    with pytest.raises(TypeError, match="backward: data must be real numbers"):
        (x * x).backward("abc")
    with pytest.raises(
        RuntimeError, match="made from nothing that requires a gradient"
    ):
        Tensor(3.0).backward()
    assert x.grad.data.tolist() == [0.0, 0.0, 0.0]


RULES: dict[str, Any] = {
    "raises": lambda grad: 1 / 0,
    "has the wrong shape": lambda grad: grad[:1],
    "returns nothing": lambda grad: None,
    "returns text": lambda grad: "a",
    "returns complex numbers": lambda grad: np.array([1j, 1j]),
}


@pytest.mark.parametrize("rule", RULES)
def test_a_walk_that_fails_changes_nothing(rule: str) -> None:
    x, y, z = leaf(2), leaf(2), leaf(2)
    broken = Tensor(z.data, True, [Dependency(z, RULES[rule])])
    inner = x * y
    inner.sum().backward()
    before = [t.grad for t in (x, y, z, inner, broken)]
    out = (inner + broken).sum()
    with pytest.raises((ValueError, TypeError, ZeroDivisionError)):
        out.backward()
    after = [t.grad for t in (x, y, z, inner, broken)]
    assert all(a is b for a, b in zip(after, before, strict=True))
    assert out.grad is None


def test_a_cycle_made_by_hand() -> None:
    x = leaf()
    y = x * 2
    out = y + 1
    y.depends_on.append(Dependency(out, lambda grad: grad))
    with pytest.raises(ValueError, match="made from itself"):
        out.backward()
    assert x.grad.data == 0.0


# In place: a leaf's data are replaced, and a graph that exists keeps what it used.

UPDATES: dict[str, Callable[[Any, Any], Any]] = {
    "+=": operator.iadd,
    "-=": operator.isub,
    "*=": operator.imul,
}


@pytest.mark.parametrize("sign", UPDATES)
@pytest.mark.parametrize("requires_grad", [True, False])
def test_a_leaf_takes_other_data(sign: str, requires_grad: bool) -> None:
    array = np.array([3.0, 4.0])
    x, other = Tensor(array, requires_grad), Tensor([2.0, 5.0])
    same = UPDATES[sign](x, other)
    assert same is x
    assert x.data.tolist() == UPDATES[sign](array.copy(), other.data).tolist()
    assert x.grad is None
    assert x.requires_grad is requires_grad
    assert array.tolist() == [3.0, 4.0]


@pytest.mark.parametrize("way", [*UPDATES, "data"])
def test_a_graph_keeps_the_arrays_that_it_used(way: str) -> None:
    x, w = Tensor([3.0, 4.0], True), Tensor([[1.0, 2.0], [3.0, 4.0]], True)
    out = (w @ (x * x) + tanh(x)[::-1] * x).sum()
    out.backward()
    right = x.grad.data, w.grad.data
    for t in (x, w):
        if way == "data":
            t.data = t.data + 9.0
        else:
            UPDATES[way](t, 9.0)
    out.backward()
    assert (x.grad.data == right[0]).all()
    assert (w.grad.data == right[1]).all()


@pytest.mark.parametrize("sign", UPDATES)
def test_what_was_calculated_becomes_the_result(sign: str) -> None:
    a, b = Tensor(3.0, True), Tensor(5.0, True)
    y = a * a
    old, kept = y, y * b
    y = UPDATES[sign](y, b)
    assert y is not old
    kept.backward()
    assert (a.grad.data, b.grad.data, old.data) == (30.0, 9.0, 9.0)
    a.zero_grad()
    b.zero_grad()
    y.backward()
    expected = {"+=": (6.0, 1.0), "-=": (6.0, -1.0), "*=": (30.0, 9.0)}[sign]
    assert (a.grad.data, b.grad.data) == expected


def test_a_sum_that_begins_with_a_plain_tensor() -> None:
    x, total = Tensor([1.0, 2.0], True), Tensor(0.0)
    for row in x:
        total += row * row
    total.backward()
    assert x.grad.data.tolist() == [2.0, 4.0]


@pytest.mark.parametrize("sign", UPDATES)
def test_a_leaf_does_not_swallow_a_gradient(sign: str) -> None:
    x, y = leaf(2), leaf(2)
    for other in (y, y * 2, x):
        with pytest.raises(RuntimeError, match=rf"Tensor \{sign}: the gradient of the"):
            UPDATES[sign](x, other)
    assert x.data.tolist() == [1.0, 2.0]
    assert x.grad.data.tolist() == [0.0, 0.0]
    with pytest.raises(ValueError, match=r"data of shape \(2,\) can be replaced"):
        UPDATES[sign](x, np.ones((3, 2)))


def test_data_are_replaced_in_leaves_only() -> None:
    x = leaf(2)
    y = x * 2
    with pytest.raises(ValueError, match=r"got \(2,\), and in a leaf only; make a new"):
        y.data = [1.0, 2.0]
    with pytest.raises(ValueError, match=r"got \(\), and in a leaf only"):
        x.data = 1.0
    with pytest.raises(TypeError, match="Tensor: data: data must be real"):
        x.data = ["a", "b"]
    assert x.grad is not None


def test_an_array_that_was_given_is_copied() -> None:
    array = np.array([1.0, 2.0])
    x, total = Tensor(array, requires_grad=True), Tensor([0.0, 0.0])
    total.data = array
    array[:] = 9.0
    assert x.data.tolist() == total.data.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("what", ["leaf", "result", "slice", "gradient", "single"])
def test_nobody_writes_into_the_numbers(what: str) -> None:
    x = leaf(3)
    x.sum().backward()
    single = leaf() * 2
    tensors = {"leaf": x, "result": x * 2, "slice": x[:2], "single": single}
    tensors["gradient"] = x.grad
    with pytest.raises(ValueError, match="read-only"):
        tensors[what].data[...] = 5.0
    with pytest.raises(ValueError, match="read-only"):
        tensors[what].data += 5.0


def test_a_mask_is_not_dropped():
    masked = np.ma.masked_array([1.0, 2.0], mask=[0, 1])
    for use in (Tensor, lambda m: Tensor([1.0, 2.0]) * m, lambda m: m * Tensor([1.0])):
        with pytest.raises(TypeError, match=r"got MaskedArray .* `\.filled"):
            use(masked)
