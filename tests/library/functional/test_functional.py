"""Transforms: right, nested in any order, and connected with what is outside."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograd_lib import nn, tree
from autograd_lib.check.checks import gradcheck
from autograd_lib.engine.leaves.grad_mode import is_grad_enabled, no_grad
from autograd_lib.engine.tape.node import LeafExtras
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.functional import (
    elementwise_grad,
    grad,
    hessian,
    hvp,
    jacobian,
    value_and_grad,
    vhp,
    vjp,
)

# Two ways of calculating the same sum of a few products differ by some roundings.
TOLERANCE = 1e-12
finite = st.floats(-3, 3, allow_nan=False)


def leaf(data: Any) -> Tensor:
    return Tensor(data, requires_grad=True, dtype=float)


def wavy(x: Any) -> Any:
    return (np.sin(x) * np.exp(x)).sum() * x[0]


@given(finite)
def test_derivatives_of_a_number(x: float) -> None:
    f: Any = np.sin
    orders = []
    for _ in range(4):
        f = grad(f)
        orders.append(f(x).item())
    right = [math.cos(x), -math.sin(x), -math.cos(x), math.sin(x)]
    np.testing.assert_allclose(orders, right, rtol=TOLERANCE, atol=TOLERANCE)


@given(st.lists(finite, min_size=1, max_size=4))
def test_transforms_agree_with_each_other(numbers: list[float]) -> None:
    x = np.array(numbers)
    v = np.cos(np.arange(len(x)))
    H = hessian(wavy)(x).data
    y, pullback = vjp(wavy, x)
    value, slope = value_and_grad(wavy)(x)
    assert y.item() == value.item() == wavy(Tensor(x)).item()
    along = grad(grad(lambda t: wavy(x + t * v)))(0.0).item()
    for found, right in (
        (jacobian(grad(wavy))(x).data, H),
        (H.T, H),
        (hvp(wavy, (x,), (v,)).data, H @ v),
        (vhp(wavy, (x,), (v,)).data, v @ H),
        (pullback(2.0)[0].data, 2 * slope.data),
        (along, v @ H @ v),
    ):
        np.testing.assert_allclose(found, right, rtol=TOLERANCE, atol=1e-10)


@pytest.mark.parametrize(
    "f",
    [
        grad(wavy),
        lambda x: jacobian(np.exp)(x),
        lambda x: hvp(wavy, (x,), (x * x,)),
        lambda x: vjp(np.tanh, x)[1](np.sin(x))[0],
        lambda x: grad(lambda y: (grad(wavy)(x * y) * y).sum())(x),
    ],
)
def test_a_transform_is_a_function_like_others(f: Any) -> None:
    """Differences of their results, which know no rule, agree with their gradients."""
    gradcheck(f, np.array([0.3, -0.7, 1.1]))


def test_an_inner_argument_is_not_the_outer_one() -> None:
    assert grad(lambda x: x * grad(lambda y: x * y)(x))(3.0).item() == 6
    assert grad(lambda x: x * grad(lambda y: x + y)(1.0))(2.0).item() == 1
    assert grad(lambda x: grad(lambda y: x**2 * y**3)(x))(2.0).item() == 12 * 2**3


def test_jacobians_have_the_results_axes_first() -> None:
    a = np.arange(6.0).reshape(2, 3)
    J = jacobian(lambda x: x.T * 2)(a)
    assert J.shape == (3, 2, 2, 3)
    assert J.data[2, 1, 1, 2] == 2
    assert J.data.sum() == 12
    assert jacobian(lambda x: x[:0])(a).shape == (0, 3, 2, 3)


@dataclass
class Line:
    slope: Any
    shift: Any


STRUCTURES = [
    ([2.0, np.ones(2)], lambda w: (w[0] * w[1]).sum()),
    ((2.0, [np.ones(2)]), lambda w: (w[0] * w[1][0]).sum()),
    ({"b": 2.0, "a": np.ones(2)}, lambda w: (w["b"] * w["a"]).sum()),
    (Line(2.0, np.ones(2)), lambda w: (w.slope * w.shift).sum()),
]


@pytest.mark.parametrize(("w", "f"), STRUCTURES, ids=lambda x: type(x).__name__)
def test_gradients_have_the_structure_of_the_argument(w: Any, f: Any) -> None:
    found = grad(f)(w)
    assert tree.flatten(found)[1] == tree.flatten(w)[1]
    first, second = tree.leaves(found)
    assert isinstance(first, Tensor)
    assert first.item() == 2
    assert second.data.tolist() == [2.0, 2.0]
    product = tree.leaves(hvp(f, (w,), (w,)))
    assert product[0].item() == 2
    corners = tree.leaves(hessian(f)(w))
    assert [t.shape for t in corners] == [(), (2,), (2,), (2, 2)]


def test_arguments_by_number_and_by_name() -> None:
    def f(a: Any, b: Any, c: Any, *, power: int) -> Any:
        return a * b**power + c

    assert grad(f)(2.0, 3.0, 1, power=2).item() == 9
    assert grad(f, 1)(2.0, 3.0, 1, power=2).item() == 12
    assert [d.item() for d in grad(f, (-1, 0))(2.0, 3.0, 1.0, power=2)] == [1, 9]
    assert [d.item() for d in grad(f, [1])(2, 3.0, 1, power=2)] == [12]
    table = hessian(f, (0, 1))(2.0, 3.0, 1, power=2)
    assert tree.map(lambda t: t.item(), table) == ((0.0, 6.0), (6.0, 4.0))


def test_aux() -> None:
    def f(x: Any) -> Any:
        return x * x, {"double": 2 * x, "text": "kept"}

    slope, aux = grad(f, has_aux=True)(3.0)
    assert (slope.item(), aux["double"].item(), aux["text"]) == (6, 6, "kept")
    assert not aux["double"].requires_grad
    (value, _), _ = value_and_grad(f, has_aux=True)(3.0)
    assert value.item() == 9
    assert vjp(f, 3.0, has_aux=True)[2]["text"] == "kept"
    assert jacobian(f, has_aux=True)(3.0)[0].item() == 6
    assert hessian(f, has_aux=True)(3.0)[0].item() == 2


def test_aux_that_leads_outside_can_still_be_differentiated() -> None:
    w = leaf(5.0)
    slope, aux = grad(lambda x: (x * x, w * x), has_aux=True)(3.0)
    assert not slope.requires_grad
    aux.backward()
    assert w.grad.item() == 3


def test_elementwise() -> None:
    x = np.array([0.5, 2.0])
    np.testing.assert_allclose(elementwise_grad(np.log)(x).data, 1 / x, rtol=TOLERANCE)
    second = elementwise_grad(elementwise_grad(np.log))(x).data
    np.testing.assert_allclose(second, -1 / x**2, rtol=TOLERANCE)


def test_pullbacks_can_be_called_again_and_match_structures() -> None:
    def f(x: Any, y: Any) -> Any:
        return {"sum": x + y, "both": [x * y]}

    out, pullback = vjp(f, 2.0, np.array([3.0, 4.0]))
    assert out["sum"].data.tolist() == [5.0, 6.0]
    ones = np.ones(2)
    for _ in range(2):
        dx, dy = pullback({"both": [ones], "sum": ones})
        assert (dx.item(), dy.data.tolist()) == (9.0, [3.0, 3.0])


# What is outside.


def test_results_are_constants_where_nobody_outside_can_ask() -> None:
    results = [
        grad(lambda x: x**3)(2.0),
        value_and_grad(lambda x: x**3)(2.0),
        hessian(lambda x: x**3)(2.0),
        vjp(np.sin, 2.0)[0],
        vjp(np.sin, 2.0)[1](1.0),
        grad(lambda x: x * grad(lambda y: x * y * y)(1.0))(2.0),
    ]
    assert [t.requires_grad for t in tree.leaves(results)] == [False] * 7


def test_results_are_connected_with_what_they_depend_on_outside() -> None:
    x, w = leaf([1.0, 2.0]), leaf(3.0)
    slope = grad(lambda y: (w * y**3).sum())(x)
    slope.sum().backward()
    assert x.grad.data.tolist() == [18.0, 36.0]
    assert w.grad.item() == 15
    value, pullback = vjp(lambda y: y * y, x)
    (value.sum() + pullback(np.ones(2))[0].sum()).backward(retain_graph=True)
    assert x.grad.data.tolist() == [18.0 + 4, 36.0 + 6]
    g = leaf([1.0, 1.0])
    pullback(g)[0].sum().backward()
    assert g.grad.data.tolist() == [2.0, 4.0]


def test_a_result_that_does_not_depend_on_the_outside_is_a_constant() -> None:
    w = leaf(3.0)
    assert not grad(lambda y: w + y * y)(2.0).requires_grad
    assert grad(lambda y: w * y)(2.0).requires_grad


def test_no_grad_is_collected() -> None:
    x = leaf([1.0, 2.0])
    model = nn.Linear(2, 1, rng=0, dtype=float)
    grad(wavy)(x), hessian(wavy)(x), vjp(np.exp, x)[1](np.ones(2))
    grad(lambda m: m(np.ones((1, 2))).sum())(model)
    assert [t.grad for t in (x, *model.parameters())] == [None] * 3


def test_under_no_grad_the_derivative_is_right_and_a_constant() -> None:
    x = leaf([1.0, 2.0])
    with no_grad():
        found = grad(lambda y: (y * grad(lambda z: (z**3).sum())(y)).sum())(x)
        assert not is_grad_enabled()
    assert found.data.tolist() == [9.0, 36.0]
    assert not found.requires_grad


def test_within_the_function_no_grad_makes_constants() -> None:
    def f(x: Any) -> Any:
        with no_grad():
            kept = x * x
        return x * kept

    assert grad(f)(3.0).item() == 9
    assert grad(no_grad(lambda x: x * x))(3.0).item() == 0


def test_a_plain_gradient_is_not_recorded_and_frees_its_graph() -> None:
    """Rules get arrays, not tensors, where nobody outside can ask."""
    seen = []

    def f(x: Any) -> Any:
        y = x * x
        y.register_hook(lambda g: seen.append(is_grad_enabled()))
        return y * x

    grad(f)(3.0)
    grad(grad(f))(3.0)
    assert seen[0] is False
    assert True in seen[1:]


def test_an_argument_is_a_leaf_to_the_function() -> None:
    def f(x: Any) -> Any:
        assert x.is_leaf
        assert isinstance(x.node.extra, LeafExtras)
        return x * x

    assert grad(grad(f))(3.0).item() == 2


def test_writing_into_an_argument_is_refused_and_leaves_it_alone() -> None:
    def f(x: Any) -> Any:
        x += 1
        return x.sum()

    x = Tensor([1.0, 2.0])
    with pytest.raises(RuntimeError, match="in-place write"):
        grad(f)(x)
    assert x.data.tolist() == [1.0, 2.0]


def test_an_array_is_copied_so_a_later_write_changes_nothing() -> None:
    x = np.array([1.0, 2.0])
    _, pullback = vjp(lambda t: t * t, x)
    x += 10
    assert pullback(np.ones(2))[0].data.tolist() == [2.0, 4.0]


def test_a_result_that_is_the_argument() -> None:
    x = leaf(2.0)
    y, pullback = vjp(lambda t: t, x)
    assert pullback(3.0)[0].item() == 3
    y.backward()
    assert x.grad.item() == 1
    assert not vjp(lambda t: t, 2.0)[0].requires_grad


def test_threads_do_not_meet() -> None:
    w, found = leaf(2.0), {}

    def work(k: int) -> None:
        found[k] = [grad(grad(lambda x: w * x**3))(float(k)).item() for _ in range(20)]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {k: [12.0 * k] * 20 for k in range(4)}


# Modules.


def test_the_gradient_of_a_module_is_a_dictionary_and_backwards() -> None:
    model = nn.Sequential(nn.Linear(3, 4, rng=0), nn.GELU(), nn.Linear(4, 1, rng=1))
    x = np.random.default_rng(0).normal(size=(5, 3)).astype(np.float32)

    def loss(m: Any) -> Any:
        return (m(x) ** 2).mean()

    found = grad(loss)(model)
    loss(model).backward()
    assert list(found) == [name for name, _ in model.named_parameters()]
    for name, p in model.named_parameters():
        np.testing.assert_array_equal(found[name].data, p.grad.data)
    moved = hvp(loss, (model,), (found,))
    assert [t.shape for t in moved.values()] == [p.shape for p in model.parameters()]


def test_state_that_a_module_keeps_is_its_own() -> None:
    model = nn.BatchNorm(2, dtype=float)
    x = np.array([[1.0, 2.0], [3.0, 6.0]])
    grad(lambda m: m(x).sum())(model)
    np.testing.assert_allclose(model.running_mean.data, [0.2, 0.4], rtol=TOLERANCE)


def test_a_rate_is_learned_through_the_training_of_a_module() -> None:
    model = nn.Linear(2, 1, rng=0, dtype=float)
    x = np.random.default_rng(0).normal(size=(6, 2))

    def after(rate: Any) -> Any:
        m = model
        for _ in range(3):
            slopes = grad(lambda m: (m(x) ** 2).mean())(m)
            m = tree.map(lambda p, g: p - rate * g, m, slopes)
        return (m(x) ** 2).mean()

    with no_grad():
        difference = (after(0.1 + 1e-6).item() - after(0.1 - 1e-6).item()) / 2e-6
    # A central difference with this step is off by its square and by rounding / step.
    np.testing.assert_allclose(grad(after)(0.1).item(), difference, rtol=1e-7)


# PyTorch, where it is installed.


@pytest.mark.parametrize("order", [1, 2])
def test_tables_are_those_of_pytorch(order: int) -> None:
    torch = pytest.importorskip("torch")
    x = np.random.default_rng(0).normal(size=(2, 3))

    def ours(d: Any) -> Any:
        return [np.sin(d["a"]) @ np.exp(d["b"]), (d["a"] * d["a"]).sum()]

    def theirs(d: Any) -> Any:
        return [torch.sin(d["a"]) @ torch.exp(d["b"]), (d["a"] * d["a"]).sum()]

    found, right = ours, theirs
    for _ in range(order):
        found, right = jacobian(found), torch.func.jacrev(right)
    w = {"a": x, "b": x.T.copy()}
    pairs = zip(
        tree.leaves(found(w)),
        tree.leaves(right({k: torch.tensor(a) for k, a in w.items()})),
        strict=True,
    )
    for t, r in pairs:
        np.testing.assert_allclose(t.data, r.numpy(), rtol=TOLERANCE, atol=TOLERANCE)


def test_products_are_those_of_pytorch() -> None:
    torch = pytest.importorskip("torch")
    x, v = np.random.default_rng(0).normal(size=(2, 4))
    f = torch.autograd.functional

    def theirs(t: Any) -> Any:
        return (torch.sin(t) * torch.exp(t)).sum() * t[0]

    for ours, right in ((hvp, f.hvp), (vhp, f.vhp)):
        expected = right(theirs, torch.tensor(x), torch.tensor(v))[1].numpy()
        found = ours(wavy, (x,), (v,)).data
        np.testing.assert_allclose(found, expected, rtol=TOLERANCE, atol=TOLERANCE)
