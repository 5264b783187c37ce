"""The determinant, whose slopes exist for singular matrices too (chapter 10).

The slope with respect to an element is its cofactor: up to a sign, the determinant of
the matrix without the element's row and column. Textbooks write det A·A⁻ᵀ, which is
undefined if A is singular. Here A = U·Σ·Vᵀ, and the cofactors of a product are the
product of the cofactors: those of U and V are ±U and ±V, those of Σ are products of all
but one of its elements. Nothing is divided, so the rank doesn't matter. The slopes of
cofactors are computed in the same way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import array, record, unary
from autograd_lib.engine.tape.tensor import Tensor


@operation(np.linalg.det)
def det(a: Any) -> Tensor:
    """Return the determinant of square matrices.

    First and second derivatives are right for matrices of any rank; third and higher
    ones only if the matrix has an inverse, otherwise they raise `LinAlgError`.

    Raises:
        LinAlgError: if a matrix is not square.
    """
    shape = np.shape(array(a))
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise np.linalg.LinAlgError(
            f"det: a must be square in its last two axes, got shape {shape}"
        )
    return unary(np.linalg.det, a, by_cofactors, a)


@rule("reducing", lambda _: ((-2, -1), False))
def by_cofactors(g: Any, a: Any) -> Any:
    """Ā = ȳ·cof A for y = det A."""
    return g[..., None, None] * cofactors(a)


def cofactors(a: Any) -> Any:
    """Return the cofactors of matrices."""
    if isinstance(a, Tensor):
        return record(cofactors(a._array), (a, slopes, a), by=np.linalg.det)
    u, s, v, sign = svd_with_sign(a)
    return finite(a, sign * (u * all_but_one(s)[..., None, :]) @ v)


@rule("symmetric")
def slopes(e: Any, a: Any) -> Any:
    """Return the derivative of the cofactors of a in direction e.

    In the basis where a is diagonal, the cofactor on the diagonal at i changes by
    the sum over j of e_jj, and that at (i, j) by -e_ji, times all elements of the
    diagonal except those at i and j. The matrix of this linear map, which has all
    second derivatives of the determinant, is symmetric: so this is also its rule.
    """
    if isinstance(a, Tensor):
        y = slopes(array(e), a._array)
        return record(
            y, (e, slopes, a), (a, slopes_of_slopes, Saved(e, a)), by=np.linalg.det
        )
    u, s, v, sign = svd_with_sign(a)
    diagonal = np.eye(s.shape[-1], dtype=bool)
    but_i = np.where(diagonal, s.dtype.type(1), s[..., None, :])
    others = np.where(diagonal, s.dtype.type(0), all_but_one(but_i))
    e = u.swapaxes(-1, -2) @ e @ v.swapaxes(-1, -2)
    on = (others @ np.diagonal(e, axis1=-2, axis2=-1)[..., None]) * diagonal
    return finite(a, sign * (u @ (on - others * e.swapaxes(-1, -2)) @ v))


@rule("symmetric")
def slopes_of_slopes(g: Any, saved: Any) -> Any:
    """The gradient of Σ ḡ·slopes(e, a) with respect to a, if a has an inverse.

    With t = a⁻ᵀ the sum is det a·(Σ e·t Σ ḡ·t - Σ ḡ·(t·eᵀ·t)), and dt = -t·daᵀ·t.
    """
    e, a = saved
    t = np.linalg.inv(a).swapaxes(-1, -2)
    along_e, along_g = frobenius_product(e, t), frobenius_product(g, t)
    turned_e, turned_g = (t @ x.swapaxes(-1, -2) @ t for x in (e, g))
    total = t * (along_e * along_g - frobenius_product(g, turned_e))
    total = total - turned_e * along_g - turned_g * along_e
    crossed = turned_e @ g.swapaxes(-1, -2) @ t + turned_g @ e.swapaxes(-1, -2) @ t
    return np.linalg.det(a)[..., None, None] * (total + crossed)


def frobenius_product(x: Any, y: Any) -> Any:
    """Return the sum over each matrix of the products of x's and y's elements."""
    return (x * y).sum((-2, -1), keepdims=True)


def svd_with_sign(a: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return U, the diagonal of Σ, Vᵀ, and det U·det V, which is 1 or -1."""
    whole = np.isfinite(a).all((-2, -1), keepdims=True)
    u, s, v = np.linalg.svd(np.where(whole, a, a.dtype.type(0)))
    sign = np.sign(np.linalg.det(u) * np.linalg.det(v))
    return u, s, v, sign[..., None, None]


def finite(a: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return y, with NaN for matrices a that have NaN or infinite elements."""
    whole = np.isfinite(a).all((-2, -1), keepdims=True)
    return np.where(whole, y, y.dtype.type(np.nan))


def all_but_one(s: np.ndarray) -> np.ndarray:
    """Return, for each element of the last axis, the product of the others."""
    ones = np.ones_like(s[..., :1])
    before = np.concatenate([ones, s[..., :-1]], -1).cumprod(-1)
    after = np.concatenate([ones, s[..., :0:-1]], -1).cumprod(-1)[..., ::-1]
    products: np.ndarray = before * after
    return products
