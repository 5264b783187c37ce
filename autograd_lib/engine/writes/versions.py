"""Version counters: when was this memory last written to (chapter 12; chapter 17).

Every write through a tensor moves one clock on, and leaves its time as the version of
the memory that was written. A node knows the time when it was made: what it saved is
still what it was if the memory has no later version.

Memory is known by the array that owns it, which NumPy's views lead back to. So all
tensors that show some of it share one version, however they came about. (Memory that
no array owns, such as a bytearray's, has a version for each array made of it.)
"""

from __future__ import annotations

import weakref
from threading import RLock
from typing import Any

import numpy as np

from autograd_lib.engine.node import clock

lock = RLock()
_storages: dict[int, Storage] = {}  # by the id of the array that owns the memory


class Storage:
    """Memory that tensors show.

    It is made when the memory is first written to, or first has a recorded view; most
    memory never is.

    Attributes:
        version: the clock's time after the last write, 0 before the first.
        node: a weak reference to the node of the tensor whose elements recorded views
            show, their base, and
        base: one to what holds it for views that have no node yet (see `views`).
    """

    __slots__ = ("_limit", "_memory", "_sharers", "base", "node", "version")

    def __init__(self, memory: np.ndarray) -> None:
        key = id(memory)
        self.version = 0
        self.node: Any = nothing
        self.base: Any = nothing
        self._memory = weakref.ref(memory, lambda _: _storages.pop(key, None))
        self._sharers: list[weakref.ref[Any]] = []
        self._limit = 8
        _storages[key] = self

    def add(self, tensor: Any) -> None:
        """Note a tensor that shows the memory."""
        if len(self._sharers) >= self._limit:  # now and then, without those that ended
            self._sharers = [r for r in self._sharers if r() is not None]
            self._limit = 8 + 2 * len(self._sharers)
        self._sharers.append(weakref.ref(tensor))

    def take_sharers(self) -> list[Any]:
        """Return the living tensors that were noted, oldest first, and forget them."""
        taken, self._sharers, self._limit = self._sharers, [], 8
        living = [r() for r in taken]
        return [t for t in living if t is not None and t._storage is self]

    def bump(self) -> None:
        """Note a write."""
        with lock:
            clock.now += 1
            self.version = clock.now


def nothing() -> None:
    """Stand for a weak reference where there is nothing to refer to."""


def memory_of(array: np.ndarray) -> np.ndarray:
    """Return the array that owns the memory which an array shows."""
    base: Any = array.base
    while base is not None:
        if isinstance(base, np.ndarray):
            array = base
        base = base.obj if isinstance(base, memoryview) else getattr(base, "base", None)
    return array


def version_of(array: np.ndarray) -> int:
    """Return when the memory of an array was last written to, 0 for never."""
    found = _storages.get(id(memory_of(array)))
    return 0 if found is None else found.version


def storage_of(tensor: Any) -> Storage:
    """Return what is known of the memory that a tensor shows, and note the tensor."""
    found: Storage | None = tensor._storage
    if found is None:
        memory = memory_of(tensor._array)
        with lock:
            found = _storages.get(id(memory)) or Storage(memory)
        tensor._storage = found
        found.add(tensor)
    return found
