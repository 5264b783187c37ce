"""Activations where cases end: far out, empty axes, NaN, whole numbers, bad input."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from autograd_lib.engine.ops.activations import (
    gelu,
    log_softmax,
    relu,
    sigmoid,
    softmax,
    softplus,
)
from autograd_lib.engine.ops.error_function import erf
from autograd_lib.engine.tape.backward import grad
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.graph import topological_order


def slope(f: Any, x: Any) -> tuple[Any, Any]:
    t = Tensor(x, requires_grad=True)
    y = f(t)
    y.sum().backward()
    return y.tolist(), t.grad.tolist()


def test_relu_has_slope_0_at_0_and_passes_nan_on() -> None:
    assert slope(relu, [-1.0, -0.0, 0.0, 2.0])[1] == [0.0, 0.0, 0.0, 1.0]
    value, d = slope(relu, [np.nan])
    assert np.isnan(value)
    assert d == [1.0]  # as in PyTorch


def test_relu_of_whole_numbers_stays_whole() -> None:
    y = relu(Tensor([-1, 2]))
    assert y.dtype == int
    assert y.tolist() == [0, 2]


@pytest.mark.parametrize(
    ("f", "x", "value", "right"),
    [
        (sigmoid, -1000.0, 0.0, 0.0),
        (sigmoid, 1000.0, 1.0, 0.0),
        (sigmoid, -700.0, math.exp(-700), math.exp(-700)),
        (sigmoid, -np.inf, 0.0, 0.0),
        (softplus, 1000.0, 1000.0, 1.0),
        (softplus, -1000.0, 0.0, 0.0),
        (softplus, -40.0, math.exp(-40), math.exp(-40)),
        (softplus, -700.0, math.exp(-700), math.exp(-700)),
        (gelu, 40.0, 40.0, 1.0),
        (gelu, -40.0, 0.0, 0.0),
        (lambda x: gelu(x, "tanh"), 40.0, 40.0, 1.0),
        (lambda x: gelu(x, "tanh"), -40.0, 0.0, 0.0),
        (erf, 1000.0, 1.0, 0.0),
        (erf, -np.inf, -1.0, 0.0),
    ],
)
def test_far_out_nothing_overflows(
    f: Any, x: float, value: float, right: float
) -> None:
    assert slope(f, x) == pytest.approx((value, right), rel=1e-14, abs=1e-307)


@pytest.mark.parametrize("f", [sigmoid, softplus, gelu, erf, softmax, log_softmax])
def test_nan_stays_nan(f: Any) -> None:
    value, d = slope(f, [np.nan])
    assert np.isnan(value)
    assert np.isnan(d)


@pytest.mark.parametrize("f", [sigmoid, softplus, gelu, erf, softmax, log_softmax])
def test_whole_numbers_truths_and_lists_are_constants(f: Any) -> None:
    right = f(np.array([1.0, 0.0]))
    for x in (Tensor([1, 0]), np.array([True, False]), [1.0, 0.0]):
        y = f(x)
        assert isinstance(y, Tensor)
        assert not y.requires_grad
        assert y.dtype == float
        assert y.tolist() == right.tolist()


@pytest.mark.parametrize("f", [sigmoid, softplus, gelu, erf, softmax, log_softmax])
def test_no_numbers_at_all(f: Any) -> None:
    assert slope(f, np.zeros((0, 3))) == ([], [])
    assert slope(f, np.zeros((2, 0))) == ([[], []], [[], []])


@pytest.mark.parametrize("f", [relu, sigmoid, softplus, gelu, erf, softmax])
def test_what_is_not_numbers_is_refused(f: Any) -> None:
    with pytest.raises(TypeError, match="tensor, an array or a number, got 'text'"):
        f("text")


def test_gelu_has_two_forms() -> None:
    x = np.linspace(-5, 5, 1001)
    exact, near = gelu(x).data, gelu(x, approximate="tanh").data
    assert 1e-4 < np.abs(exact - near).max() < 5e-4
    np.testing.assert_allclose(
        exact, [0.5 * a * (1 + math.erf(a / math.sqrt(2))) for a in x], atol=1e-15
    )
    with pytest.raises(ValueError, match=r"gelu: approximate must be 'none' or 'tanh'"):
        gelu(x, approximate="sigmoid")


@pytest.mark.parametrize("axis", [-1, 0, (0, 1), None])
def test_softmax_sums_to_1_and_shifts_by_nothing(axis: Any) -> None:
    x = np.random.default_rng(0).normal(size=(3, 4))
    y = softmax(x, axis=axis).data
    np.testing.assert_allclose(y.sum(axis=axis), 1.0, rtol=1e-15)
    np.testing.assert_allclose(softmax(x + 1e4, axis=axis).data, y, rtol=1e-11)
    np.testing.assert_allclose(np.exp(log_softmax(x, axis=axis).data), y, rtol=1e-14)


def test_numbers_that_are_masked_out_by_minus_infinity() -> None:
    value, d = slope(softmax, [0.0, -np.inf, 0.0])
    assert value == [0.5, 0.0, 0.5]
    assert d == [0.0, 0.0, 0.0]
    assert log_softmax([0.0, -np.inf, 0.0]).tolist()[1] == -np.inf


def test_the_logarithm_of_what_softmax_rounds_to_0() -> None:
    assert log_softmax([0.0, -2000.0]).tolist() == [0.0, -2000.0]


@pytest.mark.parametrize("f", [softmax, log_softmax])
def test_an_axis_that_is_not_there(f: Any) -> None:
    with pytest.raises(
        IndexError,
        match=rf"^{f.__name__}: axis=2 is no axis of a tensor of shape \(3, 4\); give "
        "one from -2 to 1, or None for all",
    ):
        f(Tensor(np.ones((3, 4))), axis=2)
    with pytest.raises(IndexError, match=r"axis=1 is no.* shape \(\); give axis=None"):
        f(Tensor(1.0), axis=1)


def test_the_recorded_rule_of_softmax_calls_no_einsum() -> None:
    """In a browser, NumPy's einsum inside an operation ran out of stack."""
    x = Tensor([[0.5, -1.0, 2.0]], requires_grad=True)
    (g,) = grad((softmax(x) * [1.0, 2.0, 3.0]).sum(), x, create_graph=True)
    called = {node.operation for node in topological_order(g.node)}
    assert softmax in called
    assert np.einsum not in called
