"""Calculations of layers, each as one operation for speed (chapter 16).

A composition of operations passes over memory several times and makes several nodes;
each of these makes one node and fewer passes. Its derivative is worked out on paper, as
its docstring shows, and written in operations that tensors have too, so it can be
differentiated again.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from autograd_lib.engine.ops.activations import floats
from autograd_lib.engine.ops.linear import vjp_bias
from autograd_lib.engine.ops.matmul import transpose_times
from autograd_lib.engine.ops.options import is_half
from autograd_lib.engine.ops.sums import dot_along
from autograd_lib.engine.rules import jvp_of, rule
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import array, record
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.spelling import missing

Axes = tuple[int, ...]


def linear(x: Any, weight: Any, bias: Any = None) -> Tensor:
    """Return x·Wᵀ + b for each row of x, with PyTorch's layout of the weights.

    With Y = X·Wᵀ + b, a small change dX, dW, db changes L by ⟨Ȳ, dX·Wᵀ + X·dWᵀ + db⟩.
    Written as inner products with dX, dW and db that is X̄ = Ȳ·W, W̄ = Ȳᵀ·X, and b̄ is
    the sum of the rows of Ȳ. Compared with ``x @ weight.T + bias`` it saves two nodes
    and an array; W̄ has the memory layout of W, which speeds up an optimiser's step.

    Args:
        x: rows of n numbers, of shape (…, n).
        weight: of shape (m, n).
        bias: of shape (m,), or None.

    Raises:
        ValueError: if the shapes are not those.
    """
    a, w, b = array(x), array(weight), bias if bias is None else array(bias)
    try:
        rows, (m, n) = a.shape, w.shape
        fits = rows[-1:] == (n,) and (b is None or b.shape == (m,))
    except (AttributeError, ValueError):  # a number, or a weight that isn't a matrix
        fits = False
    if not fits:
        raise ValueError(
            f"linear: x of shape {np.shape(a)}, weight of shape {np.shape(w)} and bias "
            f"of shape {None if b is None else np.shape(b)} do not fit; for rows of n "
            "numbers the weight has shape (m, n) and the bias (m,)"
        )
    y = flat(a) @ w.T
    if b is not None:
        y = np.add(y, b, out=y if y.dtype is b.dtype else None)
    y = y if len(rows) == 2 else y.reshape(*rows[:-1], m)
    x, weight = x if type(x) is Tensor else a, weight if type(weight) is Tensor else w
    return record(
        y,
        (x, vjp_rows, Saved(weight, rows)),
        (weight, vjp_weight, x),
        (bias, vjp_bias, None),
        by=linear,
    )


def flat(x: Any) -> Any:
    """Return all row vectors as one matrix."""
    return x if x.ndim == 2 else x.reshape(-1, x.shape[-1])


def of_rows(t: Any, saved: Any) -> Any:
    """Multiply each row vector by the weight."""
    return t @ saved[0].T


@rule("linear", of_rows, each=of_rows)
def vjp_rows(g: Any, saved: Any) -> Any:
    """X̄ = Ȳ·W."""
    weight, shape = saved
    return (flat(g) @ weight).reshape(shape)


@rule("linear", lambda t, x: x @ t.T)
def vjp_weight(g: Any, x: Any) -> Any:
    """W̄ = Ȳᵀ·X."""
    return transpose_times(flat(g), flat(x))


def normalize(x: Any, axes: Axes, weight: Any, bias: Any, eps: float) -> Tensor:
    """Return x̂·w + b, where x̂ is x with mean 0 and variance 1 along axes.

    With n elements along the axes, μ their mean and σ = √(mean((x - μ)²) + eps), it is
    x̂ = (x - μ)/σ. A change dx changes μ by mean(dx) and σ by mean(x̂·dx), since the
    deviations sum to 0. So dx̂ = (dx - mean(dx) - x̂·mean(x̂·dx))/σ. This map is its
    own transpose: with h = x̂'s gradient, x̄ = (h - mean(h) - x̂·mean(x̂·h))/σ.

    Args:
        x: numbers.
        axes: the axes along which mean and variance are taken.
        weight: w, which broadcasts to x, or None for 1.
        bias: b, likewise, or None for 0.
        eps: a number added to the variance.
    """
    a = floats(array(x))
    if is_half(a):
        dtype = np.result_type(*[array(t) for t in (a, weight, bias) if t is not None])
        wide: Any = x if isinstance(x, Tensor) else a
        wide = np.astype(wide, np.float32)
        return normalize(wide, axes, weight, bias, eps).astype(dtype)
    h, scale = standardized(a, axes, eps)
    if type(x) is not Tensor:
        x = a
    if weight is not None and type(weight) is not Tensor:
        weight = array(weight)
    y = h if weight is None else h * array(weight)
    if bias is not None:
        b = array(bias)
        y = np.add(y, b, out=y if y is not h and y.dtype == b.dtype else None)
    kept = Saved(x, h, scale, axes, eps)
    return record(
        y,
        (x, vjp_normalized, Saved(weight, kept)),
        (weight, vjp_scale, kept),
        (bias, vjp_shift, None),
        by=normalize,
    )


def standardized(x: Any, axes: Axes, eps: float) -> tuple[Any, Any]:
    """Return x̂ and σ, for an array or a tensor."""
    d = x - x.mean(axis=axes, keepdims=True)
    n = prod(x.shape[axis] for axis in axes)
    scale = (dot_along(d, d, axes) / n + eps) ** 0.5
    return d / scale, scale


def again(g: Any, kept: Any) -> tuple[Any, Any, Axes]:
    """Return x̂, σ and the axes; in a recorded rule computed from x, as tensors."""
    x, h, scale, axes, eps = kept
    if isinstance(g, Tensor):
        h, scale = standardized(x, axes, eps)
    return h, scale, axes


def vjp_normalized(g: Any, saved: Any) -> Any:
    """x̄ = (h - mean(h) - x̂·mean(x̂·h))/σ for h = ȳ·w."""
    weight, kept = saved
    (normal, scale, axes), h = again(g, kept), g if weight is None else g * weight
    n = prod(h.shape[axis] for axis in axes)
    along = dot_along(h, normal, axes) / n
    return (h - (h.mean(axis=axes, keepdims=True) + normal * along)) / scale


@jvp_of(vjp_normalized)
def of_normalized(t: Any, saved: Any) -> Any:
    """dy = w·(dx - mean(dx) - x̂·mean(x̂·dx))/σ: the rule's map, times the weight."""
    weight, kept = saved
    d = vjp_normalized(t, (None, kept))
    return d if weight is None else d * weight


@rule("elementwise", broadcasts=True)
def vjp_scale(g: Any, kept: Any) -> Any:
    """w̄ = ȳ·x̂, summed over the copies of w."""
    return g * again(g, kept)[0]


@rule("elementwise", broadcasts=True)
def vjp_shift(g: Any, _: None) -> Any:
    """b̄ = ȳ, summed over the copies of b."""
    return g


if not TYPE_CHECKING:  # it would hide missing names from type checkers

    def __getattr__(name: str) -> object:
        raise missing(__name__, name, ["linear", "normalize"])
