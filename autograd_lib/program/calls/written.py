"""What a function writes, which comes out of its program and goes there (chapter 24).

A program writes into nothing that it is given. What the function wrote is returned
beside its results, and put at the end of the call where the function puts it: into the
same arrays, as the data or the `grad` of the same tensors, into the same attributes,
lists, dictionaries and variables. So a call that fails has written nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from operator import getitem
from typing import Any

import numpy as np

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.engine.writes.versions import storage_of
from autograd_lib.program.calls.number import TracedNumber
from autograd_lib.program.calls.places import (
    MISSING,
    Capture,
    gradient,
    in_container,
)
from autograd_lib.program.calls.same import is_exact
from autograd_lib.program.calls.snapshot import Snapshot, differ, put
from autograd_lib.program.core.array import TracedArray
from autograd_lib.program.core.numpy_calls import is_number
from autograd_lib.program.core.tracer import Tracer

Path = tuple[Any, ...]


class Write:
    """A place that a function writes, and how something gets there.

    Attributes:
        value: what the function has put there in the recording.
        capture: where to begin, and
        path: the keys from there.
        kind: "item"; or of a tensor or an array "numbers", "data" or "grad".
    """

    def __init__(self, value: Any, kind: str, capture: Capture, path: Path) -> None:
        self.value, self.kind = value, kind
        self.capture, self.path = capture, path
        self.found = partial(at, capture, path)
        if capture.get is in_container and not path:
            self.found = partial(getitem, capture.holder, capture.key)
        self.put: Callable[[Any], None] = getattr(self, kind)

    def into(self) -> Any:
        """Return the tensor or array that is written into."""
        if self.kind == "item":
            return None
        x = self.found()
        return x._array if self.kind == "numbers" and type(x) is Tensor else x

    def now(self, into: Any) -> Any:
        """Return what the function has left there, of what it was to write into."""
        if self.kind == "item":
            return self.found()
        if self.kind == "grad":
            return into.grad
        return into._array if type(into) is Tensor else into

    def item(self, x: Any) -> None:
        """Put something at the place."""
        if self.path:
            at(self.capture, self.path[:-1])[self.path[-1]] = x
        else:
            put(self.capture, x)

    def numbers(self, x: Any) -> None:
        """Write into the array that is there, and let the engine know."""
        found = self.found()
        if type(found) is Tensor:
            np.copyto(found._array, x)
            (found._storage or storage_of(found)).bump()
        else:
            np.copyto(found, x)

    def data(self, x: Any) -> None:
        """Give the tensor that is there another array."""
        self.found().data = x

    def grad(self, x: Any) -> None:
        """Give the tensor that is there another gradient."""
        self.found().grad = x


def at(capture: Capture, path: Path) -> Any:
    """Return what is at the end of a path from a place."""
    x = capture.now()
    for key in path:
        x = x[key]
    return x


class Writes:
    """Finds what a function has written while it was recorded.

    Args:
        tracer: that of the recording.
        arrays: the recorded arrays of tensors and arrays, by the id of these.
        mirrors: what stands at the places that are given.
        pinned: the places whose numbers are constants.

    Attributes:
        found: what was written, in the order in which it is to be put.
        wanted: the places that have to be given, for which all is recorded anew.
    """

    def __init__(
        self,
        tracer: Tracer,
        arrays: dict[int, TracedArray],
        mirrors: list[tuple[Capture, Shown]],
        pinned: set[Any],
    ) -> None:
        self.tracer, self.arrays, self.pinned = tracer, arrays, pinned
        self.mirrors = mirrors
        self.found: list[Write] = []
        self.wanted: list[Capture] = []
        self.where: dict[int, tuple[Capture, Path]] = {}
        self.given = Identical(arrays.values())
        self.stores: dict[int, Any] = {}
        self.containers: dict[int, Any] = {}  # that are there, or are put somewhere
        for capture, mirror in mirrors:
            self.note(mirror, capture, ())

    def note(self, place: Shown, capture: Capture, path: Path) -> None:
        """Note where tensors and arrays can be found."""
        self.containers[id(place.x)] = place.x
        if type(place.x) in (Tensor, TracedArray):
            self.where.setdefault(id(place.x), (capture, path))
        for key, item in place.items.items():
            self.note(item, capture, (*path, key))

    def add(self, value: Any, kind: str, of: Any, what: str) -> None:
        """Note a write into a tensor or an array."""
        if id(of) not in self.where:
            raise self.tracer.refused(
                f"it {what} of an argument", "return the new value instead"
            )
        capture, path = self.where[id(of)]
        if kind != "numbers":
            self.allow(capture, value)
        self.found.append(Write(value, kind, capture, path))

    def find(self, tensors: list[Tensor], held: Snapshot) -> list[Write]:
        """Return what was written.

        Raises:
            Refused: if it cannot come out of a program.
        """
        self.containers |= {id(x): x for _, x in held.captures}
        once = list({id(t): t for t in tensors}.values())
        for owner, _, _ in self.tracer.kept:
            self.alone(owner, held)
            own: list[Any] = [t for t in once if self.arrays[id(t)] is owner]
            self.add(owner, "numbers", (own or [owner])[0], "writes into the data")
        for t in once:
            now: Any = t._array
            if now is not self.arrays[id(t)]:
                self.add(now, "data", t, "replaces the data")
        grads = {id(t): (t, before) for t, _, _, before, _ in held.tensors}
        for t, before in grads.values():
            if t.grad is not before:
                self.add(t.grad, "grad", t, "changes the `grad`")
        for capture, mirror in self.mirrors:
            if capture.get is gradient:
                continue
            for path, x in changes(mirror, capture.now()):
                self.allow(capture, x)
                self.found.append(Write(x, "item", capture, path))
        for capture, before in held.captures:
            if not capture.given and differ(capture, before):
                self.constant(capture, before, id(capture) in held.can_be_given)
        return self.found

    def alone(self, owner: TracedArray, held: Snapshot) -> None:
        """See that memory that is written into is shown by nothing else.

        Raises:
            Refused: naming what shows it. A constant is to be given first.
        """
        for capture, x in held.captures:
            constant = isinstance(x, np.ndarray) and not capture.given
            if constant and np.may_share_memory(x, owner.array):
                self.wanted.append(capture)
        for other in self.arrays.values():
            if other is not owner and np.may_share_memory(other.array, owner.array):
                raise self.tracer.refused(
                    "it writes into memory that two arrays show",
                    "let it reach one of them only",
                )

    def constant(self, capture: Capture, before: Any, can_be_given: bool) -> None:
        """See what has come to a place that is not given."""
        now, pinned = capture.now(), capture.place in self.pinned
        if not pinned and can_be_given:
            self.wanted.append(capture)
        elif capture.may_be_put and is_exact(before) and before is not MISSING:
            self.allow(capture, now)
            self.found.append(Write(now, "item", capture, ()))
        else:
            self.refuse(capture)

    def allow(self, capture: Capture, x: Any) -> None:
        """Refuse what was there before, what has a graph, and what is no number.

        Raises:
            Refused: also for arrays that show the memory of others that are put.
        """
        if type(x) in (list, tuple, dict):
            if type(x) is not tuple:
                if id(x) in self.containers:  # it would be another one at each call
                    self.refuse(capture)
                self.containers[id(x)] = x
            for item in x.values() if type(x) is dict else x:
                self.allow(capture, item)
            return
        array = x._array if type(x) is Tensor else x
        if type(array) is TracedArray:
            graph = type(x) is Tensor and x.node is not None
            before = array.store.owner in self.given and not is_number(array)
            shared = self.stores.setdefault(id(array.store), x) is not x
            if not (graph or before or shared):
                return
        elif type(x) is TracedNumber or is_exact(x):
            return
        self.refuse(capture)

    def refuse(self, capture: Capture) -> None:
        """Raise Refused because of what was put at a place."""
        raise self.tracer.refused(
            f"it changes {capture.name}", "return the new value instead"
        )


@dataclass
class Shown:
    """What a place showed when the recording began.

    Attributes:
        x: the thing itself.
        items: what was in it, by index or key.
    """

    x: Any
    items: dict[Any, Shown]


def shown(x: Any) -> Shown:
    """Note what is at a place, and in lists, tuples and dictionaries there."""
    return Shown(x, {key: shown(x[key]) for key in keys(x)})


def keys(x: Any) -> tuple[Any, ...]:
    """Return the keys of a dictionary, or the indices of a list or a tuple."""
    if type(x) is dict:
        return tuple(x)
    return tuple(range(len(x))) if type(x) in (list, tuple) else ()


def changes(before: Shown, now: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield what is at a place that was not there before, with the keys to it."""
    if now is not before.x:
        yield path, now
    elif keys(now) != tuple(before.items):
        yield (*path, ...), ...
    else:
        for key, item in before.items.items():
            yield from changes(item, now[key], (*path, key))


class Identical:
    """Objects, found by identity."""

    def __init__(self, several: Any) -> None:
        self.ids = set(map(id, several))

    def __contains__(self, x: Any) -> bool:
        return id(x) in self.ids
