"""Hooks on saved tensors: what rules save is packed, then unpacked (chapter 23).

A rule needs numbers of the calculation later. Inside a block of `saved_tensors_hooks`
each array that an operation saves goes to `pack`, and the graph keeps what that
returns; a backward pass asks `unpack` for the array. `checkpoint` is built on the same
thing: what it packs is nothing, and it unpacks by calculating again.
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
    """An array that was saved, with the packer that can unpack it.

    Attributes:
        packer: who that is. Its `unpack(parcel)` returns the array, and its
            `check(parcel)` raises RuntimeError if it was written into since.
        content: what the packer needs for that.
        kind: what was saved: a tensor, a `SavedOutput` or an array.
        node: that of the tensor.
        shape: that of the array.
        dtype: likewise.
    """

    __slots__ = ("__weakref__", "content", "dtype", "kind", "node", "packer", "shape")

    def __init__(
        self, packer: Any, array: np.ndarray, kind: type, node: Node | None
    ) -> None:
        self.packer, self.kind, self.node = packer, kind, node
        self.shape, self.dtype = array.shape, array.dtype
        self.content: Any = None


def as_array(parcel: Parcel, v: Node) -> np.ndarray:
    """Return what was packed as a rule gets it where nothing is recorded."""
    array: np.ndarray = parcel.packer.unpack(parcel)
    return array


def as_tensor(parcel: Parcel, v: Node) -> Any:
    """Return what was packed as a rule gets it in a pass that is recorded."""
    array = as_array(parcel, v)
    if parcel.kind is np.ndarray:
        return array
    t = constant(array)
    t._node = v if parcel.kind is SavedOutput else parcel.node
    return t


openers[Parcel], recorded_openers[Parcel] = as_array, as_tensor
checks[Parcel] = lambda parcel: parcel.packer.check(parcel)


class Packer(Protocol):
    """Who packs what is saved.

    Attributes:
        exact: whether it unpacks the very numbers that it packed.
    """

    exact: bool

    def pack(self, array: np.ndarray, kind: type, node: Node | None) -> Parcel:
        """Return a parcel for an array that is to be saved."""

    def unpack(self, parcel: Parcel) -> np.ndarray:
        """Return the array."""

    def check(self, parcel: Parcel) -> None:
        """Raise RuntimeError if the array would be another one by now."""


_packers: ContextVar[tuple[Packer | None, ...]] = ContextVar("packers", default=())
_lock = Lock()
_blocks = 0  # that are open, in all threads


def packer() -> Packer | None:
    """Return who packs what is saved now, in this thread or task."""
    packers = _packers.get()
    return packers[-1] if packers else None


class packing:
    """A block in which `packer` packs what is saved; with None, nothing is packed."""

    def __init__(self, packer: Packer | None) -> None:
        self.packer = packer

    def __enter__(self) -> None:
        begin(self.packer)

    def __exit__(self, *_: Any) -> None:
        end()


def begin(packer: Packer | None) -> None:
    """Begin a block."""
    global _blocks
    _packers.set((*_packers.get(), packer))
    with _lock:
        _blocks += 1
        if _blocks == 1:
            watchers.append(pack_saved)


def end() -> None:
    """End the innermost block."""
    global _blocks
    _packers.set(_packers.get()[:-1])
    with _lock:
        _blocks -= 1
        if not _blocks:
            watchers.remove(pack_saved)


def pack_saved(t: Tensor) -> None:
    """Put parcels in the place of the arrays that a new node saved."""
    by, node = packer(), t.node
    if by is None or node is None:
        return
    shows = t._array.base is not None  # for views, what is saved says what they show
    if not (shows and is_view(node)):
        node.edges = tuple(
            [(p, rule, packed(saved, by)) for p, rule, saved in node.edges or ()]
        )


def packed(saved: Any, by: Packer) -> Any:
    """Return what was saved with a parcel for each array in it.

    A leaf stays as it is: it is alive anyway.
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
    """Keep what operations save in another form: a block, PyTorch's name for it.

    Inside, each array that an operation saves for its rule is packed; an array that
    several save is packed once. Leaves are left as they are, since they are alive
    anyway, and so is what a `Function` saves. Of nested blocks the innermost counts.
    Each thread and each task of asyncio has blocks of its own.

    Args:
        pack: is called with a constant tensor, which it must not write to, and returns
            anything.
        unpack: is called with that, each time when a backward pass needs the array,
            and returns a tensor or an array of the same shape and type.

    Raises:
        TypeError: if `pack` or `unpack` is no function.

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
        """Return a parcel with what the hook makes of an array."""
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
        """Return what the hook makes of what it had packed.

        Raises:
            RuntimeError: if that is not of the shape and type of what was saved.
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

    def check(self, parcel: Parcel) -> None:
        """Raise RuntimeError if what was packed is an array, and was written into."""
        content, version = parcel.content
        array = content._array if isinstance(content, Tensor) else content
        if isinstance(array, np.ndarray) and version_of(array) > version:
            raise RuntimeError(
                f"backward: {name_of(self._pack)} packed an array that was written "
                "into since, so the gradient would be wrong; let it return a copy"
            )
