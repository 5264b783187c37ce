"""Several tensors joined into one, and one split into several (chapter 10).

The inputs may be tensors and arrays, in a list or in a tuple. The gradient of each is
the part of the result's gradient at its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from autograd_lib.engine.numpy.protocol import operation, refuse_out, tensors_in
from autograd_lib.engine.ops.axes import as_tensor, on_axis, one_axis
from autograd_lib.engine.ops.copies import astype
from autograd_lib.engine.ops.indexing import gather, getitem
from autograd_lib.engine.ops.rearranging import atleast_1d, atleast_2d, atleast_3d
from autograd_lib.engine.ops.shapes import ravel, reshape
from autograd_lib.engine.ops.sums import broadcast_to
from autograd_lib.engine.tape.record import record
from autograd_lib.engine.tape.tensor import Tensor


@operation(np.concatenate)
def concatenate(
    arrays: Sequence[Any],
    axis: int | None = 0,
    out: Any = None,
    *,
    dtype: Any = None,
    casting: Any = "same_kind",
) -> Tensor:
    """Join tensors along an axis, or all their elements in one row.

    Args:
        arrays: tensors and arrays.
        axis: the axis, or None for all elements.
        out: must be None.
        dtype: the type of the result.
        casting: which types may be converted to it, as in NumPy.

    Raises:
        ValueError: if there are none, or they differ in another axis.
    """
    ts = tensors("concatenate", arrays, out, dtype, casting)
    if axis is None:
        ts, axis = [ravel(t) for t in ts], 0
    return joined("concatenate", ts, axis)


def joined(name: str, ts: list[Tensor], axis: int) -> Tensor:
    """Join tensors along an axis, for the operation of that name."""
    if not ts[0].ndim and not np.ndim(axis):
        raise ValueError(
            f"{name}: a tensor of shape () has no axis to be joined along; use "
            "np.stack, which makes one"
        )
    axis = one_axis(name, axis, ts[0].shape)
    if len({t.shape[:axis] + t.shape[axis + 1 :] for t in ts}) > 1 or not all(
        t.ndim == ts[0].ndim for t in ts
    ):
        raise unlike(name, ts, f"may differ along axis {axis} only")
    y = np.concatenate([t._array for t in ts], axis)
    ends = list(accumulate(t.shape[axis] for t in ts))
    places = zip([0, *ends], ends, strict=False)
    parts = [on_axis(axis, slice(*place)) for place in places]
    edges = [(t, gather, (p, y.shape)) for t, p in zip(ts, parts, strict=True)]
    return record(y, *edges, by=np.concatenate)


@operation(np.stack)
def stack(
    arrays: Sequence[Any],
    axis: int = 0,
    out: Any = None,
    *,
    dtype: Any = None,
    casting: Any = "same_kind",
) -> Tensor:
    """Join tensors of one shape along a new axis.

    The arguments are those of `concatenate`.

    Raises:
        ValueError: if there are none, or their shapes differ.
    """
    ts = tensors("stack", arrays, out, dtype, casting)
    if len({t.shape for t in ts}) > 1:
        raise unlike("stack", ts, "must be of one shape")
    axis = one_axis("stack", axis, (len(ts), *ts[0].shape))
    y = np.stack([t._array for t in ts], axis)
    places = [(on_axis(axis, i), y.shape) for i in range(len(ts))]
    edges = [(t, gather, p) for t, p in zip(ts, places, strict=True)]
    return record(y, *edges, by=np.stack)


def tensors(
    name: str,
    arrays: Sequence[Any],
    out: Any = None,
    dtype: Any = None,
    casting: Any = "same_kind",
) -> list[Tensor]:
    """Return the inputs as tensors, converted to `dtype` if that is given.

    Raises:
        TypeError: if `arrays` is a tensor of shape (), or not a list, if there is an
            `out`, or a type must not be converted to `dtype`.
        ValueError: if there are none.
    """
    if out is not None:
        refuse_out(name)
    if not isinstance(arrays, list | tuple | np.ndarray | Tensor):
        raise TypeError(f"{name}: needs a list or tuple of tensors, got {arrays!r:.60}")
    found = [as_tensor(in_one(x)) for x in arrays]
    if not found:
        raise ValueError(f"{name}: needs one tensor at least, got none")
    return found if dtype is None else [cast(name, t, dtype, casting) for t in found]


def cast(name: str, t: Tensor, dtype: Any, casting: Any) -> Tensor:
    """Return a tensor in another type, which `casting` must allow."""
    if not np.can_cast(t.dtype, dtype, casting):
        raise TypeError(
            f"{name}: {t.dtype} must not become {np.dtype(dtype)} with "
            f"casting={casting!r}; use casting='unsafe', or another type"
        )
    return astype(t, dtype, copy=False)


def in_one(x: Any) -> Any:
    """Return a list that contains tensors as one tensor, anything else unchanged."""
    is_list = type(x) is list or type(x) is tuple
    return stack(x) if is_list and any(True for _ in tensors_in(x)) else x


def unlike(name: str, ts: list[Tensor], rule: str) -> ValueError:
    """Return the error for shapes that do not fit together."""
    shapes = ", ".join(str(t.shape) for t in ts[:6]) + ", …" * (len(ts) > 6)
    return ValueError(f"{name}: tensors {rule}, got shapes {shapes}; reshape them")


@operation(np.vstack)
def vstack(
    tup: Sequence[Any], *, dtype: Any = None, casting: Any = "same_kind"
) -> Tensor:
    """Join tensors along the first axis; a vector becomes a row."""
    ts = tensors("vstack", tup, None, dtype, casting)
    return joined("vstack", [atleast_2d(t) for t in ts], 0)


@operation(np.hstack)
def hstack(
    tup: Sequence[Any], *, dtype: Any = None, casting: Any = "same_kind"
) -> Tensor:
    """Join tensors along the second axis, or vectors along their only axis."""
    ts = [atleast_1d(t) for t in tensors("hstack", tup, None, dtype, casting)]
    return joined("hstack", ts, 0 if ts[0].ndim == 1 else 1)


@operation(np.dstack)
def dstack(tup: Sequence[Any]) -> Tensor:
    """Join tensors along the third axis."""
    return joined("dstack", [atleast_3d(t) for t in tensors("dstack", tup)], 2)


@operation(np.column_stack)
def column_stack(tup: Sequence[Any]) -> Tensor:
    """Join tensors along the second axis; a vector becomes a column."""
    ts = tensors("column_stack", tup)
    columns = [t if t.ndim > 1 else reshape(t, (-1, 1)) for t in ts]
    return joined("column_stack", columns, 1)


@operation(np.split)
def split(x: Any, indices_or_sections: Any, axis: int = 0) -> list[Tensor]:
    """Return equal parts along an axis, or the parts between given indices.

    Raises:
        ValueError: if the parts cannot be equal; `array_split` allows that.
    """
    t = as_tensor(x)
    axis = one_axis("split", axis, t.shape)
    parts = 1 if np.ndim(indices_or_sections) else indices_or_sections
    if parts > 0 and t.shape[axis] % parts:
        raise ValueError(
            f"split: axis {axis} of shape {t.shape} cannot be cut into "
            f"{parts} equal parts; np.array_split makes unequal ones"
        )
    return array_split(t, indices_or_sections, axis)


@operation(np.array_split)
def array_split(x: Any, indices_or_sections: Any, axis: int = 0) -> list[Tensor]:
    """Return parts along an axis, the first ones longer by one if necessary."""
    t = as_tensor(x)
    axis = one_axis("array_split", axis, t.shape)
    n, cuts = t.shape[axis], indices_or_sections
    if not np.ndim(cuts):
        if cuts < 1:
            raise ValueError(f"array_split: needs one part at least, got {cuts}")
        length, longer = divmod(n, cuts)
        cuts = [i * length + min(i, longer) for i in range(1, cuts)]
    places = zip([0, *cuts], [*cuts, n], strict=True)
    return [getitem(t, on_axis(axis, slice(*place))) for place in places]


@operation(np.broadcast_arrays)
def broadcast_arrays(*arrays: Any, subok: bool = False) -> tuple[Tensor, ...]:
    """Return views of the arrays, broadcast to one shape."""
    ts = [as_tensor(x) for x in arrays]
    shape = np.broadcast_shapes(*(t.shape for t in ts))
    return tuple(broadcast_to(t, shape) for t in ts)


@operation(np.meshgrid)
def meshgrid(*xi: Any, indexing: str = "xy") -> tuple[Tensor, ...]:
    """Return, for each vector, its values at all points of the grid of the vectors.

    Args:
        xi: vectors or numbers.
        indexing: "xy" if the first runs along the second axis, "ij" if along the first.
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing must be 'xy' or 'ij', got {indexing!r}")
    ts = [ravel(t) for t in map(as_tensor, xi)]
    order = list(range(len(ts)))
    if indexing == "xy" and len(ts) > 1:
        order[:2] = 1, 0
    shape = tuple(len(ts[i]) for i in order)
    lines = [
        tuple(n if order[axis] == i else 1 for axis, n in enumerate(shape))
        for i in range(len(ts))
    ]
    grids = zip(ts, lines, strict=True)
    return tuple(broadcast_to(reshape(t, line), shape).copy() for t, line in grids)
