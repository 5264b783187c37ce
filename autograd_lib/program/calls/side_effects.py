"""A function's side effects, as outputs of its program (chapter 22).

A program doesn't modify its inputs. The new values of what the function writes are
outputs, and are stored at the end of the call: into the same arrays, as `data` or
`grad` of the same tensors, into the same attributes, lists, dictionaries and variables.
So a call that fails has no side effects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial, reduce
from operator import getitem, setitem
from typing import Any

import numpy as np

from autograd_lib.checkpointing.surroundings import (
    ITEM,
    MISSING,
    OUTLINE,
    Place,
    is_exact,
)
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.engine.writes.versions import storage_of, version_of
from autograd_lib.program.calls.found_place import (
    GRADIENT,
    Capture,
    parts_of,
    same_keys,
)
from autograd_lib.program.calls.restoring import Snapshot
from autograd_lib.program.calls.strict_tracer import StrictTracer
from autograd_lib.program.calls.traced_number import TracedNumber
from autograd_lib.program.core.array import TracedArray

Path = tuple[Any, ...]


class Write:
    """One side effect: assigns an "item" at or inside a place, appends to the list
    there, or sets the "numbers", the "data" or the "grad" of the tensor or array there.
    """

    def __init__(
        self, kind: str, capture: Capture, path: Path, bumps: bool = False
    ) -> None:
        self.kind, self.capture, self.path, self.bumps = kind, capture, path, bumps
        self.found = partial(at, capture, path)
        if not path or kind == "append":
            self.found = partial(capture.way.look, capture.holder, capture.key)
        self.put: Callable[[Any], None] = getattr(self, kind, self.attribute)

    def left(self) -> Callable[[], Any]:
        """Return a function that returns what the original function leaves there."""
        if self.kind == "item":
            return self.found
        if self.kind == "append":
            several: Any = self.found()
            self.over = partial(setitem, several, self.path[0])
            return partial(getitem, several, self.path[0])
        x = self.found()
        if self.kind == "numbers":
            x = x._array if type(x) is Tensor else x
            return lambda: x
        return lambda: getattr(x, self.kind)

    def put_over(self, x: Any) -> None:
        """Replace what the function itself has left there."""
        if self.kind == "append":
            self.over(x)
        else:
            self.put(x)

    def append(self, x: Any) -> None:
        """Append to the list there."""
        self.found().append(x)

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
        grown: lists that were appended to, for which it is recorded again as well.
    """

    def __init__(
        self,
        tracer: StrictTracer,
        held: Snapshot,
        arrays: dict[int, TracedArray],
        mirrors: list[tuple[Capture, Shown]],
        appended: list[tuple[Capture, Appended]],
    ) -> None:
        self.tracer, self.held = tracer, held
        self.arrays, self.mirrors, self.appended = arrays, mirrors, appended
        self.given = set(map(id, arrays.values()))
        self.found: list[Write] = []
        self.values: list[Any] = []
        self.wanted: list[Capture] = []
        self.grown: list[Any] = []
        self.where: dict[int, tuple[Capture, Path]] = {}  # of tensors and arrays
        self.stores: dict[int, Any] = {}
        # Containers that existed before, or were written somewhere.
        self.containers = {id(k.found): k.found for k in held.captures}
        for capture, mirror in mirrors:
            for path, x in mirror.all():
                self.containers[id(x)] = x
                if type(x) in (Tensor, TracedArray):
                    self.where.setdefault(id(x), (capture, path))

    def find(self, again: bool, of_arguments: set[int]) -> None:
        """Find all writes. Places that change are wanted, if it is recorded again.

        A captured object that is also an argument may not be written into, since the
        argument is a copy.

        Raises:
            Refused: if a write can't be an output of a program.
        """
        self.of_arguments = of_arguments
        self.find_arrays()
        for capture, mirror in self.mirrors:
            if capture.way is not GRADIENT:
                for path, x in mirror.changes(capture.now()):
                    self.put(x, "item", capture, path)
        self.find_appended()
        for capture in self.held.captures:
            if not (capture.given or capture.appended) and capture.changed():
                if again and capture.may_be_given:
                    self.wanted.append(capture)
                elif again and self.has_grown(capture):
                    self.grown.append(capture.holder)
                elif capture.may_be_put and is_exact(capture.found):
                    self.put(capture.now(), "item", capture)
                else:
                    self.put_new(capture)

    def find_arrays(self) -> None:
        """Find what was written into arrays, and into tensors."""
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

    def has_grown(self, capture: Capture) -> bool:
        """Return whether a list holds what it held, and more."""
        x: Any = capture.holder
        if capture.way is not OUTLINE or type(x) is not list:
            return False
        before = self.held.wholes[id(x)][1]
        return list(map(id, x[: len(before)])) == list(map(id, before))

    def find_appended(self) -> None:
        """Find what was appended to lists."""
        first = {id(x): (k, x) for k, x in reversed(self.appended)}
        for capture, x in first.values():
            for i, value in enumerate(x.new):
                self.put(value, "append", capture, (i - len(x.new),))

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
            new = Capture(Place(ITEM, f"{capture.name}, {key!r}", holder, key))
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
        holder = capture.holder
        if kind == "item" and path:
            holder = reduce(getitem, path[:-1], capture.found)
        if kind in ("item", "append") and id(holder) in self.of_arguments:
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


class Appended(list[Any]):
    """Stands for a list, and notes what is appended, and whether anything is read.

    Attributes:
        new: what was appended.
        is_read: whether the function did anything else with the list.
    """

    def __init__(self, items: Iterable[Any]) -> None:
        super().__init__(items)
        self.new: list[Any] = []
        self.is_read = False

    def append(self, x: Any) -> None:
        """Note an item."""
        self.new.append(x)

    def extend(self, several: Any) -> None:
        """Note several items."""
        self.new.extend(several)

    def __iadd__(self, several: Any) -> Appended:  # type: ignore[misc]
        self.extend(several)
        return self


def reading(name: str) -> Any:
    """Return a method of a list that notes that it is read."""

    def method(self: Appended, *args: Any, **options: Any) -> Any:
        self.is_read = True
        return getattr(list(super(Appended, self).__iter__()), name)(*args, **options)

    return method


for _name in set(dir(list)) - set(dir(object)) - {"append", "extend", "__iadd__"}:
    if _name != "__class_getitem__":
        setattr(Appended, _name, reading(_name))
for _name in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__repr__"):
    setattr(Appended, _name, reading(_name))


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
