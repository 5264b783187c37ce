"""Transforms, forward mode, checkpoints and hooks on saved tensors, one in another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib import functional
from autograd_lib.checkpointing import checkpoint
from autograd_lib.checkpointing.saved_tensors import saved_tensors_hooks
from autograd_lib.engine.forward.levels import open_levels
from autograd_lib.engine.tape.record import watchers
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.forward import jvp

X, V = np.array([0.3, 0.7]), np.array([1.0, -2.0])


def f(x: Any) -> Any:
    return np.sin(x * x) * np.exp(x)


def first(x: np.ndarray) -> np.ndarray:
    """Return f', written by hand."""
    return np.exp(x) * (2 * x * np.cos(x * x) + np.sin(x * x))


def second(x: np.ndarray) -> np.ndarray:
    """Return f'', written by hand."""
    s, c = np.sin(x * x), np.cos(x * x)
    return np.exp(x) * ((1 - 4 * x * x) * s + (4 * x + 2) * c)


def again(x: Any) -> Any:
    return checkpoint(f, x)


def packed(x: Any) -> Any:
    with saved_tensors_hooks(lambda t: t.data.copy(), lambda a: a):
        return f(x)


FUNCTIONS = pytest.mark.parametrize("of", [f, again, packed])


def summed(of: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: of(x).sum()


def near(found: Any, wanted: Any) -> None:
    # Some ten roundings of numbers near 10.
    np.testing.assert_allclose(found.data, wanted, rtol=0, atol=1e-13)


@FUNCTIONS
def test_forward_mode(of: Any) -> None:
    near(jvp(of, X, V)[1], first(X) * V)


@FUNCTIONS
def test_reverse_mode(of: Any) -> None:
    near(functional.grad(summed(of))(X), first(X))


@FUNCTIONS
def test_forward_over_reverse(of: Any) -> None:
    near(jvp(functional.grad(summed(of)), X, V)[1], second(X) * V)


@FUNCTIONS
def test_reverse_over_forward(of: Any) -> None:
    near(functional.grad(lambda x: jvp(of, x, V)[1].sum())(X), second(X) * V)


@FUNCTIONS
def test_reverse_over_reverse(of: Any) -> None:
    near(functional.hvp(summed(of), (X,), (V,)), second(X) * V)
    near(functional.hessian(summed(of))(X), np.diag(second(X)))


@FUNCTIONS
def test_forward_over_forward(of: Any) -> None:
    near(jvp(lambda x: jvp(of, x, V)[1], X, V)[1], second(X) * V * V)


def test_a_checkpoint_around_forward_mode_runs_it_again() -> None:
    def along(x: Any) -> Any:
        return jvp(f, x, V)[1].sum()

    near(functional.grad(lambda x: checkpoint(along, x))(X), second(X) * V)


@FUNCTIONS
def test_forward_mode_over_a_pass_that_collects(of: Any) -> None:
    def slopes(x: Any) -> Any:
        leaf = (x * 1.0).requires_grad_()
        of(leaf).sum().backward()
        return leaf.grad

    near(jvp(slopes, X, V)[1], second(X) * V)


def test_a_weight_around_both_modes_gets_its_gradient() -> None:
    w = Tensor([2.0, 3.0], requires_grad=True)
    jvp(functional.grad(lambda x: (w * again(x)).sum()), X, V)[1].sum().backward()
    near(w.grad, second(X) * V)


def test_all_that_a_transform_returns_carries_its_tangent() -> None:
    def value(x: Any) -> Any:
        return functional.value_and_grad(summed(f))(x)[0]

    def slope(x: Any, g: Any) -> Any:
        return functional.vjp(f, x)[1](g)[0]

    def result(x: Any) -> Any:
        return functional.vjp(f, x)[0]

    def gradient_and_square(x: Any) -> Any:
        return functional.grad(lambda x: (f(x).sum(), x * x), has_aux=True)(x)[1]

    g = np.array([2.0, 3.0])
    near(jvp(value, X, V)[1], (first(X) * V).sum())
    near(jvp(result, X, V)[1], first(X) * V)
    near(jvp(gradient_and_square, X, V)[1], 2 * X * V)
    near(jvp(slope, (X, g), (V, V * 0))[1], g * second(X) * V)
    near(jvp(slope, (X, g), (V * 0, V))[1], first(X) * V)
    near(jvp(lambda x: slope(x, x), X, V)[1], (X * second(X) + first(X)) * V)


def test_nothing_stays_switched_on() -> None:
    jvp(functional.grad(summed(again)), X, V)
    with pytest.raises(ZeroDivisionError):
        jvp(lambda x: checkpoint(lambda y: y * (1 // 0), x), X, V)
    assert not watchers
    assert not open_levels
