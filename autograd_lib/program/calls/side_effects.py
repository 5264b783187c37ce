"""A function's side effects, as outputs of its program (chapter 24).

A program doesn't modify its inputs. The new values of what the function writes are
outputs, and are stored at the end of the call: into the same arrays, as `data` or
`grad` of the same tensors, into the same attributes, lists, dictionaries and variables.
So a call that fails has no side effects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial, reduce
from operator import getitem
from typing import Any

import numpy as np

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.engine.writes.versions import storage_of, version_of
from autograd_lib.program.calls.capture import (
    GRADIENT,
    ITEM,
    MISSING,
    OUTLINE,
    Capture,
    is_exact,
    parts_of,
    same_keys,
)
from autograd_lib.program.calls.number import TracedNumber
from autograd_lib.program.calls.recorder import Recorder
from autograd_lib.program.calls.snapshot import Snapshot
from autograd_lib.program.core.array import TracedArray

Path = tuple[Any, ...]


class Write:
    """One side effect: assigns an "item" at or inside a place, or sets the "numbers",
    the "data" or the "grad" of the tensor or array there.
    """

    def __init__(
        self, kind: str, capture: Capture, path: Path, bumps: bool = False
    ) -> None:
        self.kind, self.capture, self.path, self.bumps = kind, capture, path, bumps
        self.found = partial(at, capture, path)
        if not path:
            self.found = partial(capture.way.look, capture.holder, capture.key)
        self.put: Callable[[Any], None] = getattr(self, kind, self.attribute)

    def left(self) -> Callable[[], Any]:
        """Return a function that returns what the original function leaves there."""
        if self.kind == "item":
            return self.found
        x = self.found()
        if self.kind == "numbers":
            x = x._array if type(x) is Tensor else x
            return lambda: x
        return lambda: getattr(x, self.kind)

    def item(self, x: Any) -> None:
        """Assign the item."""
        if self.path:
            at(self.capture, self.path[:-1])[self.path[-1]] = x
        else:
            self.capture.put(x)

    def numbers(self, x: Any) -> None:
        """Copy into the array there, and bump its version if the function did."""
        found = self.found()
        np.copyto(found._array if type(found) is Tensor else found, x)
        if self.bumps and type(found) is Tensor:
            (found._storage or storage_of(found)).bump()

    def attribute(self, x: Any) -> None:
        """Set `data` or `grad` of the tensor there."""
        setattr(self.found(), self.kind, x)


def at(capture: Capture, path: Path) -> Any:
    """Return the object at the end of a path of keys from a place."""
    return reduce(getitem, path, capture.now())


class Writes:
    """Finds the side effects of a recorded function.

    Attributes:
        found: the writes, in the order to perform them, and
        values: the objects written.
        wanted: places that have to become inputs, for which it is recorded again.
    """

    def __init__(
        self,
        tracer: Recorder,
        held: Snapshot,
        arrays: dict[int, TracedArray],
        mirrors: list[tuple[Capture, Shown]],
    ) -> None:
        self.tracer, self.held = tracer, held
        self.arrays, self.mirrors = arrays, mirrors
        self.given = set(map(id, arrays.values()))
        self.found: list[Write] = []
        self.values: list[Any] = []
        self.wanted: list[Capture] = []
        self.where: dict[int, tuple[Capture, Path]] = {}  # of tensors and arrays
        self.stores: dict[int, Any] = {}
        # Containers that existed before, or were written somewhere.
        self.containers = {id(k.found): k.found for k in held.captures}
        for capture, mirror in mirrors:
            for path, x in mirror.all():
                self.containers[id(x)] = x
                if type(x) in (Tensor, TracedArray):
                    self.where.setdefault(id(x), (capture, path))

    def find(self, pinned: set[Any], of_arguments: set[int]) -> None:
        """Find all writes; numbers at pinned places are constants.

        A captured object that is also an argument may not be written into, since the
        argument is a copy.

        Raises:
            Refused: if a write can't be an output of a program.
        """
        self.of_arguments = of_arguments
        tensors = [t for t, *_ in self.held.tensors]
        for owner, _, _ in self.tracer.kept:
            self.alone(owner)
            own: list[Any] = [t for t in tensors if self.arrays[id(t)] is owner]
            self.add(owner, "numbers", (own or [owner])[0], "writes into the data")
        for t, *_, grad, _ in self.held.tensors:
            now: Any = t._array
            if now is not self.arrays[id(t)]:
                self.add(now, "data", t, "replaces the data")
            if t.grad is not grad:
                self.add(t.grad, "grad", t, "changes the `grad`")
        for capture, mirror in self.mirrors:
            if capture.way is not GRADIENT:
                for path, x in mirror.changes(capture.now()):
                    self.put(x, "item", capture, path)
        for capture in self.held.captures:
            if not capture.given and capture.changed():
                if capture.free and capture.place not in pinned:
                    self.wanted.append(capture)
                elif capture.may_be_put and is_exact(capture.found):
                    self.put(capture.now(), "item", capture)
                else:
                    self.put_new(capture)

    def put_new(self, capture: Capture) -> None:
        """Note new keys of a dictionary, or new attributes of an object.

        Raises:
            Refused: if anything else has changed there.
        """
        holder: Any = capture.holder
        now = capture.now()
        came = capture.way is OUTLINE and isinstance(holder, dict)
        if not came or not same_keys(now[: len(capture.found)], capture.found):
            self.refuse(capture)
        for key in now[len(capture.found) :]:
            new = Capture(ITEM, f"{capture.name}, {key!r}", holder, key)
            value, new.found, new.value = new.found, MISSING, MISSING
            self.put(value, "item", new)

    def add(self, value: Any, kind: str, of: Any, what: str) -> None:
        """Note a write to a tensor or an array."""
        if id(of) not in self.where:
            raise self.tracer.refused(
                f"it {what} of an argument", "return the new value instead"
            )
        self.put(value, kind, *self.where[id(of)])

    def put(self, value: Any, kind: str, capture: Capture, path: Path = ()) -> None:
        """Note a write, unless it can't be repeated."""
        if kind == "item" and id(capture.holder) in self.of_arguments:
            self.refuse(capture)
        if kind != "numbers":
            self.allow(capture, value)
        bumps = kind == "numbers" and version_of(value) > 0
        self.found.append(Write(kind, capture, path, bumps))
        self.values.append(value)

    def alone(self, owner: TracedArray) -> None:
        """Check that nothing else shares memory that is written into.

        A captured constant that does becomes an input first.

        Raises:
            Refused: if another input shares it.
        """
        for k in self.held.captures:
            constant = isinstance(k.found, np.ndarray) and not k.given
            if constant and np.may_share_memory(k.found, owner.array):
                self.wanted.append(k)
        for other in self.arrays.values():
            if other is not owner and np.may_share_memory(other.array, owner.array):
                raise self.tracer.refused(
                    "it writes into memory that two arrays show",
                    "let it reach one of them only",
                )

    def allow(self, capture: Capture, value: Any) -> None:
        """Refuse to store objects from before, tensors with graphs, and other objects.

        Raises:
            Refused: also for arrays that share memory with others that are stored.
        """
        for x in parts_of(value):
            array = x._array if type(x) is Tensor else x
            known, way = id(x) in self.containers or id(array) in self.containers, ""
            if type(x) in (list, dict):
                self.containers[id(x)] = x
                way = "put a copy there" if known else ""
            elif type(array) is TracedArray:
                before = id(array.owner) in self.given and not array.is_number
                shared = self.stores.setdefault(id(array.store), x) is not x
                way = "put a copy there, x.copy()" if before or shared else ""
                if type(x) is Tensor and x.node is not None:
                    way = "put t.detach() there"
            elif type(array) is np.ndarray:
                way = (
                    "put a copy there, x.copy()"
                    if known or array.base is not None
                    else ""
                )
            elif not (type(x) in (tuple, TracedNumber) or is_exact(x)):
                way = "return the new value instead"
            if way:
                self.refuse(capture, way)

    def refuse(self, capture: Capture, way: str = "") -> None:
        """Raise Refused because of a write to a place."""
        raise self.tracer.refused(
            f"it changes {capture.name}", way or "return the new value instead"
        )


@dataclass
class Shown:
    """The object at a place when the recording began, and the objects in it."""

    x: Any
    items: dict[Any, Shown]

    @classmethod
    def of(cls, x: Any) -> Shown:
        """Note an object, and the items of nested lists, tuples and dictionaries."""
        return cls(x, {key: cls.of(x[key]) for key in keys(x)})

    def all(self, path: Path = ()) -> Iterator[tuple[Path, Any]]:
        """Yield all objects, each with its path of keys."""
        yield path, self.x
        for key, item in self.items.items():
            yield from item.all((*path, key))

    def changes(self, now: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
        """Yield the objects that are there now and weren't, with their paths."""
        if now is not self.x:
            yield path, now
        elif keys(now) != tuple(self.items):
            yield path, MISSING  # the keys, or the length, have changed
        else:
            for key, item in self.items.items():
                yield from item.changes(now[key], (*path, key))


def keys(x: Any) -> tuple[Any, ...]:
    """Return the keys of a dictionary, or the indices of a list or a tuple."""
    if type(x) is dict:
        return tuple(x)
    return tuple(range(len(x))) if type(x) in (list, tuple) else ()
