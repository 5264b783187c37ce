"""Singular value and QR decompositions (chapter 10).

With A = U·diag(s)·Vᵀ the columns of U are eigenvectors of A·Aᵀ, and those of V of Aᵀ·A.
So one rule is enough: V belongs to Aᵀ as U belongs to A. It is that of Townsend,
"Differentiating the singular value decomposition", 2016. If singular values are equal,
the vectors have no derivative, and their gradient is infinite or NaN, as in PyTorch; so
too if one is 0 and the matrix is not square. The singular values alone have a finite
gradient (see `eigen`).

The rule of Q·R is that of Walter and Lehmann, "Algorithmic differentiation of linear
algebra functions with application in optimum experimental design", 2010; that for wide
matrices is in Seeger et al., "Auto-differentiating linear algebra", 2017.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.axes import as_tensor, needs_gradient
from autograd_lib.engine.ops.eigen import over_differences
from autograd_lib.engine.ops.joining import concatenate
from autograd_lib.engine.ops.linalg import explained, matrices, whole_of_lower
from autograd_lib.engine.ops.matmul import matmul
from autograd_lib.engine.ops.shapes import swapaxes
from autograd_lib.engine.rules import jvp_of
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import OUTPUT, result
from autograd_lib.engine.tape.tensor import Tensor, constant


class SVDResult(NamedTuple):
    """The result of `svd`, for matrices of shape (…, m, n) with k = min(m, n).

    Attributes:
        U: of shape (…, m, k), with orthonormal columns.
        S: the singular values, of shape (…, k), in descending order.
        Vh: of shape (…, k, n), with orthonormal rows.
    """

    U: Tensor
    S: Tensor
    Vh: Tensor


@operation(np.linalg.svd)
def svd(
    a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False
) -> Any:
    """Return U, s and Vᵀ with U·diag(s)·Vᵀ = a, or s alone.

    Args:
        a: matrices of shape (…, m, n).
        full_matrices: whether U and Vᵀ are square. Their additional columns and rows
            are an arbitrary basis, which has no derivative.
        compute_uv: whether to return U and Vᵀ too; if not, the result is s.
        hermitian: must be False if a needs a gradient; use `eigh` instead.

    Raises:
        LinAlgError: if a has less than two axes, or the calculation does not converge.
        ValueError: if a needs a gradient and `hermitian` is set, or `full_matrices`
            for a matrix that isn't square.
    """
    t = as_tensor(a)
    shape = matrices("svd", t)
    if not needs_gradient(t):
        found = explained("svd", np.linalg.svd, t, full_matrices, compute_uv, hermitian)
        return SVDResult(*map(constant, found)) if compute_uv else constant(found)
    if hermitian:
        raise ValueError(
            "svd: hermitian=True has no rule; leave it out, or use np.linalg.eigh, "
            "whose eigenvalues are the singular values up to their signs"
        )
    if not compute_uv:
        return svdvals(t)
    if shape[-1] != shape[-2] and full_matrices:
        raise ValueError(
            f"svd: full_matrices=True, the default, adds vectors to those of a, of "
            f"shape {shape}, that have no derivative; give full_matrices=False"
        )
    u, s, v = explained("svd", np.linalg.svd, t, full_matrices=False)
    left = result(u, t, vjp_left_vectors, Saved(OUTPUT, t), np.linalg.svd)
    right = result(v, t, vjp_right_vectors, Saved(OUTPUT, t), np.linalg.svd)
    values = result(s, t, vjp_values, Saved(left, right), np.linalg.svd)
    return SVDResult(left, values, right)


@operation(np.linalg.svdvals)
def svdvals(x: Any) -> Tensor:
    """Return the singular values of matrices, in descending order.

    Raises:
        LinAlgError: if x has less than two axes, or the calculation does not converge.
    """
    t = as_tensor(x)
    matrices("svdvals", t)
    if needs_gradient(t):  # the gradient needs the vectors
        values: Tensor = svd(t, full_matrices=False).S
        return values
    return constant(explained("svdvals", np.linalg.svd, t, compute_uv=False))


def vjp_values(g: Any, saved: Any) -> Any:
    """Ā = U·diag(s̄)·Vᵀ."""
    u, v = saved
    return (u * g[..., None, :]) @ v


@jvp_of(vjp_values)
def of_values(t: Any, saved: Any) -> Any:
    """ds = diag(Uᵀ·dA·V)."""
    u, v = saved
    return (u * (t @ v.swapaxes(-1, -2))).sum(-2)


def vjp_left_vectors(g: Any, saved: Any) -> Any:
    """Ā = (U·(F∘(UᵀŪ - ŪᵀU)) + (I - U·Uᵀ)·Ū·diag(1/s²))·B for B = Uᵀ·A = diag(s)·Vᵀ.

    F has 1/(s_j² - s_i²) and a diagonal of 0. The second term comes from the part of Ū
    that is orthogonal to all columns of U; it vanishes if U is square.
    """
    u, a = saved
    t = u.swapaxes(-1, -2)
    b = t @ a
    squares = (b * b).sum(-1)
    x = t @ g
    y = over_differences(x, squares)
    d = u @ (y + y.swapaxes(-1, -2))
    if u.shape[-1] < u.shape[-2]:
        d = d + (g - u @ x) / squares[..., None, :]
    return d @ b


@jvp_of(vjp_left_vectors)
def of_left_vectors(t: Any, saved: Any) -> Any:
    """dU = U·(F∘(P + Pᵀ)) + (I - U·Uᵀ)·dA·Bᵀ·diag(1/s²) for P = Uᵀ·dA·Bᵀ.

    F and B are those of the rule.
    """
    u, a = saved
    b = u.swapaxes(-1, -2) @ a
    squares = (b * b).sum(-1)
    x = t @ b.swapaxes(-1, -2)
    p = u.swapaxes(-1, -2) @ x
    with np.errstate(divide="ignore", invalid="ignore"):  # they may not be wanted
        y = over_differences(p, squares)
        d = u @ (y - y.swapaxes(-1, -2))
        if u.shape[-1] < u.shape[-2]:
            d = d + (x - u @ p) / squares[..., None, :]
    return d


def vjp_right_vectors(g: Any, saved: Any) -> Any:
    """V belongs to Aᵀ as U belongs to A."""
    v, a = (x.swapaxes(-1, -2) for x in saved)
    return vjp_left_vectors(g.swapaxes(-1, -2), (v, a)).swapaxes(-1, -2)


@jvp_of(vjp_right_vectors)
def of_right_vectors(t: Any, saved: Any) -> Any:
    """V belongs to Aᵀ as U belongs to A."""
    v, a = (x.swapaxes(-1, -2) for x in saved)
    return of_left_vectors(t.swapaxes(-1, -2), (v, a)).swapaxes(-1, -2)


class QRResult(NamedTuple):
    """The result of `qr`, for matrices of shape (…, m, n) with k = min(m, n).

    Attributes:
        Q: of shape (…, m, k), with orthonormal columns.
        R: of shape (…, k, n), with 0 below the diagonal.
    """

    Q: Tensor
    R: Tensor


@operation(np.linalg.qr)
def qr(a: Any, mode: str = "reduced") -> Any:
    """Return Q, with orthonormal columns, and upper triangular R with Q·R = a.

    Args:
        a: matrices of shape (…, m, n). Their first min(m, n) columns must be linearly
            independent, or there is no gradient.
        mode: "reduced", or "r" for R alone. "complete", with a square Q, is the same
            if m ≤ n. Other modes work for constants only.

    Raises:
        LinAlgError: if a has less than two axes; in the backward pass, if its columns
            are not linearly independent.
        ValueError: if a needs a gradient and the mode is another one.
    """
    t = as_tensor(a)
    m, n = matrices("qr", t)[-2:]
    if not needs_gradient(t):
        found = explained("qr", np.linalg.qr, t, mode)
        if mode == "r":
            return constant(found)
        pair = map(constant, found)
        return tuple(pair) if mode == "raw" else QRResult(*pair)
    if mode not in ("reduced", "r") and (mode != "complete" or m > n):
        raise ValueError(
            f"qr: mode must be 'reduced' or 'r', got {mode!r} for shape {t.shape}; "
            "columns that 'complete' adds have no derivative"
        )
    columns = t[..., :m] if m < n else t
    q, r = explained("qr", np.linalg.qr, columns)
    left = result(q, columns, vjp_q, Saved(OUTPUT, columns), np.linalg.qr)
    right = result(r, columns, vjp_r, Saved(OUTPUT, left), np.linalg.qr)
    if m < n:  # the other columns of R are Qᵀ times those of a
        rest = matmul(swapaxes(left, -1, -2), t[..., m:])
        right = concatenate([right, rest], -1)
    return right if mode == "r" else QRResult(left, right)


def vjp_q(g: Any, saved: Any) -> Any:
    """Ā = (Q̄ - Q·C(Q̄ᵀ·Q))·R⁻ᵀ, where C is `whole_of_lower`."""
    q, a = saved
    r = np.triu(q.swapaxes(-1, -2) @ a)
    return times_inverse(g - q @ whole_of_lower(g.swapaxes(-1, -2) @ q), r)


def vjp_r(g: Any, saved: Any) -> Any:
    """Ā = Q·C(R·R̄ᵀ)·R⁻ᵀ, where C is `whole_of_lower`."""
    r, q = saved
    return times_inverse(q @ whole_of_lower(r @ g.swapaxes(-1, -2)), r)


def times_inverse(x: Any, r: Any) -> Any:
    """Return X·R⁻ᵀ."""
    try:
        return np.linalg.solve(r, x.swapaxes(-1, -2)).swapaxes(-1, -2)
    except np.linalg.LinAlgError:
        raise np.linalg.LinAlgError(
            f"qr: there is no gradient where R, of shape {r.shape}, has a 0 on its "
            "diagonal: the columns of the matrix are not linearly independent"
        ) from None


@jvp_of(vjp_q)
def of_q(t: Any, saved: Any) -> Any:
    """dQ = Q·(Ω - C) + dA·R⁻¹ for C = Qᵀ·dA·R⁻¹, where Ω is `turning` of C."""
    q, a = saved
    r = np.triu(q.swapaxes(-1, -2) @ a)
    x = times_inverse(t, r.swapaxes(-1, -2))
    c = q.swapaxes(-1, -2) @ x
    return q @ (turning(c) - c) + x


@jvp_of(vjp_r)
def of_r(t: Any, saved: Any) -> Any:
    """dR = (C - Ω)·R, with the C and Ω of `of_q`."""
    r, q = saved
    c = q.swapaxes(-1, -2) @ times_inverse(t, r.swapaxes(-1, -2))
    return (c - turning(c)) @ r


def turning(c: Any) -> Any:
    """Return the antisymmetric matrices with the lower triangles of c."""
    return np.tril(c, -1) - np.tril(c, -1).swapaxes(-1, -2)
