"""Tensors made by functions: values, gradients, and code written for the original."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib.designs.function import (
    Cos,
    Dot,
    Function,
    Mul,
    PowConst,
    ReLU,
    Sin,
    Sum,
    Tensor,
)
from autograd_lib.graph import topological_order

STEP = 1e-20  # a complex step: nothing is subtracted, so only rounding is left
NEARLY = {"rtol": 1e-12, "atol": 1e-12}  # a few thousand roundings of sums of 12

SHAPES = [(), (1,), (3,), (2, 3), (1, 3), (2, 1), (0,), (0, 3), (2, 1, 3), (1, 1, 1)]
PAIRS = [
    (a, b)
    for a in SHAPES
    for b in SHAPES
    if all(
        m == n or 1 in (m, n) for m, n in zip(reversed(a), reversed(b), strict=False)
    )
]
DOTS = [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((2, 3), (3, 4)), ((), (2, 3))]
DOTS += [((3,), ()), ((1, 1), (1,)), ((0,), (0,)), ((2, 0), (0, 3)), ((0, 3), (3,))]
UNARY: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "neg": (lambda x: -x, lambda z: -z),
    "sin": (lambda x: x.sin(), np.sin),
    "cos": (lambda x: x.cos(), np.cos),
    "relu": (lambda x: x.relu(), lambda z: z * (z.real > 0)),
    "sum": (lambda x: x.sum() * x, lambda z: z.sum() * z),
    "square": (lambda x: x**2, lambda z: z**2),
    "root": (lambda x: (x**2 + 1) ** 0.5, lambda z: (z**2 + 1) ** 0.5),
    "inverse": (lambda x: (x**2 + 1) ** -1, lambda z: 1 / (z**2 + 1)),
    "constants": (lambda x: 3 - x * 2 + (1 - x), lambda z: 4 - 3 * z),
}
BINARY: dict[str, Callable[..., Any]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "all": lambda x, y: (x * y + y) * (x - y * y),
}


def array(shape: tuple[int, ...], seed: int) -> np.ndarray:
    numbers = np.random.default_rng(seed).uniform(0.2, 2, shape)
    return np.asarray(numbers * (-1) ** seed)


def by_complex_step(f: Callable[..., Any], arrays: list[np.ndarray]) -> list[Any]:
    """Return the gradient of a weighted sum of f's elements, one at a time."""
    found = []
    for i, a in enumerate(arrays):
        grad = np.zeros(a.shape)
        for at in np.ndindex(a.shape):
            moved = [np.array(v, complex) for v in arrays]
            moved[i][at] += 1j * STEP
            z = np.asarray(f(*moved))
            grad[at] = (z * weights(z.shape)).sum().imag / STEP
        found.append(grad)
    return found


def weights(shape: tuple[int, ...]) -> np.ndarray:
    return np.cos(np.arange(np.prod(shape, dtype=int))).reshape(shape) + 2


def agrees(f: Callable[..., Any], g: Callable[..., Any], *arrays: np.ndarray) -> None:
    leaves = [Tensor(a) for a in arrays]
    y = f(*leaves)
    expected = g(*arrays)
    assert y.shape == np.shape(expected)
    np.testing.assert_allclose(y.data, expected, **NEARLY)
    y.backward(weights(y.shape))
    for leaf, grad in zip(leaves, by_complex_step(g, list(arrays)), strict=True):
        assert leaf.grad.shape == leaf.shape
        np.testing.assert_allclose(leaf.grad.data, grad, **NEARLY)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_tensor(name: str, shape: tuple[int, ...]) -> None:
    for seed in (1, 2):
        agrees(*UNARY[name], array(shape, seed))


@pytest.mark.parametrize(("a", "b"), PAIRS)
@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_tensors(name: str, a: Any, b: Any) -> None:
    agrees(BINARY[name], BINARY[name], array(a, 1), array(b, 2))


@pytest.mark.parametrize(("a", "b"), DOTS)
def test_dot(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    agrees(lambda x, y: x.dot(y), np.dot, array(a, 1), array(b, 2))


@pytest.mark.parametrize("power", [0, 1, 2, 3, 0.0, 1.0])
def test_powers_at_zero(power: float) -> None:
    for zero in (0, 0.0):
        x = Tensor([zero])
        (x**power).sum().backward()
        assert x.grad.data.tolist() == [float(power == 1)]


def test_whole_numbers_are_numbers_to_differentiate() -> None:
    x = Tensor([1, 2, 4])
    y = (x**-1) * x * 2 + x**2 * 0.25
    y.sum().backward()
    assert x.grad.data.tolist() == [0.5, 1.0, 2.0]
    assert (x**2).data.dtype == x.data.dtype
    assert Tensor(True).data.dtype == float


def test_relu_at_zero_has_the_slope_zero() -> None:
    x = Tensor([-1.0, 0.0, 2.0])
    x.relu().sum().backward()
    assert x.grad.data.tolist() == [0.0, 0.0, 1.0]


def test_single_precision_is_kept() -> None:
    x = Tensor(np.ones(3, np.float32))
    y = ((x * 2 + 0.5) ** 2 - 1).sin().dot(3 - x)
    y.backward()
    assert y.data.dtype == x.grad.data.dtype == np.float32


def test_leaves_add_up_and_what_is_between_does_not() -> None:
    a = Tensor(3.0)
    b = a * a
    c = b * 2
    for total in (12.0, 24.0):
        c.backward()
        assert (a.grad.data, b.grad.data, c.grad.data) == (total, 2.0, 1.0)
    a.grad = None
    (b * a).backward()
    assert (a.grad.data, b.grad.data) == (27.0, 3.0)
    a.backward()
    assert a.grad.data == 28.0
    exponent = Tensor(2.0)
    exponent.grad = Tensor(5.0)
    PowConst.apply(a, exponent).backward()  # gives the exponent nothing
    assert (a.grad.data, exponent.grad.data) == (34.0, 5.0)


def test_gradients_share_nothing() -> None:
    x, y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
    seed = np.ones(2)
    z = x + y
    z.backward(seed)
    x.grad.data += 10
    seed += 10
    assert y.grad.data.tolist() == z.grad.data.tolist() == [1.0, 1.0]


def test_a_chain_and_doublings_need_no_recursion() -> None:
    x = y = Tensor(1.0)
    for _ in range(20_000):
        y = y + 0.0
    for _ in range(1_000):
        y = (y + y) * 0.5
    y.backward()
    assert x.grad.data == 1.0


def test_what_a_function_saves_is_freed_with_its_result() -> None:
    class Exp(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            result = Tensor(np.exp(x.data))
            ctx.save_for_backward(result)
            return result

    gc.disable()  # so that a cycle would keep the result
    try:
        y = Exp.apply(Tensor(1.0))
        gone = weakref.ref(y)
        del y
        assert gone() is None
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("function", "kept"),
    [(Mul, 2), (PowConst, 2), (Dot, 2), (Sin, 1), (Cos, 1), (Sum, 0), (ReLU, 0)],
)
def test_what_is_saved(function: type[Function], kept: int) -> None:
    x = Tensor([1.0, 2.0])
    y = function.apply(*[x, x][: max(1, kept)])
    assert (y.creator, y.parents) == (function, (x, x)[: max(1, kept)])
    assert y.ctx is not None
    assert all(saved is x for saved in y.ctx.saved_tensors)
    assert len(y.ctx.saved_tensors) == kept


def test_tensors_are_shown_as_in_the_slides() -> None:
    y = Tensor([1, 1, 1]) + Tensor([0, 1, 2])
    assert repr(y) == "Tensor([1, 2, 3], grad_fn=Add)"
    assert repr(Tensor([1, 2, 3])) == "Tensor([1, 2, 3], grad_fn=None)"
    assert repr(Tensor(2.5) * 2) == "Tensor(5., grad_fn=Mul)"
    assert repr(Tensor(np.ones((1, 1), np.float32))) == "Tensor([[1.]], grad_fn=None)"


def test_the_order_is_that_of_the_graph() -> None:
    x = Tensor(1.0)
    y = x * x + x
    assert [t.label for t in topological_order(y)] == ["", "Mul", "Add"]
