"""Equations with no solution, or many: the pseudoinverse (chapter 10).

The rule is that of Golub and Pereyra, "The differentiation of pseudo-inverses and
nonlinear least squares problems whose variables separate", 1973. It holds if the rank
is constant nearby; where the rank drops, the pseudoinverse jumps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.axes import as_tensor, needs_gradient
from autograd_lib.engine.ops.linalg import explained, matrices
from autograd_lib.engine.ops.matmul import matmul
from autograd_lib.engine.ops.sums import sum
from autograd_lib.engine.rules import jvp_of
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import OUTPUT, array, result
from autograd_lib.engine.tape.tensor import Tensor, constant


@operation(np.linalg.pinv)
def pinv(a: Any, rcond: Any = None, hermitian: bool = False, **options: Any) -> Tensor:
    """Return the pseudoinverses of matrices.

    Args:
        a: matrices of shape (…, m, n).
        rcond: singular values up to this fraction of the largest count as 0; by default
            as in NumPy.
        hermitian: must be False if a needs a gradient.
        options: `rtol`, NumPy's other name of `rcond`.

    Raises:
        LinAlgError: if a has less than two axes, or the calculation does not converge.
        ValueError: if `hermitian` and a needs a gradient.
    """
    t = as_tensor(a)
    matrices("pinv", t)
    if hermitian and needs_gradient(t):
        raise ValueError(
            "pinv: hermitian=True reads only half of a and has no rule; leave it out"
        )
    y = explained("pinv", np.linalg.pinv, t, rcond, hermitian, **options)
    saved = Saved(OUTPUT, t)
    return result(y, t, between_pseudoinverses, saved, np.linalg.pinv)


def between_pseudoinverses(g: Any, saved: Any) -> Any:
    """Ā = -Pᵀ·P̄·Pᵀ + (I - A·P)·P̄ᵀ·P·Pᵀ + Pᵀ·P·P̄ᵀ·(I - P·A) for P = A⁺.

    A square matrix with an inverse has only the first term, that of `inv`.
    """
    p, a = saved
    p_t, g_t = p.swapaxes(-1, -2), g.swapaxes(-1, -2)
    rows = g_t @ p @ p_t
    columns = p_t @ p @ g_t
    return rows - a @ (p @ rows) + columns - (columns @ p) @ a - p_t @ g @ p_t


@jvp_of(between_pseudoinverses)
def of_pseudoinverse(t: Any, saved: Any) -> Any:
    """dP = -P·dA·P + P·Pᵀ·dAᵀ·(I - A·P) + (I - P·A)·dAᵀ·Pᵀ·P for P = A⁺."""
    p, a = saved
    p_t, t_t = p.swapaxes(-1, -2), t.swapaxes(-1, -2)
    rows = p @ p_t @ t_t
    columns = t_t @ p_t @ p
    return rows - (rows @ a) @ p + columns - p @ (a @ columns) - p @ t @ p


@operation(np.linalg.lstsq)
def lstsq(a: Any, b: Any, rcond: Any = None) -> tuple[Tensor, Tensor, int, np.ndarray]:
    """Return the x that minimizes the sum of the squares of a @ x - b.

    Args:
        a: a matrix of shape (m, n). For a gradient it must have full rank.
        b: the right-hand side, of shape (m,), or several in columns, of shape (m, k).
        rcond: singular values up to this fraction of the largest count as 0.

    Returns:
        x, of shape (n,) or (n, k), the shortest if there are several; the least sums
        of squares, of shape (1,) or (k,), or (0,) if m ≤ n or the rank is below n; the
        rank; and the singular values, a plain array (`svdvals` has a rule).

    Raises:
        LinAlgError: if the shapes do not fit; if the rank is not full and a gradient
            is needed.
    """
    t, side = as_tensor(a), as_tensor(b)
    m = t.shape[0] if t.ndim == 2 else -1
    if side.ndim not in (1, 2) or side.shape[0] != m:
        raise np.linalg.LinAlgError(
            f"lstsq: a must be a matrix, got shape {t.shape}, and b, of shape "
            f"{side.shape}, a vector or a matrix with as many rows"
        )
    x, residuals, rank, s = np.linalg.lstsq(array(t), array(side), rcond)
    if not needs_gradient(t, side):
        return constant(x), constant(residuals), rank, s
    if rank < min(t.shape):
        raise np.linalg.LinAlgError(
            f"lstsq: a, of shape {t.shape}, has rank {rank}: the solution jumps where "
            "the rank changes and has no gradient; leave out columns or rows that the "
            "others add up to, or add a small multiple of the unit matrix to "
            "a.T @ a and solve"
        )
    solution = matmul(pinv(t, 0.0), side)
    if residuals.size:
        errors: Any = matmul(t, solution) - side
        squares = (errors * errors.conj()).real
        return solution, sum(squares, 0).reshape(residuals.shape), rank, s
    return solution, constant(residuals), rank, s
