"""Eigenvalues and eigenvectors of symmetric matrices (chapter 13).

With A = V·diag(w)·Vᵀ the rules are those of Giles, "Collected matrix derivative results
for forward and reverse mode", 2008, section 3.1. The slope of an eigenvector is divided
by its eigenvalue's distances to the others. If eigenvalues are equal, their vectors are
an arbitrary basis, which has no derivative: the gradient with respect to A is then
infinite or NaN, as in PyTorch, if the vectors are used. Eigenvalues alone have a finite
gradient: for equal ones it is right if all of them get the same, as in their sum;
otherwise they have a kink there, and it is the slope for the basis that NumPy found.

Eigenvalues of other matrices may be complex, so `numpy.linalg.eig` has no rule.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.axes import as_tensor, needs_gradient
from autograd_lib.engine.ops.linalg import explained, lower_half, square, whole_of_lower
from autograd_lib.engine.ops.shapes import swapaxes
from autograd_lib.engine.rules import jvp_of, rule
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import OUTPUT, result
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
    return EighResult(result(w, t, vjp_values, vectors, by), vectors)


def vjp_values(g: Any, v: Any) -> Any:
    """Ā = V·diag(w̄)·Vᵀ."""
    return (v * g[..., None, :]) @ v.swapaxes(-1, -2)


@jvp_of(vjp_values)
def of_values(t: Any, v: Any) -> Any:
    """dw = diag(Vᵀ·dA·V)."""
    return (v * (t @ v)).sum(-2)


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
    """Return matrices whose elements are x_ij/(w_j - w_i), with a diagonal of 0."""
    eye = np.eye(x.shape[-1], dtype=x.dtype)
    differences = w[..., None, :] - w[..., :, None]
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
