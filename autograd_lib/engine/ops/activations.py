"""Activation functions and softmax (chapter 10).

None of them overflows for any number that a layer can return. NumPy doesn't have them,
so they are functions of this module, and methods of tensors.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.mistakes import unknown_keywords
from autograd_lib.engine.ops.choices import keep_where
from autograd_lib.engine.ops.error_function import error_function
from autograd_lib.engine.ops.options import in_single, is_half
from autograd_lib.engine.ops.sums import dot_along
from autograd_lib.engine.rules import jvp_of, rule
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import OUTPUT, array, result, unary
from autograd_lib.engine.tape.tensor import Tensor

Axis = int | tuple[int, ...] | None
CUBIC = 0.044715  # the published factors of gelu's tanh form
WIDTH = math.sqrt(2 / math.pi)


def relu(x: Any) -> Tensor:
    """Return the larger of x and 0. The slope at 0 is 0."""
    return result(np.maximum(array(x), 0), x, by_relu, OUTPUT, relu)


@rule("elementwise")
def by_relu(g: Any, y: Any) -> Any:
    """The slope is 0 where the result is 0, else 1."""
    return keep_where(g, y != 0)


def sigmoid(x: Any) -> Tensor:
    """Return 1/(1 + e⁻ˣ)."""
    return unary(logistic, x, by_sigmoid, OUTPUT)


def logistic(a: Any) -> Any:
    """Return 1/(1 + e⁻ᵃ) of an array."""
    a = floats(a)
    if a.dtype.kind == "c":
        a = np.maximum(a, -700)  # a complex infinity would give NaN
    with np.errstate(over="ignore"):  # e¹⁰⁰⁰ is inf, and 1/inf is 0, as it should be
        return 1 / (1 + np.exp(-a))


@rule("elementwise")
def by_sigmoid(g: Any, y: Any) -> Any:
    """dσ/dx = σ·(1 - σ)."""
    return g * (y * (1 - y))


def softplus(x: Any) -> Tensor:
    """Return log(1 + eˣ)."""
    return unary(log_one_plus_exp, x, by_softplus, OUTPUT)


def log_one_plus_exp(a: Any) -> Any:
    """Return log(1 + eᵃ) = max(a, 0) + log(1 + e^-|a|) of an array."""
    a = floats(a)
    return np.maximum(a, 0) + np.log1p(np.exp(np.minimum(a, -a)))


@rule("elementwise")
def by_softplus(g: Any, y: Any) -> Any:
    """dy/dx = 1/(1 + e⁻ˣ) = 1 - e⁻ʸ."""
    return -(g * np.expm1(-y))


def gelu(x: Any, approximate: str = "none") -> Tensor:
    """Return x·Φ(x), where Φ(x) is the probability that a normal number is below x.

    Hendrycks and Gimpel, "Gaussian Error Linear Units" (2016), arXiv:1606.08415.

    Args:
        x: a tensor, an array or a number.
        approximate: "none", or "tanh" for the paper's approximation of Φ, which is off
            by up to 0.0005 and which GPT-2 is trained with.

    Raises:
        ValueError: if `approximate` is neither.
    """
    if approximate not in ("none", "tanh"):
        raise ValueError(
            f"gelu: approximate must be 'none' or 'tanh', got {approximate!r}"
        )
    a = floats(array(x))
    if approximate == "tanh":
        p = nearly_normal(a)
        return result(a * p, x, by_tanh_gelu, Saved(x, p), gelu)
    p = normal_below(a)
    return result(a * p, x, by_gelu, Saved(x, p), gelu)


@rule("elementwise")
def by_gelu(g: Any, saved: Any) -> Any:
    """d(x·Φ)/dx = Φ + x·e^(-x²/2)/√(2π)."""
    x, p = saved
    if isinstance(g, Tensor):
        return g * (unary(normal_below, x, by_normal, x) + x * by_normal(1.0, x))
    d = x * x
    d *= -0.5
    d = np.exp(d)
    d /= math.sqrt(2 * math.pi)
    d *= x
    d += p
    return g * d


def normal_below(a: Any) -> Any:
    """Return Φ of an array."""
    y = error_function(a * math.sqrt(0.5))
    y *= 0.5
    y += 0.5
    return y


@rule("elementwise")
def by_normal(g: Any, x: Any) -> Any:
    """dΦ/dx = e^(-x²/2)/√(2π)."""
    return g * (np.exp(-0.5 * x * x) / math.sqrt(2 * math.pi))


def nearly_normal(a: Any) -> Any:
    """Return p = (1 + tanh u)/2 for u = √(2/π)·(a + 0.044715·a³), of an array."""
    p = np.empty_like(a)
    np.multiply(a, a, out=p)
    p *= WIDTH * CUBIC
    p += WIDTH
    p *= a
    np.tanh(p, out=p)
    p *= 0.5
    p += 0.5
    return p


@rule("elementwise")
def by_tanh_gelu(g: Any, saved: Any) -> Any:
    """d(x·p)/dx = p + x·p·(1 - p)·2·du/dx."""
    x, p = saved
    if isinstance(g, Tensor):
        p = unary(nearly_normal, x, by_nearly_normal, Saved(x, OUTPUT))
        return g * (p + x * by_nearly_normal(1.0, (x, p)))
    d = x * x
    d *= 6 * WIDTH * CUBIC
    d += 2 * WIDTH
    d *= x
    d *= 1 - p
    d += 1
    d *= p
    return g * d


@rule("elementwise")
def by_nearly_normal(g: Any, saved: Any) -> Any:
    """dp/dx = 2·p·(1 - p)·du/dx."""
    x, p = saved
    return g * (p * (1 - p) * (2 * WIDTH + (6 * WIDTH * CUBIC) * x * x))


def softmax(x: Any, axis: Axis = -1, **unknown: Any) -> Tensor:
    """Return eˣ over the sum of eˣ along an axis: positive numbers whose sum is 1.

    Args:
        x: a tensor, an array or a number.
        axis: one axis, several, or None for all.

    Raises:
        IndexError: if there is no such axis.
    """
    if unknown:
        raise unknown_keywords("softmax", softmax, unknown)
    if is_half(a := floats(array(x))):
        return in_single(softmax, x, axis)  # type: ignore[no-any-return]
    a, axis = below_largest("softmax", a, axis)
    y = np.exp(a)
    y /= y.sum(axis=axis, keepdims=True)
    return result(y, x, by_softmax, Saved(OUTPUT, axis), softmax)


@rule("symmetric")
def by_softmax(g: Any, saved: Any) -> Any:
    """x̄ = (g - Σ g·y)·y, summed along the axis."""
    y, axis = saved
    return (g - dot_along(g, y, axis)) * y


def log_softmax(x: Any, axis: Axis = -1, **unknown: Any) -> Tensor:
    """Return the logarithm of `softmax`, finite even where softmax underflows."""
    if unknown:
        raise unknown_keywords("log_softmax", log_softmax, unknown)
    if is_half(a := floats(array(x))):
        return in_single(log_softmax, x, axis)  # type: ignore[no-any-return]
    a, axis = below_largest("log_softmax", a, axis)
    with np.errstate(divide="ignore"):  # only the sum of no numbers is 0
        y = a - np.log(np.exp(a).sum(axis=axis, keepdims=True))
    return result(y, x, by_log_softmax, Saved(OUTPUT, axis), log_softmax)


def by_log_softmax(g: Any, saved: Any) -> Any:
    """x̄ = g - eʸ·Σ g, summed along the axis."""
    y, axis = saved
    return g - np.exp(y) * g.sum(axis=axis, keepdims=True)


@jvp_of(by_log_softmax)
def of_log_softmax(t: Any, saved: Any) -> Any:
    """dy = dx - Σ eʸ·dx, summed along the axis."""
    y, axis = saved
    return t - (np.exp(y) * t).sum(axis=axis, keepdims=True)


def below_largest(function: str, a: Any, axis: Axis) -> tuple[Any, Axis]:
    """Return an array minus its maximum along an axis, and the axis."""
    try:
        largest = np.maximum.reduce(a, axis=axis, keepdims=True, initial=-np.inf)
    except np.exceptions.AxisError:
        there = f"one from {-a.ndim} to {a.ndim - 1}, or None for all"
        raise np.exceptions.AxisError(
            f"{function}: axis={axis} is no axis of a tensor of shape {a.shape}; "
            f"give {there if a.ndim else 'axis=None'}"
        ) from None
    return a - largest, axis if a.ndim else None


def floats(a: Any) -> Any:
    """Return numbers as an array of floating-point or complex numbers."""
    a = numpy().asarray(a)
    return a if a.dtype.kind in "fc" else a.astype(float)
