"""Options of NumPy's reductions: dtype, where, initial and out (chapter 10).

Another type, a mask, and an initial value are each an operation of their own, before or
after the reduction. Writing the result into another array is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.protocol import refuse_out
from autograd_lib.engine.tape.record import array
from autograd_lib.engine.tape.tensor import Tensor, constant


def prepared(
    name: str, x: Any, dtype: Any, out: Any, where: Any = True, identity: Any = 0
) -> Tensor:
    """Return the tensor to reduce, with dtype and where applied.

    Args:
        name: the function that the user called.
        x: a tensor or an array.
        dtype: the type to calculate in, or None.
        out: None.
        where: which elements take part; True for all.
        identity: what replaces the others; it leaves the result unchanged.

    Raises:
        TypeError: if there is an `out`.
        ValueError: if `where` does not broadcast to the shape.
    """
    for flag in (dtype, out):
        if flag.__class__ is bool:
            refuse_flag(name, flag)
    if out is not None:
        refuse_out(name)
    t: Any = x if type(x) is Tensor else constant(numpy().asarray(array(x)))
    if dtype is not None and t.dtype != dtype:
        t = np.astype(t, dtype)
    if where is not True:
        t = np.where(mask_of(name, where, t.shape), t, identity)
    return t  # type: ignore[no-any-return]


def refuse_flag(name: str, flag: bool) -> NoReturn:
    """Raise TypeError for ``t.sum(1, True)``, as in PyTorch."""
    raise TypeError(
        f"{name}: got {flag} after the axis, where NumPy has another argument; write "
        f"keepdims={flag}"
    )


def is_half(a: Any) -> bool:
    """Return whether numbers are float16.

    There a count above 65,504 is infinite, and a sum of ones stops at 2,048.
    """
    char: str = a.dtype.char
    return char == "e"


def refuse_complex(who: str, *numbers: Any) -> None:
    """Raise TypeError if an array or a tensor is of complex numbers."""
    for a in numbers:
        dtype = getattr(a, "dtype", None)
        if (np.result_type(a) if dtype is None else dtype).kind == "c":
            raise TypeError(
                f"{who}: takes real numbers, got complex ones; give it their .real and "
                ".imag, or np.abs(...)"
            )


def in_single(f: Callable[..., Any], x: Any, *more: Any, **options: Any) -> Any:
    """Return ``f(x, …)`` of float16, calculated in float32 and rounded once."""
    wide: Any = x if isinstance(x, Tensor) else numpy().asarray(x)
    wide = np.astype(wide, np.float32)
    y: Any = f(wide, *more, **options)
    return np.astype(y, np.float16)


def sum_in_rule(g: Any, axis: Any, keepdims: bool = False) -> Any:
    """Return ``g.sum(axis)`` of an array or a tensor; of float16 in float32."""
    if is_half(g):
        return in_single(sum_in_rule, g, axis, keepdims)
    return g.sum(axis=axis, keepdims=keepdims)


def mask_of(name: str, where: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Return `where` as a mask of the given shape.

    Raises:
        ValueError: if it does not broadcast to the shape.
    """
    mask = numpy().asarray(array(where), bool)
    try:
        return np.broadcast_to(mask, shape)
    except ValueError:
        raise ValueError(
            f"{name}: where= of shape {mask.shape} does not fit shape {shape}; it "
            "needs a truth value for each element, or must broadcast to that shape"
        ) from None


def reduced(
    f: Callable[..., Tensor],
    x: Any,
    axis: Any,
    keepdims: bool,
    start: Callable[[Any, Any], Tensor],
    initial: Any,
) -> Tensor:
    """Return ``f(x, axis)``, combined with `initial` if that is given."""
    y = f(x, axis, keepdims=keepdims)
    return y if initial is None else start(y, initial)
