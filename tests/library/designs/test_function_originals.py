"""Code written for the mini autograd of the slides, and for PyTorch, as published."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.designs.function import Function, Tensor


def test_the_quick_test_of_the_original() -> None:
    """The expected gradients are those of the formula i = 4 c · e, by hand."""
    a = Tensor(np.array([2, 5], dtype=np.float32))
    b = Tensor(np.array([5, 7], dtype=np.float32))
    c = Tensor(np.array([11, 9], dtype=np.float32))
    d = a * b
    e = d + d * c - d * a**4 + (c**3 - 84).sin()
    f = e + e
    g = f + f
    h = c.dot(g)
    i = h.sum()
    i.backward()
    A, B, C = (t.data.astype(float) for t in (a, b, c))
    inner = A * B * (1 + C - A**4) + np.sin(C**3 - 84)
    by_hand = {
        "a": 4 * C * (B * (1 + C) - 5 * B * A**4),
        "b": 4 * C * A * (1 + C - A**4),
        "c": 4 * inner + 4 * C * (A * B + np.cos(C**3 - 84) * 3 * C**2),
    }
    # Single precision: 2**-23 times sums of terms ten times the result.
    for t, grad in zip((a, b, c), by_hand.values(), strict=True):
        np.testing.assert_allclose(t.grad.data, grad, rtol=1e-5)
    assert i.grad.data == h.grad.data == 1.0
    np.testing.assert_array_equal(e.grad.data, 4 * C)


class Model:
    """The original's, with its weights and shapes: all of shape (1, 1)."""

    def __init__(self) -> None:
        self.w1 = Tensor(np.array([[1.7]]))
        self.w2 = Tensor(np.array([[0.2]]))
        self.w3 = Tensor(np.array([[0.6]]))

    def parameters(self) -> list[Tensor]:
        return [self.w1, self.w2, self.w3]

    def forward(self, x: Tensor) -> Tensor:
        a = x**2
        b = (self.w1 * a + self.w3).relu()
        c = (self.w2 * a + self.w3).relu()
        d = b + c
        return d.sin() * 4


def by_formula(w: np.ndarray, x: float) -> tuple[float, np.ndarray]:
    """Return the error, and the gradient of error and penalty, derived by hand."""
    first, second = w[0] * x**2 + w[2], w[1] * x**2 + w[2]
    d = max(first, 0) + max(second, 0)
    residual = 4 * np.sin(x**4) - 4 * np.sin(d)
    slope = -2 * residual * 4 * np.cos(d)
    on = np.array([first > 0, second > 0])
    grad = slope * np.array([on[0] * x**2, on[1] * x**2, on.sum()])
    return residual**2, grad + 0.2 * w


def test_the_loop_of_the_original_trains_its_model() -> None:
    rng = np.random.default_rng(0)
    model, w = Model(), np.array([1.7, 0.2, 0.6])
    for _ in range(500):
        number = rng.random(1)
        x = Tensor(number)
        y = (x**4).sin() * 4
        y_hat = model.forward(x)
        mse_loss = ((y - y_hat) ** 2).sum()
        w_loss = sum(((p**2).sum() for p in model.parameters()), start=Tensor(0))
        loss = mse_loss + w_loss * 0.1
        loss.backward()
        error, grad = by_formula(w, number.item())
        w = w - 1e-3 * grad
        # 500 steps of rounding, each contracting or nearly so
        np.testing.assert_allclose(mse_loss.data.item(), error, rtol=1e-8, atol=1e-12)
        for param in model.parameters():
            assert param.grad is not None
            assert param.grad.shape == param.shape
            param.data -= param.grad.data * 1e-3
            param.grad = None
    learned = [p.data.item() for p in model.parameters()]
    np.testing.assert_allclose(learned, w, rtol=1e-9)


def test_a_method_added_by_the_originals_way() -> None:
    class Tanh(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            t = Tensor(np.tanh(x.data))
            ctx.save_for_backward(t)
            return t

        @staticmethod
        def backward(ctx: Any, grad_output: Tensor) -> Any:
            (t,) = ctx.saved_tensors
            return (grad_output * (1 - t * t),)

    x = Tensor(0.5)
    y = x._run_forward_op(Tanh)
    y.backward()
    np.testing.assert_allclose(x.grad.data, 1 - np.tanh(0.5) ** 2, rtol=1e-15)


def test_a_function_in_the_way_of_pytorchs_documentation() -> None:
    """Three arguments, one of them no tensor, results saved, attributes set."""

    class Func(Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any, z: Any) -> Any:
            w = x * z
            out = x * y + y * z + w * y
            ctx.save_for_backward(x, y, w, out)
            ctx.z = z
            return out

        @staticmethod
        def backward(ctx: Any, grad_out: Any) -> Any:
            x, y, _w, _out = ctx.saved_tensors
            z = ctx.z
            return grad_out * (y + y * z), grad_out * (x + z + x * z), None

    a, b = Tensor(1.0), Tensor(2.0)
    d = Func.apply(a, b, 4)
    (d * 10).backward()
    assert (d.data, a.grad.data, b.grad.data) == (18.0, 100.0, 90.0)
    assert d.creator is Func
    assert d.parents[:2] == (a, b)


def test_one_gradient_needs_no_tuple() -> None:
    class Cubic(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return 0.5 * (5 * x**3 - 3 * x)

        @staticmethod
        def backward(ctx: Any, grad_output: Any) -> Any:
            (x,) = ctx.saved_tensors
            return grad_output * 1.5 * (5 * x**2 - 1)

    x = Tensor([0.0, 1.0, 2.0])
    Cubic.apply(x * 2).sum().backward()
    assert x.grad.data.tolist() == [-3.0, 57.0, 237.0]
