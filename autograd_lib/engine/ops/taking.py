"""Elements and slices selected by index or by condition (chapter 10).

All of it is indexing, so an element's gradient is the sum of its copies' gradients.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.protocol import operation, refuse_out
from autograd_lib.engine.ops.axes import as_tensor, on_axis, one_axis, row_or_axis
from autograd_lib.engine.ops.indexing import getitem, scatter
from autograd_lib.engine.ops.shapes import ravel
from autograd_lib.engine.tape.record import array, result
from autograd_lib.engine.tape.tensor import Tensor


@operation(np.take)
def take(
    x: Any,
    indices: Any,
    axis: int | None = None,
    out: Any = None,
    mode: str = "raise",
) -> Tensor:
    """Return the slices along an axis, or the elements of x in one row, at indices.

    Args:
        x: a tensor or an array.
        indices: integers, in any shape; negative ones count from the end.
        axis: the axis, or None for the elements of x in one row.
        out: must be None.
        mode: for indices out of range: "raise" an error, "wrap" them around, or "clip"
            them, with 0 for negative ones.

    Raises:
        IndexError: if an index is out of range and `mode` is "raise".
    """
    if out is not None:
        refuse_out("take")
    t, axis = row_or_axis("take", x, axis)
    numbers = whole("take", indices)
    if not t.size and mode == "raise":  # NumPy doesn't check indices then
        inside = numpy().arange(t.shape[axis])
        numbers = checked("take", numbers, inside, axis, t.shape)
    try:
        y = np.take(t._array, numbers, axis, mode=mode)  # type: ignore[call-overload]
    except IndexError:
        raise out_of_range("take", numbers, axis, t.shape) from None
    n = t.shape[axis]
    if mode != "raise":
        numbers = numbers % n if mode == "wrap" else np.clip(numbers, 0, n - 1)
    return result(y, t, scatter, (on_axis(axis, numbers), t.shape))


def checked(
    name: str,
    numbers: np.ndarray,
    inside: np.ndarray,
    axis: int,
    shape: tuple[int, ...],
) -> np.ndarray:
    """Return the indices from 0 up, after checking that all are in range."""
    try:
        chosen: np.ndarray = inside[numbers]
    except IndexError:
        raise out_of_range(name, numbers, axis, shape) from None
    return chosen


@operation(np.take_along_axis)
def take_along_axis(x: Any, indices: Any, axis: int | None = -1) -> Tensor:
    """Return, from each line along an axis, the elements at the indices for that line.

    Args:
        x: a tensor or an array.
        indices: integers, such as argsort returns; with as many axes as x.
        axis: the axis, or None for the elements of x in one row.

    Raises:
        IndexError: if a number is out of range.
        ValueError: if the shapes do not fit.
    """
    if axis is None:
        return take_along_axis(ravel(x), indices, 0)
    t = as_tensor(x)
    axis = one_axis("take_along_axis", axis, t.shape)
    numbers = whole("take_along_axis", indices)
    others = [
        (n, m)
        for i, (n, m) in enumerate(zip(t.shape, numbers.shape, strict=False))
        if i != axis
    ]
    if numbers.ndim != t.ndim or any(1 not in (n, m) and m != n for n, m in others):
        raise ValueError(
            f"take_along_axis: indices of shape {numbers.shape} must be as x, of shape "
            f"{t.shape}, but along axis {axis}; expand_dims(indices, {axis}) adds it"
        )
    lines: list[Any] = list(np.ogrid[tuple(slice(n) for n in t.shape)])
    lines[axis] = numbers
    try:
        return getitem(t, tuple(lines))
    except IndexError:
        raise out_of_range("take_along_axis", numbers, axis, t.shape) from None


@operation(np.compress)
def compress(
    condition: Any, x: Any, axis: int | None = None, out: Any = None
) -> Tensor:
    """Return the slices along an axis, or the elements, where a condition is true.

    Args:
        condition: a row of truth values; False beyond its end.
        x: a tensor or an array.
        axis: the axis, or None for the elements of x in one row.
        out: must be None.
    """
    if out is not None:
        refuse_out("compress")
    t, axis = row_or_axis("compress", x, axis)
    held = numpy().asarray(array(condition), bool)
    if held.ndim != 1 or held[t.shape[axis] :].any():
        raise ValueError(
            f"compress: the condition must be one row, no longer than axis {axis} of "
            f"shape {t.shape}, got shape {held.shape}"
        )
    chosen = numpy().zeros(t.shape[axis], bool)
    chosen[: len(held)] = held[: len(chosen)]
    return getitem(t, on_axis(axis, chosen))


def compress_method(
    x: Tensor, condition: Any, axis: int | None = None, out: Any = None
) -> Tensor:
    """Return the slices, or the elements, where a condition is true."""
    return compress(condition, x, axis, out)


@operation(np.extract)
def extract(condition: Any, x: Any) -> Tensor:
    """Return, in one row, the elements where a condition of the same size is true."""
    held = np.ravel(numpy().asarray(array(condition), bool))
    t = ravel(as_tensor(x))
    if len(held) != len(t):
        raise ValueError(
            f"extract: the condition has {len(held)} truth values for {len(t)} "
            "elements; it needs one for each"
        )
    return getitem(t, held)


@operation(np.choose)
def choose(x: Any, choices: Any, out: Any = None, mode: str = "raise") -> Tensor:
    """Return, at each place, the element of that choice whose number x has there.

    Args:
        x: integers; they are broadcast with the choices.
        choices: tensors, arrays or numbers.
        out: must be None.
        mode: for numbers out of range: "raise" an error, "wrap" or "clip" them.
    """
    if out is not None:
        refuse_out("choose")
    numbers, ts = whole("choose", x), [as_tensor(choice) for choice in choices]
    shape = np.broadcast_shapes(numbers.shape, *(t.shape for t in ts))
    kinds = np.choose(numbers, [numpy().zeros((), t.dtype) for t in ts], mode=mode)  # type: ignore[call-overload]
    numbers = {
        "raise": numbers,
        "wrap": numbers % len(ts),
        "clip": np.clip(numbers, 0, len(ts) - 1),
    }[mode]
    y: Any = numpy().zeros(shape, kinds.dtype)
    for i, t in enumerate(ts):
        y = np.where(numbers == i, t, y)
    return as_tensor(y)


def whole(name: str, indices: Any) -> np.ndarray:
    """Return a copy of the indices, which must be integers."""
    numbers = numpy().array(array(indices))
    if not numbers.size:
        numbers = numbers.astype(int)
    if numbers.dtype.kind not in "iu":
        raise TypeError(
            f"{name}: indices must be whole numbers, got {numbers.dtype}; for truth "
            "values use t[mask]"
        )
    return numbers


def out_of_range(
    name: str, numbers: np.ndarray, axis: int, shape: tuple[int, ...]
) -> IndexError:
    """Return the error for indices out of range."""
    return IndexError(
        f"{name}: indices from {numbers.min()} to {numbers.max()} do not fit axis "
        f"{axis} of shape {shape}, which has {-shape[axis]} to {shape[axis] - 1}"
    )
