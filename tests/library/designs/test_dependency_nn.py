"""Models of Dependency's tensors, and the examples of joelgrad's own repository."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd_lib.designs.dependency import Tensor
from autograd_lib.designs.dependency_nn import SGD, Module, Parameter, tanh


class Linear(Module):
    def __init__(self, n: int) -> None:
        self.w = Parameter(n)
        self.b = Parameter()

    def predict(self, inputs: Tensor) -> Tensor:
        return inputs @ self.w + self.b


class Nested(Module):
    shared: Any

    def __init__(self) -> None:
        self.last = Linear(2)
        self.first = [Linear(1), (Parameter(4), "text"), {"a": Parameter(2, 2)}]
        self.also = self.last.w
        self.constant = Tensor([1.0], requires_grad=True)
        self.number = 3


def test_parameters_are_found_by_inspection_each_once() -> None:
    model = Nested()
    shapes = [p.shape for p in model.parameters()]
    assert shapes == [(2,), (), (1,), (4,), (2, 2), ()]
    assert list(Module().parameters()) == []


def test_parameters_are_those_of_numpys_generator() -> None:
    np.random.seed(3)
    w, b = Parameter(2, 3), Parameter()
    np.random.seed(3)
    assert (w.data == np.random.randn(2, 3)).all()
    assert b.data == np.random.randn()
    assert w.requires_grad
    assert w.grad.data.tolist() == [[0.0] * 3] * 2


@pytest.mark.parametrize("shape", [(2.5,), ((2, 3),), ("2",), (None,)])
def test_sizes_that_are_no_whole_numbers(shape: Any) -> None:
    with pytest.raises(TypeError, match="Parameter: sizes are whole numbers"):
        Parameter(*shape)


def test_a_step_moves_all_and_clears_their_gradients() -> None:
    model, optimizer = Linear(2), SGD(lr=0.5)
    before = model.w.data, model.b.data
    model.predict(Tensor([3.0, 4.0])).backward()
    optimizer.step(model)
    assert (model.w.data == before[0] - [1.5, 2.0]).all()
    assert model.b.data == before[1] - 0.5
    assert model.w.grad is None
    assert isinstance(model.w, Parameter)


def test_what_no_walk_has_reached_stays() -> None:
    model = Linear(2)
    SGD().step(model)
    model.w[0].backward()
    before = model.b.data
    SGD().step(model)
    assert model.b.data == before


def test_a_step_without_any_gradient_is_an_error() -> None:
    model = Linear(2)
    SGD().step(model)
    for module in (model, Module()):
        with pytest.raises(
            RuntimeError, match=r"SGD.step: no parameter .* backward\(\)"
        ):
            SGD().step(module)


def test_zeros_count_as_a_gradient() -> None:
    model = Linear(2)
    before = model.w.data
    SGD().step(model)
    model.zero_grad()
    SGD().step(model)
    assert (model.w.data == before).all()


@pytest.mark.parametrize("reset", [True, False])
def test_a_loop_is_right_with_and_without_zero_grad(reset: bool) -> None:
    np.random.seed(0)
    x = np.random.randn(100, 3)
    y = Tensor(x) @ Tensor(np.array([-1, +3, -2], dtype=float)) + 5
    model, optimizer = Linear(3), SGD(lr=0.001)
    for _ in range(100):
        for start in range(0, 100, 32):
            if reset:
                model.zero_grad()
            errors = (
                model.predict(Tensor(x)[start : start + 32]) - y[start : start + 32]
            )
            (errors * errors).sum().backward()
            optimizer.step(model)
    # 400 steps shrink the slowest error by about (1 - 0.002 · 32 · 0.6)^400 ~ 1e-7.
    np.testing.assert_allclose(model.w.data, [-1, 3, -2], atol=1e-4)
    np.testing.assert_allclose(model.b.data, 5, atol=1e-4)


def test_a_function_is_minimised() -> None:
    x = Tensor([10, -10, 10, -5, 6, 3, 1], requires_grad=True)
    for _ in range(100):
        x.zero_grad()
        total = (x * x).sum()
        total.backward()
        delta = 0.1 * x.grad
        x -= delta
    # Each step multiplies x by 0.8, and 0.8**100 is 2e-10.
    np.testing.assert_allclose(x.data, 0, atol=1e-8)


def test_what_joelgrads_tests_ask() -> None:
    t1 = Tensor([[1, 2, 3], [4, 5, 6]], requires_grad=True)
    t2 = Tensor([[7, 8, 9]], requires_grad=True)
    t3 = t1 - t2
    assert t3.data.tolist() == [[-6, -6, -6], [-3, -3, -3]]
    t3.backward(Tensor([[1, 1, 1], [1, 1, 1]]))
    assert t1.grad.data.tolist() == [[1, 1, 1], [1, 1, 1]]
    assert t2.grad.data.tolist() == [[-2, -2, -2]]
    t4 = Tensor([1, 2, 3], requires_grad=True)
    t4.sum().backward(Tensor(3.0))
    assert t4.grad.data.tolist() == [3, 3, 3]
    t4 -= 0.1
    assert t4.grad is None
    assert t4.data.tolist() == [0.9, 1.9, 2.9]
    t4.zero_grad()
    assert t4.grad.data.tolist() == [0, 0, 0]
    assert t4.shape == (3,)
    assert repr(Tensor([1.5])) == "Tensor([1.5], requires_grad=False)"


def test_a_product_as_joelgrad_has_it() -> None:
    t1 = Tensor([[1, 2], [3, 4], [5, 6]], requires_grad=True)
    t2 = Tensor([[10], [20]], requires_grad=True)
    t3 = t1 @ t2
    assert t3.data.tolist() == [[50], [110], [170]]
    grad = Tensor([[-1], [-2], [-3]])
    t3.backward(grad)
    assert (t1.grad.data == grad.data @ t2.data.T).all()
    assert (t2.grad.data == t1.data.T @ grad.data).all()


def test_a_network_learns_a_word_for_each_number() -> None:
    class Words(Module):
        def __init__(self) -> None:
            self.w1, self.b1 = Parameter(4, 20), Parameter(20)
            self.w2, self.b2 = Parameter(20, 2), Parameter(2)

        def predict(self, inputs: Tensor) -> Tensor:
            return tanh(inputs @ self.w1 + self.b1) @ self.w2 + self.b2

    np.random.seed(0)
    inputs = Tensor([[x >> i & 1 for i in range(4)] for x in range(16)])
    words = Tensor([[1, 0] if x % 3 else [0, 1] for x in range(16)])
    model, optimizer = Words(), SGD(lr=0.005)
    for _ in range(1500):
        model.zero_grad()
        errors = model.predict(inputs) - words
        (errors * errors).sum().backward()
        optimizer.step(model)
    said = np.argmax(model.predict(inputs).data, axis=1)
    assert said.tolist() == [int(x % 3 == 0) for x in range(16)]
