"""Covariances and correlations (chapter 10)."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.arithmetic import array_of, identity
from autograd_lib.engine.ops.axes import as_tensor
from autograd_lib.engine.ops.copies import astype
from autograd_lib.engine.ops.diagonals import diag
from autograd_lib.engine.ops.joining import concatenate
from autograd_lib.engine.ops.matmul import matmul
from autograd_lib.engine.ops.rearranging import atleast_2d
from autograd_lib.engine.ops.reductions import average
from autograd_lib.engine.ops.shapes import squeeze, transpose
from autograd_lib.engine.tape.record import result
from autograd_lib.engine.tape.tensor import Tensor


@operation(np.cov)
def cov(
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: Any = None,
) -> Tensor:
    """Return the covariances of variables.

    Args:
        m: a row for each variable, a column for each observation.
        y: more variables, or None.
        rowvar: False if m has a column for each variable.
        bias: whether to divide by the number of observations n, instead of n - 1.
        ddof: what to subtract from n, instead of 0 or 1.
        fweights: how often each observation was made.
        aweights: the weight of each observation.
        dtype: the type to calculate in.

    Raises:
        ValueError: if there are more than two axes, or weights do not fit.
    """
    x = variables(m, rowvar)
    if y is not None:
        x = concatenate([x, variables(y, rowvar)], 0)
    x = astype(x, np.result_type(x.dtype, float) if dtype is None else dtype)
    if ddof is None:
        ddof = 0 if bias else 1
    weights = together(fweights, aweights, x.shape)
    if weights is None:
        middle, n = average(x, 1), x.shape[1] - ddof
        spread: Any = x - middle[:, None]
        return squeeze(matmul(spread, transpose(spread).conj()) / max(n, 0))
    middle, total = average(x, 1, weights, returned=True)
    total = total[0]
    n = total - ddof
    if aweights is not None:
        n = total - ddof * (weights * aweights).sum() / total
    spread = x - middle[:, None]
    return squeeze(matmul(spread, transpose(spread * weights).conj()) / n)


def variables(m: Any, rowvar: bool) -> Tensor:
    """Return the variables as rows of a matrix."""
    t = as_tensor(m)
    if t.ndim > 2:
        raise ValueError(f"cov: needs one axis or two, got shape {t.shape}")
    rows = atleast_2d(t)
    turned: Tensor = rows if rowvar or t.ndim == 1 else transpose(rows)
    return turned


def together(fweights: Any, aweights: Any, shape: tuple[int, ...]) -> Any:
    """Return the product of the weights that are given, or None."""
    given = [w for w in (fweights, aweights) if w is not None]
    for w in given:
        if np.shape(array_of(w)) != shape[1:]:
            raise ValueError(
                f"cov: weights of shape {np.shape(array_of(w))} do not fit; there are "
                f"{shape[1]} observations"
            )
        if np.any(numpy().asarray(array_of(w)) < 0):
            raise ValueError("cov: weights must not be negative")
    whole = [w if isinstance(w, Tensor) else numpy().asarray(w) for w in given]
    return whole[0] * whole[1] if len(whole) == 2 else whole[0] if whole else None


@operation(np.corrcoef)
def corrcoef(
    x: Any, y: Any = None, rowvar: bool = True, *, dtype: Any = None
) -> Tensor:
    """Return the correlations of variables, from -1 to 1. See `cov`."""
    c = cov(x, y, rowvar, dtype=dtype)
    if not c.ndim:
        return c / c
    size = np.sqrt(diag(c).real)
    r = c / size[:, None] / size
    # Rounding may lead out of the interval; the slope is that before clipping.
    y = r._array.view(r._array.real.dtype).clip(-1.0, 1.0).view(r.dtype)
    return result(y, r, identity, None)
