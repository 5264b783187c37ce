"""Version counters: when memory was last written to (chapter 14).

Every write through a tensor advances one clock, and the new time becomes the version of
the memory that was written. A node has the time when it was made: an array that it
saved is unchanged if its memory has no later version.

Memory is identified by the array that owns it, found through the `base` of NumPy's
views. So all tensors that show some of it share one version, however they were made.
(Memory that no array owns, such as a bytearray's, has a version for each array made
from it.)
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from threading import RLock
from typing import Any

import numpy as np

from autograd_lib.engine.function import Context, dead_ref, mapped
from autograd_lib.engine.numpy.coercion import memory_of
from autograd_lib.engine.numpy.operands import operation_name
from autograd_lib.engine.tape.node import Node, Rule, Saved, SavedOutput, clock, name_of
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.engine.tape.walk import inspectors

lock = RLock()
_storages: dict[int, Storage] = {}  # by the id of the array that owns the memory


class Storage:
    """Memory that tensors share, its version, and the tensors.

    It is created when memory is first written to, or first has a recorded view; for
    most memory that never happens.

    Attributes:
        version: the clock's time after the last write, 0 before the first.
        node: a weak reference to the node of the base, the tensor that recorded views
            are views of.
        base: a weak reference to the `Base` that holds this node for views that have no
            node yet (see `views`).
    """

    __slots__ = ("_limit", "_memory", "_sharers", "base", "node", "version")

    def __init__(self, memory: np.ndarray) -> None:
        key = id(memory)
        self.version = 0
        self.node: Any = dead_ref
        self.base: Any = dead_ref
        self._memory = weakref.ref(memory, lambda _: _storages.pop(key, None))
        self._sharers: list[weakref.ref[Any]] = []
        self._limit = 8
        _storages[key] = self

    def add(self, tensor: Any) -> None:
        """Register a tensor that shows the memory."""
        if len(self._sharers) >= self._limit:  # now and then, drop dead references
            self._sharers = [r for r in self._sharers if r() is not None]
            self._limit = 8 + 2 * len(self._sharers)
        self._sharers.append(weakref.ref(tensor))

    def take_sharers(self) -> list[Any]:
        """Return the living registered tensors, oldest first, and forget them."""
        taken, self._sharers, self._limit = self._sharers, [], 8
        living = [r() for r in taken]
        return [t for t in living if t is not None and t._storage is self]

    def bump(self) -> None:
        """Advance the clock and the version, for a write."""
        with lock:
            clock.now += 1
            self.version = clock.now


def version_of(array: np.ndarray) -> int:
    """Return the time of the last write into an array's memory, 0 for never."""
    found = _storages.get(id(memory_of(array)))
    return 0 if found is None else found.version


def storage_of(tensor: Any) -> Storage:
    """Return the storage of a tensor's memory, after registering the tensor there."""
    found: Storage | None = tensor._storage
    if found is None:
        memory = memory_of(tensor._array)
        with lock:
            found = _storages.get(id(memory)) or Storage(memory)
        tensor._storage = found
        found.add(tensor)
    return found


checks: dict[type, Callable[[Any], None]] = {}
"""By type of the saved value: raise if it has changed and versions can't tell."""


def check_saved(v: Node) -> None:
    """Check that no array that a node saved was written into since.

    Raises:
        RuntimeError: if one was.
    """
    for _, rule, saved in v.edges or ():
        for s in kept_in(saved):
            if type(s) in checks:
                checks[type(s)](s)
            if not isinstance(s, Tensor | SavedOutput | np.ndarray):
                continue
            # Arrays that an operation made for itself have no version.
            array = s if isinstance(s, np.ndarray) else s._array
            if version_of(array) > v.version:
                function = getattr(saved, "_function", None)
                who = f"{function.__name__}.forward" if function else made_by(v, rule)
                raise RuntimeError(
                    f"backward: {who} saved an array that was written into since, so "
                    "the gradient would be wrong; use a new tensor, such as t = t + 1 "
                    "for t += 1, or write into t.copy()"
                )


def kept_in(saved: Any) -> Iterable[Any]:
    """Return saved values one by one; for a `Function`, all that its context has."""
    if type(saved) is Saved:  # within which there may be others
        return [s for item in saved.items for s in kept_in(item)]
    if type(saved) is Context:
        found: list[Any] = []
        mapped(dict(vars(saved)), found.append)
        return found
    return (saved,)


def made_by(v: Node, rule: Rule) -> str:
    """Return the name of a node's operation, or else of its rule."""
    return name_of(rule) if v.operation is None else operation_name(v.operation)


inspectors.append(check_saved)
