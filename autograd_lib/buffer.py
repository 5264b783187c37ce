"""Who shares an array, and when it was last written to (chapter 12).

The engine counts the writes that go through tensors. A node knows the count of the time
when it was made, a buffer that of the last write into it: what a node saved is still
what it was if its buffer was not written to since.
"""

from __future__ import annotations

import weakref
from typing import Any

from autograd_lib.node import Own, Saved


class Clock:
    """Counts writes."""

    __slots__ = ("now",)

    def __init__(self) -> None:
        self.now = 0


clock = Clock()


class Buffer:
    """What tensors that share an array have in common.

    It is made when a tensor is first shared or written to; most never are.

    Attributes:
        written: the clock's count after the last write, 0 before the first.
        node: a weak reference to the node that made the array.
    """

    __slots__ = ("_limit", "_sharers", "node", "written")

    def __init__(self, owner: Any) -> None:
        self.written = 0
        self.node = (lambda: None) if owner.node is None else weakref.ref(owner.node)
        self._sharers = [weakref.ref(owner)]
        self._limit = 8

    def add(self, tensor: Any) -> None:
        """Note a tensor that shares the array."""
        if len(self._sharers) >= self._limit:  # now and then, without those that ended
            self._sharers = [r for r in self._sharers if r() is not None]
            self._limit = 8 + 2 * len(self._sharers)
        self._sharers.append(weakref.ref(tensor))

    def sharers(self) -> list[Any]:
        """Return the living tensors that share the array, oldest first."""
        return [
            t for r in self._sharers if (t := r()) is not None and t._buffer is self
        ]

    def mark(self) -> None:
        """Note a write that has happened."""
        clock.now += 1
        self.written = clock.now
        node = self.node()
        for _, _, saved in (node and node.edges) or ():
            for item in saved.items if type(saved) is Saved else (saved,):
                if type(item) is Own:
                    item.array = None  # the array that it held was written into
                    if item.shown is not None:
                        item.shown.written = clock.now


def buffer_of(tensor: Any) -> Buffer:
    """Return the tensor's buffer, making one if it has none yet."""
    if tensor._buffer is None:
        tensor._buffer = Buffer(tensor)
    found: Buffer = tensor._buffer
    return found


def share(tensor: Any, other: Any) -> None:
    """Note that `other` shares the array of `tensor`."""
    other._buffer = buffer_of(tensor)
    other._buffer.add(other)
