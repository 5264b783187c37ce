"""Norms of vectors, and those of matrices that need no singular values (chapter 13).

At 0, where a norm has a kink, its gradient is 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.node import Saved
from autograd_lib.ops.arithmetic import plain
from autograd_lib.ops.axes import Axis, as_tensor, named_axes
from autograd_lib.ops.extremes import max, min
from autograd_lib.ops.reductions import one_for_zero
from autograd_lib.ops.sums import spread, sum, with_axes
from autograd_lib.primitive import OUT, operation, result
from autograd_lib.tensor import Tensor, constant


@operation(np.linalg.norm)
def norm(x: Any, ord: Any = None, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return a norm of vectors along an axis, or of matrices along two.

    Args:
        x: a tensor or an array.
        ord: for vectors 1, 2, inf, -inf or a number p for (Σ|x|ᵖ)^(1/p), for matrices
            'fro', 1, -1, inf or -inf; by default the root of the sum of squares.
        axis: an axis, two axes, or None for all elements: a vector if `ord` is None.
        keepdims: whether the axes stay, with length 1.

    Raises:
        NotImplementedError: if the norm needs singular values, or counts elements.
        ValueError: if there is no such norm.
    """
    t = as_tensor(x)
    if t.dtype.kind not in "fc":
        t = constant(t._data.astype(float))
    axes = named_axes("norm", axis, t.shape)
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


def of_vectors(t: Tensor, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    """Return norms along one axis."""
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
    y = np.linalg.norm(t._data, p, axes[0], keepdims)
    return result(y, t, by_ratio, Saved(t, OUT, (t.shape, axes, keepdims), p))


def of_matrices(t: Tensor, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    """Return norms along two axes."""
    if ord in ("fro", "f"):
        return euclidean(t, axes, keepdims)
    if ord in (2, -2, "nuc"):
        raise NotImplementedError(
            f"norm: ord={ord!r} of a matrix needs its singular values, which have no "
            "rule yet; use 'fro', or another of 1, -1, inf, -inf"
        )
    if ord not in (1, -1, np.inf, -np.inf):
        raise ValueError(
            f"norm: matrices have no norm ord={ord!r}; give 'fro', 1, -1, inf or -inf"
        )
    rows, columns = axes
    size: Any = np.abs(t)
    sums = sum(size, rows if abs(ord) == 1 else columns, keepdims=True)
    return (max if ord > 0 else min)(sums, axes, keepdims=keepdims)


def euclidean(t: Tensor, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    """Return the root of the sum of squares."""
    y = np.linalg.norm(t._data, None, None if len(axes) == t.ndim else axes, keepdims)
    return result(y, t, toward_unit, Saved(t, OUT, (t.shape, axes, keepdims)))


def toward_unit(g: Any, saved: Any) -> Any:
    """d‖x‖/dx = x/‖x‖."""
    x, y, to = saved
    return spread(g / one_for_zero(y), to) * x


def by_ratio(g: Any, saved: Any) -> Any:
    """d‖x‖/dx = sign(x)·(|x|/‖x‖)ᵖ⁻¹."""
    x, y, to, p = saved
    size: Any = one_for_zero(np.abs(x))  # 0 to a negative power is infinite
    ratio = size / with_axes(one_for_zero(y), *to)
    return spread(g * (plain(y) != 0), to) * np.sign(plain(x)) * ratio ** (p - 1)
