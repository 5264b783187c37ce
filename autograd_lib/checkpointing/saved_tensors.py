"""Hooks on saved tensors: arrays are packed, and unpacked later (chapter 21).

A rule needs arrays from the calculation later. Inside a block of `saved_tensors_hooks`
each array that an operation saves is passed to `pack`, and the graph keeps the result;
a backward pass calls `unpack` to get the array back. `checkpoint` uses the same
mechanism: it packs nothing, and unpacks by calculating again.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from contextvars import ContextVar
from threading import Lock
from typing import Any, Protocol

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.leaves.grad_mode import no_grad
from autograd_lib.engine.rules import is_view
from autograd_lib.engine.tape.node import Node, Saved, SavedOutput, name_of
from autograd_lib.engine.tape.record import watchers
from autograd_lib.engine.tape.tensor import Tensor, constant
from autograd_lib.engine.tape.walk import openers, recorded_openers
from autograd_lib.engine.writes.versions import checks, version_of


class Parcel:
    """Stands for a saved array, which a packer can restore.

    Attributes:
        packer: its `unpack(parcel)` returns the array, and its `check(parcel)` raises
            RuntimeError if that was written into since.
        content: the packer's data.
        kind: the type of the saved value: a tensor, a `SavedOutput` or an array.
        node: the tensor's node.
        shape: the array's shape.
        dtype: the array's type.
    """

    __slots__ = ("__weakref__", "content", "dtype", "kind", "node", "packer", "shape")

    def __init__(
        self, packer: Any, array: np.ndarray, kind: type, node: Node | None
    ) -> None:
        self.packer, self.kind, self.node = packer, kind, node
        self.shape, self.dtype = array.shape, array.dtype
        self.content: Any = None


def as_array(parcel: Parcel, v: Node) -> np.ndarray:
    """Return a packed array as its rule gets it in a pass that isn't recorded."""
    array: np.ndarray = parcel.packer.unpack(parcel)
    return array


def as_tensor(parcel: Parcel, v: Node) -> Any:
    """Return a packed value as its rule gets it in a pass that is recorded."""
    array = as_array(parcel, v)
    if parcel.kind is np.ndarray:
        return array
    t = constant(array)
    t._node = v if parcel.kind is SavedOutput else parcel.node
    return t


openers[Parcel], recorded_openers[Parcel] = as_array, as_tensor
checks[Parcel] = lambda parcel: parcel.packer.refuse_changed(parcel)


class Packer(Protocol):
    """An object that packs saved arrays.

    Attributes:
        exact: whether it restores exactly the same numbers.
    """

    exact: bool

    def pack(self, array: np.ndarray, kind: type, node: Node | None) -> Parcel:
        """Return a parcel for an array to be saved."""

    def unpack(self, parcel: Parcel) -> np.ndarray:
        """Return the array."""

    def refuse_changed(self, parcel: Parcel) -> None:
        """Raise RuntimeError if the array would be a different one by now."""


_packers: ContextVar[tuple[Packer | None, ...]] = ContextVar("packers", default=())
_lock = Lock()
_blocks = 0  # how many are open, in all threads


def packer() -> Packer | None:
    """Return the packer of the innermost block, in this thread or task."""
    packers = _packers.get()
    return packers[-1] if packers else None


class packing:
    """A block in which `packer` packs saved arrays; with None, nothing is packed."""

    def __init__(self, packer: Packer | None) -> None:
        self.packer = packer

    def __enter__(self) -> None:
        begin(self.packer)

    def __exit__(self, *_: Any) -> None:
        end()


def begin(packer: Packer | None) -> None:
    """Enter a block."""
    global _blocks
    _packers.set((*_packers.get(), packer))
    with _lock:
        _blocks += 1
        if _blocks == 1:
            watchers.append(pack_saved)


def end() -> None:
    """Leave the innermost block."""
    global _blocks
    _packers.set(_packers.get()[:-1])
    with _lock:
        _blocks -= 1
        if not _blocks:
            watchers.remove(pack_saved)


def pack_saved(t: Tensor) -> None:
    """Replace the arrays that a new node saved by parcels: a watcher."""
    by, node = packer(), t.node
    if by is None or node is None:
        return
    shows = t._array.base is not None  # a view's saved values say what it shows
    if not (shows and is_view(node)):
        node.edges = tuple(
            [(p, rule, packed(saved, by)) for p, rule, saved in node.edges or ()]
        )


def packed(saved: Any, by: Packer) -> Any:
    """Return a saved value with its arrays replaced by parcels.

    Leaves are kept, since they are alive anyway.
    """
    kind = type(saved)
    if kind is Tensor:
        node = saved.node
        if node is not None and saved.is_leaf:
            return saved
        return by.pack(saved._array, Tensor, node)
    if kind is SavedOutput:
        return by.pack(saved.array, SavedOutput, None)
    if kind is np.ndarray:
        return by.pack(saved, np.ndarray, None)
    if kind is Saved or kind is tuple:
        items = saved.items if kind is Saved else saved
        parts = [packed(item, by) for item in items]
        if any(new is not old for new, old in zip(parts, items, strict=True)):
            return Saved(*parts)
    return saved


class saved_tensors_hooks:
    """A block in which operations save arrays in another form, as in PyTorch.

    Inside, each array that an operation saves for its rule is packed; an array that
    several operations save is packed once. Leaves are not packed, since they are alive
    anyway, nor are the tensors that a `Function` saves. Of nested blocks, only the
    innermost packs. Each thread and each asyncio task has its own blocks.

    Args:
        pack: called with a constant tensor, which it must not write to; returns any
            object.
        unpack: called with that object each time a backward pass needs the array;
            returns a tensor or an array of the same shape and type.

    Raises:
        TypeError: if `pack` or `unpack` isn't callable.

    >>> half = lambda t: t.data.astype(np.float16)
    >>> x = Tensor([1.0, 2.0], requires_grad=True)
    >>> with saved_tensors_hooks(half, lambda kept: kept.astype(float)):
    ...     y = np.exp(x).sum()
    >>> y.backward()
    >>> x.grad.data.round(3)
    array([2.719, 7.391])
    """

    exact = False

    def __init__(
        self, pack: Callable[[Tensor], Any], unpack: Callable[[Any], Any]
    ) -> None:
        for name, hook in (("pack", pack), ("unpack", unpack)):
            if not callable(hook):
                raise TypeError(
                    f"saved_tensors_hooks: {name} is a function, got {hook!r:.60}"
                )
        self._pack, self._unpack = pack, unpack
        self._recent: dict[int, tuple[Any, int, Any]] = {}  # packed, by array's id

    def __enter__(self) -> None:
        begin(self)

    def __exit__(self, *_: Any) -> None:
        end()
        self._recent.clear()

    def pack(self, array: np.ndarray, kind: type, node: Node | None) -> Parcel:
        """Return a parcel with the result of the pack hook."""
        parcel = Parcel(self, array, kind, node)
        key, version = id(array), version_of(array)
        of, then, content = self._recent.get(key, (None, -1, None))
        if of is None or of() is not array or then != version:
            shown = array.view()
            shown.flags.writeable = False
            with packing(None), no_grad():
                content = self._pack(constant(shown))
            gone = weakref.ref(array, lambda _: self._recent.pop(key, None))
            self._recent[key] = gone, version, content
        parcel.content = content, version
        return parcel

    def unpack(self, parcel: Parcel) -> np.ndarray:
        """Return the array that the unpack hook restores.

        Raises:
            RuntimeError: if it doesn't have the saved array's shape and type.
        """
        with packing(None), no_grad():
            given = self._unpack(parcel.content[0])
        array = given._array if isinstance(given, Tensor) else given
        if not isinstance(array, np.ndarray | np.generic):
            got = type(given).__name__
        elif array.shape != parcel.shape or array.dtype != parcel.dtype:
            got = f"shape {array.shape} and {array.dtype}"
        else:
            return numpy().asarray(array)
        raise RuntimeError(
            f"saved_tensors_hooks: {name_of(self._unpack)} returned {got}; what was "
            f"packed had shape {parcel.shape} and {parcel.dtype}, and a rule needs it "
            "back so"
        )

    def refuse_changed(self, parcel: Parcel) -> None:
        """Raise RuntimeError if the packed object is an array and was written into."""
        content, version = parcel.content
        array = content._array if isinstance(content, Tensor) else content
        if isinstance(array, np.ndarray) and version_of(array) > version:
            raise RuntimeError(
                f"backward: {name_of(self._pack)} packed an array that was written "
                "into since, so the gradient would be wrong; let it return a copy"
            )
