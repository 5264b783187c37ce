"""Equations, inverses, determinants and square roots of matrices (chapter 10).

All work on stacks of matrices too, in the last two axes. The rules are those of Giles,
"Collected matrix derivative results for forward and reverse mode", 2008. A matrix that
NumPy refuses raises its `LinAlgError`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.arithmetic import array_of
from autograd_lib.engine.ops.determinant import cofactors
from autograd_lib.engine.ops.shapes import expand_dims, swapaxes
from autograd_lib.engine.rules import jvp_of, rule
from autograd_lib.engine.tape.gradient import sum_to
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import OUTPUT, array, record, result
from autograd_lib.engine.tape.tensor import Tensor


@operation(np.linalg.solve)
def solve(a: Any, b: Any) -> Tensor:
    """Return x with a @ x = b.

    Args:
        a: square matrices.
        b: a vector if it has one axis; otherwise matrices, whose columns are the
            right-hand sides.

    Raises:
        LinAlgError: if a matrix is singular, or not square.
        ValueError: if the shapes do not fit.
    """
    shape, other = square("solve", a), np.shape(array(b))
    vector = len(other) == 1
    if not other or other[-1 if vector else -2] != shape[-1]:
        raise ValueError(
            f"solve: b, of shape {other}, must have as many rows as a, of shape "
            f"{shape}; transpose it, or give vectors an axis of length 1 at the end"
        )
    if not vector:
        return solve_columns(a, b)
    column = solve_columns(a, expand_dims(b, -1))
    return column[..., 0]


def solve_columns(a: Any, b: Any) -> Tensor:
    """Return x with a @ x = b, for matrices b."""
    m, n = numpy().asarray(array(a)), numpy().asarray(array(b))
    a, b = a if type(a) is Tensor else m, b if type(b) is Tensor else n
    x = explained("solve", np.linalg.solve, m, n)
    matrix, sides = Saved(OUTPUT, a, m.shape), Saved(a, n.shape)
    edges = (a, vjp_matrix, matrix), (b, vjp_sides, sides)
    return record(x, *edges, by=np.linalg.solve)


@rule("linear", lambda t, saved: np.linalg.solve(saved[0], t), complex=True)
def vjp_sides(g: Any, saved: Any) -> Any:
    """B̄ = A⁻ᵀ·X̄ for A·X = B."""
    a, shape = saved
    return sum_to(np.linalg.solve(a.swapaxes(-1, -2), g), shape)


@rule(complex=True)
def vjp_matrix(g: Any, saved: Any) -> Any:
    """Ā = -B̄·Xᵀ for A·X = B."""
    x, a, shape = saved
    sides = np.linalg.solve(a.swapaxes(-1, -2), g)
    return sum_to(-(sides @ x.swapaxes(-1, -2)), shape)


@jvp_of(vjp_matrix)
def from_matrix(t: Any, saved: Any) -> Any:
    """dX = -A⁻¹·dA·X for A·X = B."""
    x, a, _ = saved
    return -np.linalg.solve(a, t @ x)


@operation(np.linalg.inv)
def inv(a: Any) -> Tensor:
    """Return the inverse of square matrices.

    Raises:
        LinAlgError: if a matrix is singular, or not square.
    """
    square("inv", a)
    y = explained("inv", np.linalg.inv, a)
    return result(y, a, between_inverses, OUTPUT, np.linalg.inv)


@rule(complex=True)
def between_inverses(g: Any, y: Any) -> Any:
    """Ā = -Yᵀ·Ȳ·Yᵀ for Y = A⁻¹."""
    y = y.swapaxes(-1, -2)
    return -(y @ g @ y)


@jvp_of(between_inverses)
def of_inverse(t: Any, y: Any) -> Any:
    """dY = -Y·dA·Y for Y = A⁻¹."""
    return -(y @ t @ y)


class SlogdetResult(NamedTuple):
    """The result of `slogdet`.

    Attributes:
        sign: the determinant's sign, a plain array: its derivative is 0.
        logabsdet: the logarithm of the determinant's absolute value.
    """

    sign: Any
    logabsdet: Tensor


@operation(np.linalg.slogdet)
def slogdet(a: Any) -> SlogdetResult:
    """Return the sign of the determinant and the logarithm of its absolute value.

    It doesn't overflow or underflow where the determinant would. For a determinant of 0
    the logarithm is -inf, and its slopes are infinite.

    Raises:
        LinAlgError: if a matrix is not square.
    """
    square("slogdet", a)
    sign, logarithm = np.linalg.slogdet(array(a))
    saved = Saved(OUTPUT, a)
    size = record(logarithm, (a, by_inverse, saved), by=np.linalg.slogdet)
    return SlogdetResult(sign, size)


@rule("reducing", lambda _: ((-2, -1), False))
def by_inverse(g: Any, saved: Any) -> Any:
    """Ā = ȳ·A⁻ᵀ for y = log |det A|; for singular A, the cofactors over 0."""
    y, a = saved
    singular = np.isneginf(array_of(y))[..., None, None]
    if not singular.any():
        return g[..., None, None] * np.linalg.inv(a).swapaxes(-1, -2)
    c = cofactors(array_of(a))
    infinite = np.where(c == 0, np.nan, np.copysign(np.inf, c))
    a = np.where(singular, np.eye(a.shape[-1], dtype=a.dtype), a)
    slope = np.where(singular, infinite, np.linalg.inv(a).swapaxes(-1, -2))
    return g[..., None, None] * slope


@operation(np.linalg.cholesky)
def cholesky(a: Any, *, upper: bool = False) -> Tensor:
    """Return the lower triangular matrix L with L·Lᵀ = a; if `upper`, Lᵀ.

    NumPy reads only the lower half of a, which determines a symmetric matrix; if
    `upper`, only the upper half. The gradient is zero in the half that is not read.

    Raises:
        LinAlgError: if a matrix is not positive definite, or not square.
    """
    square("cholesky", a)
    if upper:
        return swapaxes(cholesky(swapaxes(a, -1, -2)), -1, -2)
    y = explained("cholesky", np.linalg.cholesky, a)
    return result(y, a, through_factor, OUTPUT, np.linalg.cholesky)


def through_factor(g: Any, y: Any) -> Any:
    """Ā = Φ(S + Sᵀ), where S = L⁻ᵀ·Φ(Lᵀ·L̄)·L⁻¹ and Φ is `lower_half`."""
    t = y.swapaxes(-1, -2)
    left = np.linalg.solve(t, lower_half(t @ g))
    s = np.linalg.solve(t, left.swapaxes(-1, -2))  # Sᵀ, but only S + Sᵀ is needed
    return lower_half(s + s.swapaxes(-1, -2))


@jvp_of(through_factor)
def of_factor(t: Any, y: Any) -> Any:
    """dL = L·Φ(L⁻¹·dA·L⁻ᵀ), where Φ is `lower_half`; only dA's lower half is read."""
    left = np.linalg.solve(y, whole_of_lower(t))
    return y @ lower_half(np.linalg.solve(y, left.swapaxes(-1, -2)))


def whole_of_lower(t: Any) -> Any:
    """Return the symmetric matrices that the lower halves determine."""
    lower = np.tril(t)
    return lower + np.tril(lower, -1).swapaxes(-1, -2)


def lower_half(x: Any) -> Any:
    """Return the lower triangle, with the diagonal halved."""
    n = x.shape[-1]
    return x * (np.tri(n, dtype=x.dtype) - np.eye(n, dtype=x.dtype) / 2)


def square(name: str, a: Any) -> tuple[int, ...]:
    """Return the shape of square matrices.

    Raises:
        LinAlgError: if they are not square.
    """
    shape: tuple[int, ...] = np.shape(array(a))
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise np.linalg.LinAlgError(
            f"{name}: a must be square in its last two axes, got shape {shape}; for "
            "others there are np.linalg.lstsq and pinv"
        )
    return shape


def matrices(name: str, a: Any) -> tuple[int, ...]:
    """Return the shape of matrices.

    Raises:
        LinAlgError: if there are less than two axes.
    """
    shape: tuple[int, ...] = np.shape(array(a))
    if len(shape) < 2:
        raise np.linalg.LinAlgError(
            f"{name}: needs matrices in the last two axes, got shape {shape}; reshape "
            "a vector to (n, 1) or (1, n)"
        )
    return shape


REFUSED = {
    "solve": ("singular", "np.linalg.lstsq and pinv take such a matrix"),
    "inv": ("singular", "np.linalg.pinv takes such a matrix"),
    "cholesky": (
        "not positive definite",
        "a symmetric matrix becomes so if enough of the unit matrix is added",
    ),
}
NO_CONVERGENCE = "such that the calculation does not converge", "look for NaN in it"


def explained(name: str, function: Any, a: Any, *more: Any, **options: Any) -> Any:
    """Return ``function(a, …)``, with errors that say more than NumPy's.

    Raises:
        LinAlgError: if NumPy raises it; this one names the function, the shape, an
            alternative and, in a stack, the first matrix that fails.
    """
    m = numpy().asarray(array(a))
    try:
        return function(m, *more, **options)
    except np.linalg.LinAlgError:
        pass
    problem, way_out = REFUSED.get(name, NO_CONVERGENCE)
    where = first_refused(np.linalg.inv if name == "solve" else function, m)
    raise np.linalg.LinAlgError(
        f"{name}: a, of shape {m.shape}, is {problem}{where}; {way_out}"
    )


def first_refused(function: Any, stack: np.ndarray) -> str:
    """Return words for the index of the first matrix that a function refuses."""
    for index in np.ndindex(stack.shape[:-2]):
        try:
            function(stack[index])
        except np.linalg.LinAlgError:
            return f" at index {index}" if index else ""
    return ""
