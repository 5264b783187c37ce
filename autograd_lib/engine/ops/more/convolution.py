"""Convolution and correlation of two vectors (chapter 10).

The gradient with respect to one vector is another such sum of products, of the gradient
and the other vector.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.axes import as_tensor
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import binary
from autograd_lib.engine.tape.tensor import Tensor


@operation(np.convolve)
def convolve(a: Any, v: Any, mode: str = "full") -> Tensor:
    """Return y with yₙ = Σₖ aₖ·vₙ₋ₖ.

    Args:
        a: a vector of n elements.
        v: a vector of m elements.
        mode: "full" for all n + m - 1 sums, "same" for the middle ones, as many as the
            longer vector has, "valid" for those that use the whole shorter vector.

    Raises:
        ValueError: if one isn't a vector, or is empty, or the mode is unknown.
    """
    x, y = (row("convolve", t) for t in (a, v))
    n, m = len(x), len(y)
    lengths = {"full": n + m - 1, "same": max(n, m), "valid": max(n, m) - min(n, m) + 1}
    if mode not in lengths:
        raise ValueError(
            f"convolve: mode must be 'full', 'same' or 'valid', got {mode!r}"
        )
    missing = n + m - 1 - lengths[mode]
    around = (missing // 2, missing - missing // 2)
    f = partial(np.convolve, mode=mode)
    return binary(
        f, x, by_other_row, Saved(y, around), y, by_other_row, Saved(x, around)
    )


@rule("linear", lambda t, saved: met(t, saved))
def by_other_row(g: Any, saved: Any) -> Any:
    """Correlate the gradient with the other vector."""
    other, around = saved
    g = np.pad(g, around) if any(around) else g
    return np.convolve(g, other[::-1], "valid")


def met(t: Any, saved: Any) -> Any:
    """Return the convolution with the other vector, cut to the mode's length."""
    other, (before, after) = saved
    y = np.convolve(t, other)
    return y[before : y.shape[0] - after]


@operation(np.correlate)
def correlate(a: Any, v: Any, mode: str = "valid") -> Tensor:
    """Return y with yₖ = Σₙ aₙ₊ₖ·v̄ₙ, the conjugate of complex v. See `convolve`."""
    x, y = row("correlate", a), row("correlate", v)
    y = y.conj() if y.dtype.kind == "c" else y
    if len(x) < len(y):  # NumPy shifts the shorter one, which matters for "same"
        return convolve(y, x[::-1], mode)[::-1]
    return convolve(x, y[::-1], mode)


def row(name: str, x: Any) -> Tensor:
    """Return x as a tensor, which must be a vector and not empty."""
    t = as_tensor(x)
    t = t.reshape(1) if t.ndim == 0 else t
    if t.ndim != 1 or not t.size:
        raise ValueError(
            f"{name}: needs rows of one element at least, got shape {t.shape}; for "
            "pictures take windows, and einsum"
        )
    return t
