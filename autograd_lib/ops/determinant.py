"""The determinant, whose slopes exist for singular matrices too (chapter 13).

The slope toward an element is its cofactor, the determinant of the matrix without the
element's row and column, up to a sign. Textbooks write det A·A⁻ᵀ, which has no meaning
where A is singular. Here A = U·Σ·Vᵀ, and cofactors of a product are the product of the
cofactors: those of U and V are ±U and ±V, those of Σ are products of all but one of its
elements. Nothing is divided, so any rank will do. So too for the slopes of cofactors.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.primitive import array, operation, record, unary
from autograd_lib.tensor import Tensor


@operation(np.linalg.det)
def det(a: Any) -> Tensor:
    """Return the determinant of square matrices.

    First and second derivatives are right for matrices of any rank; third and higher
    ones for those that have an inverse, and for others they raise.

    Raises:
        LinAlgError: if a matrix is not square.
    """
    shape = np.shape(array(a))
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise np.linalg.LinAlgError(
            f"det: a must be square in its last two axes, got shape {shape}"
        )
    return unary(np.linalg.det, a, by_cofactors, a)


def by_cofactors(g: Any, a: Any) -> Any:
    """Ā = ȳ·cof A for y = det A."""
    c = cofactors_of(a) if isinstance(a, Tensor) else cofactors(a)
    return g[..., None, None] * c


def cofactors_of(a: Tensor) -> Tensor:
    """Return the cofactors of matrices, recorded."""
    return record(cofactors(a._data), (a, by_slopes, a))


def by_slopes(g: Any, a: Any) -> Any:
    """Ā = dcof A · ḡ: the matrix of all second derivatives is symmetric."""
    if not isinstance(a, Tensor):
        return slopes(a, g)
    t = np.linalg.inv(a).swapaxes(-1, -2)
    both = (t * g).sum((-2, -1), keepdims=True)
    return det(a)[..., None, None] * (both * t - t @ g.swapaxes(-1, -2) @ t)


def cofactors(a: np.ndarray) -> np.ndarray:
    """Return the cofactors of matrices."""
    u, s, v, sign = parts(a)
    return finite(a, sign * (u * all_but_one(s)[..., None, :]) @ v)


def slopes(a: np.ndarray, e: np.ndarray) -> np.ndarray:
    """Return how the cofactors of a change where a changes by e.

    In the basis where a is diagonal, the cofactor on the diagonal at i changes by
    the sum over j of e_jj, and that at (i, j) by -e_ji, times all elements of the
    diagonal but those at i and j.
    """
    u, s, v, sign = parts(a)
    eye = np.eye(s.shape[-1], dtype=bool)
    rest = all_but_one(np.where(eye, 1, s[..., None, :]).astype(s.dtype))
    rest = np.where(eye, 0, rest).astype(s.dtype)  # of all but i and j
    e = u.swapaxes(-1, -2) @ e @ v.swapaxes(-1, -2)
    diagonal = (rest @ np.diagonal(e, axis1=-2, axis2=-1)[..., None]) * eye
    return finite(a, sign * (u @ (diagonal - rest * e.swapaxes(-1, -2)) @ v))


def parts(a: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return U, the diagonal of Σ, Vᵀ, and det U·det V, which is 1 or -1."""
    whole = np.isfinite(a).all((-2, -1), keepdims=True)
    u, s, v = np.linalg.svd(np.where(whole, a, a.dtype.type(0)))
    sign = np.sign(np.linalg.det(u) * np.linalg.det(v))
    return u, s, v, sign[..., None, None]


def finite(a: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return y, and NaN for matrices a that are not finite."""
    whole = np.isfinite(a).all((-2, -1), keepdims=True)
    return np.where(whole, y, y.dtype.type(np.nan))


def all_but_one(s: np.ndarray) -> np.ndarray:
    """Return for each element of the last axis the product of the others."""
    ones = np.ones_like(s[..., :1])
    before = np.concatenate([ones, s[..., :-1]], -1).cumprod(-1)
    after = np.concatenate([ones, s[..., :0:-1]], -1).cumprod(-1)[..., ::-1]
    products: np.ndarray = before * after
    return products
