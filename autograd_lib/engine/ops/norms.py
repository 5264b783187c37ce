"""Norms of vectors and of matrices, and the condition number (chapter 10).

At 0, where the norm of a vector has a kink, its gradient is 0, and its second
derivatives are NaN. Norms from singular
values have the gradient of those: U·Vᵀ for their sum; if a singular value is 0, it
depends on the U and V that NumPy happens to choose. This is PyTorch's convention too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.mistakes import unknown_keywords
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.arithmetic import array_of
from autograd_lib.engine.ops.axes import (
    Axis,
    as_tensor,
    in_rows,
    named_axes,
    needs_gradient,
)
from autograd_lib.engine.ops.decompositions import svdvals
from autograd_lib.engine.ops.extremes import max, min
from autograd_lib.engine.ops.kinks import with_kink
from autograd_lib.engine.ops.linalg import inv, matrices, square
from autograd_lib.engine.ops.options import in_single, is_half
from autograd_lib.engine.ops.reductions import one_for_zero
from autograd_lib.engine.ops.shapes import expand_dims, moveaxis
from autograd_lib.engine.ops.sums import spread, sum, with_axes
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import OUTPUT, result
from autograd_lib.engine.tape.tensor import Tensor, constant


@operation(np.linalg.norm)
def norm(
    x: Any, ord: Any = None, axis: Axis = None, keepdims: bool = False, **unknown: Any
) -> Tensor:
    """Return a norm of vectors along an axis, or of matrices along two.

    Args:
        x: a tensor or an array.
        ord: for vectors 1, 2, inf, -inf or a number p for (Σ|x|ᵖ)^(1/p), for matrices
            'fro', 'nuc', 1, -1, 2, -2, inf or -inf; by default the root of the sum of
            squares.
        axis: an axis, two axes, or None for all elements: a vector if `ord` is None.
        keepdims: whether the axes are kept, with length 1.

    Raises:
        NotImplementedError: if the norm counts elements, ord=0.
        ValueError: if there is no such norm.
    """
    if unknown:
        raise unknown_keywords("norm", norm, unknown)
    t = as_tensor(x)
    if t.dtype.kind not in "fc":
        t = constant(t._array.astype(float))
    axes = named_in_tuple("norm", axis, t.shape)
    if is_half(t):
        return in_single(norm, t, ord, axis, keepdims)  # type: ignore[no-any-return]
    if ord is None and (axis is None or len(axes) < 3):
        return euclidean(t, axes, keepdims)
    if len(axes) == 1:
        return of_vectors(t, ord, axes, keepdims)
    if len(axes) == 2:
        return of_matrices(t, ord, axes, keepdims)
    raise ValueError(
        f"norm: ord={ord!r} with axis={axis} of shape {t.shape} is about {len(axes)} "
        "axes; name one for vectors, two for matrices"
    )


def named_in_tuple(name: str, axis: Axis, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the axes from 0 up, and refuse a list of them, as NumPy does."""
    if isinstance(axis, list):
        raise TypeError(
            f"{name}: axis is a whole number or a tuple of them, got {axis!r:.60}; "
            f"write {tuple(axis)!r:.60}"
        )
    return named_axes(name, axis, shape)


def of_vectors(t: Tensor, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    """Return norms of vectors along one axis."""
    if isinstance(ord, str):
        raise ValueError(f"norm: vectors have no norm ord={ord!r}; give a number")
    p = float(ord)
    if p == 0:
        raise NotImplementedError(
            "norm: ord=0 counts elements that are not 0, which has no slope; use "
            "np.count_nonzero(t.detach().numpy())"
        )
    if p == 2:
        return euclidean(t, axes, keepdims)
    size: Any = np.abs(t)
    if p == 1:
        return sum(size, axes, keepdims=keepdims)
    if np.isinf(p):
        return (max if p > 0 else min)(size, axes, keepdims=keepdims)
    y, to = np.linalg.norm(t._array, p, axes[0], keepdims), (t.shape, axes, keepdims)
    return result(y, t, by_ratio, Saved(t, OUTPUT, to, p), np.linalg.norm)


def of_matrices(t: Tensor, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    """Return norms of matrices along two axes."""
    if ord in ("fro", "f"):
        return euclidean(t, axes, keepdims)
    if ord in (2, -2, "nuc"):
        of_values: Any = sum if ord == "nuc" else max if ord > 0 else min
        y = of_values(svdvals(moveaxis(t, axes, (-2, -1))), -1)
        return expand_dims(y, axes) if keepdims else y
    if ord not in (1, -1, np.inf, -np.inf):
        raise ValueError(
            f"norm: matrices have no norm ord={ord!r}; give 'fro', 'nuc', 1, -1, 2, "
            "-2, inf or -inf"
        )
    rows, columns = axes
    size: Any = np.abs(t)
    sums = sum(size, rows if abs(ord) == 1 else columns, keepdims=True)
    return (max if ord > 0 else min)(sums, axes, keepdims=keepdims)


def euclidean(t: Tensor, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    """Return the square root of the sum of squares."""
    y = np.linalg.norm(t._array, None, None if len(axes) == t.ndim else axes, keepdims)
    to = t.shape, axes, keepdims
    return result(y, t, vjp_unit, Saved(t, OUTPUT, to), np.linalg.norm)


@rule("reducing", lambda saved: saved[2][1:], complex=True)
def vjp_unit(g: Any, saved: Any) -> Any:
    """d‖x‖/dx = x/‖x‖, conjugated where x is complex, and 0 where x is 0."""
    x, y, to = saved
    factor = with_kink(g * (array_of(y) != 0) / one_for_zero(y), y)
    return spread(factor, to) * x.conj()


@rule("reducing", lambda saved: saved[2][1:], complex=True)
def by_ratio(g: Any, saved: Any) -> Any:
    """d‖x‖/dx = sign(x)·(|x|/‖x‖)ᵖ⁻¹, the sign conjugated where x is complex."""
    x, y, to, p = saved
    size: Any = np.abs(x)
    # 0 to a negative power is infinite.
    ratio = one_for_zero(size) / with_axes(one_for_zero(y), *to)
    direction = np.sign(x).conj() if x.dtype.kind == "c" else np.sign(array_of(x))
    if p < 2:
        direction = with_kink(direction, size)
    factor = with_kink(g * (array_of(y) != 0), y)
    return spread(factor, to) * direction * ratio ** (p - 1)


@operation(np.linalg.vector_norm)
def vector_norm(
    x: Any, /, *, axis: Axis = None, keepdims: bool = False, ord: Any = 2
) -> Tensor:
    """Return the norm of all elements, or of those along axes, as one vector's.

    Args:
        x: a tensor or an array.
        axis: an axis, several, or None for all.
        keepdims: whether the axes are kept, with length 1.
        ord: as for vectors in `norm`.

    Raises:
        NotImplementedError: if `ord` is 0, which counts elements.
        ValueError: if there is no such norm.
    """
    t = as_tensor(x)
    axes = named_in_tuple("vector_norm", axis, t.shape)
    y = norm(in_rows(t, axes)[0], ord, -1)
    return expand_dims(y, axes) if keepdims else y


@operation(np.linalg.matrix_norm)
def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Tensor:
    """Return the norms of matrices, in the last two axes.

    Args:
        x: matrices of shape (…, m, n).
        keepdims: whether the axes are kept, with length 1.
        ord: as for matrices in `norm`.

    Raises:
        LinAlgError: if there are less than two axes.
        ValueError: if there is no such norm.
    """
    matrices("matrix_norm", x)
    return norm(x, ord, (-2, -1), keepdims)


@operation(np.linalg.cond)
def cond(x: Any, p: Any = None) -> Tensor:
    """Return the condition numbers of matrices: how much a solution magnifies errors.

    Args:
        x: matrices of shape (…, n, n); of shape (…, m, n) for p = 2 or -2.
        p: the norm of the matrix that is multiplied by that of its inverse, as in
            `norm`. By default 2: the largest singular value over the smallest.

    Raises:
        LinAlgError: for p other than 2 and -2, if a matrix is not square, or is
            singular and needs a gradient.
    """
    t = as_tensor(x)
    matrices("cond", t)
    if not needs_gradient(t):
        return constant(numpy().asarray(np.linalg.cond(t._array, p)))
    if p in (None, 2, -2):
        s = svdvals(t)
        large, small = max(s, -1), min(s, -1)
        return small / large if p == -2 else large / small
    square("cond", t)
    return norm(t, p, (-2, -1)) * norm(inv(t), p, (-2, -1))
