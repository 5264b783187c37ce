"""In-place writes into tensors (chapter 14).

Nothing is recorded under `no_grad`, or if nothing needs a gradient. Otherwise a write
into a leaf is refused, because `backward` would then be about a number that is gone.
Any other tensor gets a new node, whose gradient is divided: the written part goes to
the source of the values, the rest to the tensor as it was before. Its views get new
nodes too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from sys import getrefcount
from typing import Any, NoReturn

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.mistakes import wrong_index, wrong_value
from autograd_lib.engine.ops.indexing import plain_index, repeats, scatter
from autograd_lib.engine.tape.gradient import sum_to
from autograd_lib.engine.tape.mode import is_recording
from autograd_lib.engine.tape.node import Edge, LeafExtras, Node, clock, new_node
from autograd_lib.engine.tape.record import array
from autograd_lib.engine.tape.tensor import Tensor, constant
from autograd_lib.engine.writes.versions import storage_of
from autograd_lib.engine.writes.views import (
    Path,
    base_and_path,
    follow,
    lender_of,
    replace_base,
)

REFUSED = IndexError, OverflowError, TypeError, ValueError
"""Errors that NumPy raises before it writes anything."""
refusals: list[Callable[[Node | None], None]] = []
"""Raise if a tensor with this node can't be the target or the source of a write."""


def setitem(x: Tensor, index: Any, value: Any) -> None:
    """Write a value, which is broadcast, into x[index].

    Raises:
        RuntimeError: if x is a leaf that needs a gradient, or a view of one, or shows
            a recorded tensor without a record.
        TypeError: if the value needs a gradient and x doesn't hold floats.
        ValueError: if x's array is read-only, or the value doesn't broadcast.
    """
    if not x._array.flags.writeable:
        must_not_write(x)
    index, numbers = plain_index(index), held_by(x, array(value))
    source = value.node if type(value) is Tensor else None
    refuse_borrowed(x)
    if not is_recording() or (x.node is None and source is None):
        try:
            write(x, lambda: x._array.__setitem__(index, numbers), True)
        except REFUSED as error:
            raise unwritten(x, index, numbers, error) from None
        return
    may_write(x, source)
    base, path = base_and_path(x)
    refuse(x, base, source)
    path = (*path, (None, scatter, (index, x.shape)))
    whole = base.shape if base is not None else x.shape
    edges: list[Edge] = [] if base is None else [(base, of_kept_part, path)]
    try:
        write(x, lambda: x._array.__setitem__(index, numbers), True)
    except BaseException as error:
        half_way = not isinstance(error, REFUSED)  # not all of the value was written
        if half_way:
            replace_base(x, base, new_node(tuple(edges), whole, clock.now + 1))
        raise unwritten(x, index, numbers, error) from None
    if source is not None:
        edges.append((source, of_written_part, (path, whole, value.shape)))
    replace_base(x, base, new_node(tuple(edges), whole, clock.now + 1))


def held_by(x: Tensor, numbers: Any) -> Any:
    """Return the values to be written, converted to x's type.

    An array that can't be converted raises here, not after half of it is written.

    Raises:
        TypeError: if it is complex and x is not; NumPy would write the real parts.
    """
    if np.iscomplexobj(numbers) and x.dtype.kind != "c":
        raise TypeError(
            f"in-place write: a tensor of {x.dtype} cannot hold complex numbers; write "
            "their .real, .imag or np.abs(...)"
        )
    plain = type(numbers) is np.ndarray
    return numbers.astype(x.dtype, copy=False) if plain else numbers


def unwritten(x: Tensor, index: Any, value: Any, error: BaseException) -> BaseException:
    """Return NumPy's error about a write, in our words if we have some for it."""
    if isinstance(error, IndexError):
        return wrong_index(index, x.shape, error)
    if isinstance(error, ValueError):
        return wrong_value("in-place write", value, x._array[index].shape)
    return error


def fill(x: Tensor, value: Any) -> None:
    """Write one value into all elements, in place.

    Raises:
        ValueError: if there are several values; otherwise as ``x[...] = value``.
    """
    if np.size(array(value)) != 1:
        raise ValueError(
            f"fill: needs one value, got shape {np.shape(array(value))}; write "
            "t[...] = values, which broadcasts"
        )
    setitem(x, ..., value)


def was_refused(error: BaseException) -> bool:
    """Return whether NumPy raised an error before it calculated anything."""
    mine = isinstance(error, ValueError) and "broadcast" not in str(error)
    return isinstance(error, REFUSED) and not mine  # which `numpy.seterrcall` raises


def write(x: Tensor, change: Callable[[], Any], assigns: bool = False) -> None:
    """Write into a tensor's array and move its version on, without recording.

    The version is set first, so that an interrupted write is noticed as well. It is set
    back after an error that NumPy raised before it wrote anything. Pure assignments
    (`assigns`) raise only such errors, since their values have the tensor's type.
    """
    storage = x._storage or storage_of(x)
    before = storage.version
    storage.bump()
    mine = storage.version
    try:
        change()
    except REFUSED as error:
        if storage.version == mine and (assigns or was_refused(error)):
            storage.version = before
        raise


def of_kept_part(g: Any, path: Path) -> Any:
    """Return the gradient with zeros for the elements that were overwritten."""
    over = numpy().zeros(g.size, bool)
    over[flat_indices(path, g.shape)] = True
    return np.where(over.reshape(g.shape), 0.0, g)


def of_written_part(g: Any, saved: Any) -> Any:
    """Return the gradient of the values that were written."""
    path, whole, shape = saved
    part = follow(g, path)
    if repeats(path[-1][2][0]):  # where an element was written twice, the last counts
        at = flat_indices(path, whole).ravel()
        last = numpy().empty(math.prod(whole), int)
        last[at] = number = numpy().arange(at.size)
        part = np.where((last[at] == number).reshape(part.shape), part, 0.0)
    more = max(0, len(shape) - part.ndim)  # NumPy lets a value have more axes, of 1
    return sum_to(part, shape[more:]).reshape(shape)


def flat_indices(path: Path, whole: tuple[int, ...]) -> np.ndarray:
    """Return the flat indices of the written elements in the whole.

    The path is applied to an array of indices. Marking elements through it would not
    do: for another memory layout, a view on the path may be a copy.
    """
    return numpy().asarray(
        follow(numpy().arange(math.prod(whole)).reshape(whole), path)
    )


def must_not_write(x: Tensor) -> NoReturn:
    """Raise ValueError because the array is read-only."""
    raise ValueError(
        f"in-place write: this tensor of shape {x.shape} must not be written to, since "
        "it shows an element in several places, or an array that is for reading only, "
        "as the arguments of a Function are; make a new tensor, such as t = t + 1 for "
        "t += 1"
    )


def may_write(x: Tensor, source: Node | None) -> None:
    """Call `refusals`, in which later chapters refuse some writes."""
    for refuse_write in refusals:
        for node in (x.node, source):
            refuse_write(node)


def refuse_borrowed(x: Tensor) -> None:
    """Raise RuntimeError if a write, while recording, would get past the graph."""
    if x._storage is None or x._node is not None or not is_recording():
        return
    lender = lender_of(x)
    if lender is None:
        return
    leaf = " a leaf" if isinstance(lender.extra, LeafExtras) else " a tensor"
    raise RuntimeError(
        f"in-place write: this tensor is a view of{leaf} that requires a gradient, and "
        "was made without a record, such as under no_grad; make the view where "
        "operations are recorded, write under `with no_grad():`, which changes the "
        f"numbers of that tensor too, or write into t.copy()"
    )


def refuse(x: Tensor, base: Node | None, source: Node | None) -> None:
    """Raise an error if a write can't be recorded."""
    if base is not None and isinstance(base.extra, LeafExtras):
        what = "this tensor is" if base is x.node else "this tensor is a view of"
        raise RuntimeError(
            f"in-place write: {what} a leaf that requires a gradient; update it under "
            "`with no_grad():`, or make a new tensor, such as t = t + 1 for t += 1"
        )
    if x.dtype.kind == "c":
        raise TypeError(
            f"in-place write: a write into a tensor of {x.dtype} is not recorded; make "
            "a new tensor, such as t = t + 1 for t += 1, or with np.where or np.stack"
        )
    if source is not None and x.dtype.kind != "f":
        raise TypeError(
            f"in-place write: a tensor of {x.dtype} would lose the gradient of what is "
            "written; make it of floats"
        )
    if base is None and is_shown_elsewhere(x):
        raise RuntimeError(
            "in-place write: what is written needs a gradient, and other tensors or "
            "arrays show the same memory, which would not know of it; write into all "
            "of it, such as t[i] = t[i] + x for t[i] += x, or into a copy, such as "
            "Tensor(t.numpy())"
        )


def is_shown_elsewhere(x: Tensor) -> bool:
    """Return whether anything else refers to x's array, or to its memory.

    If nothing does, there are two references: x's own, and that of `getrefcount`.
    """
    if getrefcount(x._array) > 2:
        return True
    return x._array.base is not None and getrefcount(x._array.base) > 2


def copied(x: Tensor) -> Tensor:
    """Return a tensor with the same node and a copy of the array."""
    t = constant(x._array.copy())
    t.node = x.node
    return t


def writing(
    name: str, calculate: Callable[[Any, Any], Tensor], ufunc: Any
) -> Callable[[Tensor, Any], Tensor]:
    """Return an in-place operator, such as +=, for an operation."""

    def operator(x: Tensor, y: Any) -> Tensor:
        if not x._array.flags.writeable:
            must_not_write(x)
        numbers = array(y)
        source = y.node if type(y) is Tensor else None
        refuse_borrowed(x)
        if not is_recording() or (x.node is None and source is None):
            try:
                write(x, lambda: ufunc(x._array, numbers, x._array))
            except ValueError:
                raise wrong_value(name, numbers, x.shape) from None
            return x
        may_write(x, source)
        base, path = base_and_path(x)
        refuse(x, base, source)
        # Rules may need the values that are overwritten.
        if isinstance(numbers, np.ndarray) and np.may_share_memory(numbers, x._array):
            y = copied(y) if type(y) is Tensor else numbers.copy()
        new = calculate(copied(x), y)
        if not np.can_cast(new.dtype, x.dtype, "same_kind"):
            raise TypeError(
                f"{name}: a tensor of {x.dtype} cannot hold a result of {new.dtype}; "
                "make a new tensor"
            )
        if new.shape != x.shape:
            raise ValueError(
                f"{name}: a tensor of shape {x.shape} cannot hold a result of shape "
                f"{new.shape}; make a new tensor"
            )
        if path:
            x[...] = new
            return x
        try:
            write(x, lambda: x._array.__setitem__(..., new._array))
        finally:
            replace_base(x, base, new.node)
        return x

    operator.__name__ = operator.__qualname__ = name
    return operator
