"""Eigenvalues and eigenvectors of symmetric matrices (chapter 10).

With A = V·diag(w)·Vᵀ the rules are those of Giles, "Collected matrix derivative results
for forward and reverse mode", 2008, section 3.1. The slope of an eigenvector is divided
by its eigenvalue's distances to the others. If eigenvalues are equal, their vectors are
an arbitrary basis, which has no derivative: the gradient with respect to A is then
infinite or NaN, as in PyTorch, if the vectors are used. Eigenvalues alone have a finite
gradient: for equal ones it is right if all of them get the same, as in their sum;
otherwise they have a kink there, and it is the slope for the basis that NumPy found.
Their second derivatives are right for functions to which equal ones are alike, such as
the sum of their logarithms, and NaN for others.

Eigenvalues of other matrices may be complex, so `numpy.linalg.eig` has no rule.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.arithmetic import array_of
from autograd_lib.engine.ops.axes import as_tensor, needs_gradient
from autograd_lib.engine.ops.kinks import with_kink
from autograd_lib.engine.ops.linalg import explained, lower_half, square, whole_of_lower
from autograd_lib.engine.ops.shapes import swapaxes
from autograd_lib.engine.rules import jvp_of, rule
from autograd_lib.engine.tape.backward import cotangents
from autograd_lib.engine.tape.node import Saved, leads_back
from autograd_lib.engine.tape.record import OUTPUT, record, result
from autograd_lib.engine.tape.tensor import Tensor, constant


class EighResult(NamedTuple):
    """The result of `eigh`.

    Attributes:
        eigenvalues: of shape (…, n), in ascending order.
        eigenvectors: of shape (…, n, n), in the columns, each of length 1.
    """

    eigenvalues: Tensor
    eigenvectors: Tensor


@operation(np.linalg.eigh)
def eigh(a: Any, UPLO: str = "L") -> EighResult:
    """Return the eigenvalues and the eigenvectors of symmetric matrices.

    NumPy reads only the lower half of a, which determines a symmetric matrix; if
    `UPLO` is "U", only the upper half. The gradient is zero in the half that is not
    read.

    Args:
        a: matrices of shape (…, n, n).
        UPLO: "L" for the lower half, "U" for the upper.

    Raises:
        LinAlgError: if a matrix is not square, or the calculation does not converge.
        ValueError: if `UPLO` is another letter.
    """
    half = half_named("eigh", a, UPLO)
    t = as_tensor(a)
    if not needs_gradient(t):
        return EighResult(*map(constant, explained("eigh", np.linalg.eigh, t, half)))
    return with_rules(np.linalg.eigh, t, half)


@operation(np.linalg.eigvalsh)
def eigvalsh(a: Any, UPLO: str = "L") -> Tensor:
    """Return the eigenvalues of symmetric matrices, as `eigh` does.

    Raises:
        LinAlgError: if a matrix is not square, or the calculation does not converge.
        ValueError: if `UPLO` is another letter.
    """
    half = half_named("eigvalsh", a, UPLO)
    t = as_tensor(a)
    if needs_gradient(t):  # the gradient needs the vectors
        return with_rules(np.linalg.eigvalsh, t, half).eigenvalues
    return constant(explained("eigvalsh", np.linalg.eigvalsh, t, half))


def with_rules(by: Any, t: Tensor, half: str) -> EighResult:
    """Return the eigenvalues and the eigenvectors, recorded for `by`."""
    t = t if half == "L" else swapaxes(t, -1, -2)
    t = result(whole_of_lower(t._array), t, onto_half, None, by)
    w, v = explained(by.__name__, np.linalg.eigh, t, half)
    vectors = result(v, t, vjp_vectors, Saved(OUTPUT, t), by)
    values = result(w, t, vjp_values, Saved(vectors, OUTPUT, t), by)
    return EighResult(values, vectors)


def vjp_values(g: Any, saved: Any) -> Any:
    """Ā = V·diag(w̄)·Vᵀ."""
    v, w, a = saved
    if not isinstance(g, Tensor):
        return (v * g[..., None, :]) @ v.swapaxes(-1, -2)
    y = (v._array * g._array[..., None, :]) @ v._array.swapaxes(-1, -2)
    curvature = slopes_apart(g, w)
    return record(y, (g, on_spectrum, v), (a, between, Saved(v, g, w, curvature)))


@jvp_of(vjp_values)
def of_values(t: Any, saved: Any) -> Any:
    """dw = diag(Vᵀ·dA·V)."""
    return on_spectrum(t, saved[0])


@rule("linear", lambda t, v: (v * t[..., None, :]) @ v.swapaxes(-1, -2))
def on_spectrum(g: Any, v: Any) -> Any:
    """Return diag(Vᵀ·G·V)."""
    return (v * (g @ v)).sum(-2)


@rule("symmetric")
def between(g: Any, saved: Any) -> Any:
    """Return V·(D∘(Vᵀ·G·V))·Vᵀ, where D has (w̄_j - w̄_i)/(w_j - w_i), 0 for i = j.

    It is how V·diag(w̄)·Vᵀ changes with V. Where two eigenvalues are equal, D is the
    limit: what w̄_j - w̄_i changes by if w_j does and w_i does not.
    """
    v, slopes, w, curvature = saved
    t = v.swapaxes(-1, -2)
    apart = slopes[..., None, :] - slopes[..., :, None]
    return v @ (divided(apart, w, curvature) * (t @ g @ v)) @ t


def divided(x: Any, w: Any, limits: Any) -> Any:
    """Return matrices of x_ij/(w_j - w_i), 0 for i = j, and `limits` for equal w."""
    a = array_of(w)
    eye = np.eye(a.shape[-1], dtype=a.dtype)
    equal = are_equal(a) & (eye == 0)
    d = x / (w[..., None, :] - w[..., :, None] + (eye + equal))
    d = d * (1 - eye) if not equal.any() else np.where(equal | (eye > 0), limits, d)
    return with_kink(d, w[..., None, :], equal)


def are_equal(w: np.ndarray) -> np.ndarray:
    """Return which eigenvalues are equal, up to the errors of their calculation."""
    near = 8 * w.shape[-1] * np.finfo(w.dtype).eps * np.abs(w).max(-1, initial=0)
    apart = np.abs(w[..., None, :] - w[..., :, None])
    equal: np.ndarray = apart <= near[..., None, None]
    return equal


def slopes_apart(g: Tensor, w: Tensor) -> np.ndarray:
    """Return what w̄_j - w̄_i changes by with w_j alone, for equal w_i and w_j.

    The limit exists for functions to which equal eigenvalues are alike, and then w̄ is
    the same for both. For others it is NaN, as is any limit that is not needed.
    """
    a, slopes = w._array, g._array
    n = a.shape[-1]
    equal = are_equal(a) & ~np.eye(n, dtype=bool)
    limits = numpy().zeros((*a.shape, n), a.dtype)
    if not equal.any():
        return limits
    size = 1e3 * np.finfo(a.dtype).eps * np.abs(slopes).max(initial=0)
    alike = np.abs(slopes[..., None, :] - slopes[..., :, None]) <= size
    if g.node is not None and not leads_back(g.node):
        limits[equal] = np.nan  # g has a tangent, and no way back to w
    elif g.node is not None and w.node is not None:
        for j in np.flatnonzero(equal.reshape(-1, n).any(0)):
            one = numpy().zeros(a.shape, a.dtype)
            one[..., j] = 1
            roots = [(g.node, constant(one))]
            (h,) = cotangents([w], roots, True, False, True)
            if h is not None:
                limits[..., :, j] = h._array[..., j, None] - h._array
    limits[equal & ~alike] = np.nan
    return limits


def vjp_vectors(g: Any, saved: Any) -> Any:
    """Ā = V·(F∘(Vᵀ·V̄))·Vᵀ, where F has 1/(w_j - w_i) and a diagonal of 0."""
    v, a = saved
    t = v.swapaxes(-1, -2)
    w = (v * (a @ v)).sum(-2)  # the eigenvalues again: saving them would make a cycle
    return v @ over_differences(t @ g, w) @ t


@jvp_of(vjp_vectors)
def of_vectors(t: Any, saved: Any) -> Any:
    """dV = V·(F∘(Vᵀ·dA·V)), with the F of the rule."""
    v, a = saved
    w = (v * (a @ v)).sum(-2)
    with np.errstate(divide="ignore", invalid="ignore"):  # they may not be wanted
        return v @ over_differences(v.swapaxes(-1, -2) @ t @ v, w)


def over_differences(x: Any, w: Any) -> Any:
    """Return matrices whose elements are x_ij/(w_j - w_i), with a diagonal of 0.

    Where x_ij is 0, so is the quotient, even if the eigenvalues are equal: the vectors
    take no part. Otherwise it is infinite there. Both hold up to rounding.
    """
    eye = np.eye(x.shape[-1], dtype=x.dtype)
    differences = w[..., None, :] - w[..., :, None]
    equal = are_equal(array_of(w)) & (eye == 0)
    if equal.any():
        size = np.abs(array_of(x))
        tiny = 8 * len(eye) * np.finfo(x.dtype).eps * size.max((-2, -1), keepdims=True)
        differences = np.where(equal, (size <= tiny).astype(x.dtype), differences)
    return x * (1 - eye) / (differences + eye)


def half_named(name: str, a: Any, half: str) -> str:
    """Check the name of the half that is read, and return it in upper case."""
    square(name, a)
    if half not in tuple("LlUu"):
        raise ValueError(
            f"{name}: UPLO must be 'L' for the lower half or 'U' for the upper, got "
            f"{half!r}"
        )
    return half.upper()


@rule("linear", lambda t, _: whole_of_lower(t))
def onto_half(g: Any, _: None) -> Any:
    """An element of the half appears twice in the whole; on the diagonal, once."""
    return lower_half(g + g.swapaxes(-1, -2))
