"""Which places and numbers are inputs of a program, and which constants (chapter 22).

A program holds only as long as its constants are unchanged, so each place that the
function reads is an input or compared before each run. Inputs from the start are
tensors, generators and large arrays; the state that optimisers and schedules declare;
and numbers that the code assigns. Everything else is a constant, until a second value
is found there: then it becomes an input, and the function is recorded again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator
from types import FunctionType
from typing import Any

import numpy as np

from autograd_lib.checkpointing.code_names import CodeNames, names_of
from autograd_lib.checkpointing.generators import GENERATORS
from autograd_lib.checkpointing.surroundings import (
    MAKERS,
    MAX_OBJECTS,
    OUTLINE,
    Place,
    Walk,
)
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program.calls.found_place import GRADIENT, Capture, parts_of
from autograd_lib.program.calls.guard import Guard
from autograd_lib.program.calls.recorded_run import RecordedRun
from autograd_lib.program.calls.traced_number import NUMBERS, is_long
from autograd_lib.program.calls.unseen import refuse_unseen
from autograd_lib.program.core.ir import Graph
from autograd_lib.program.core.tracer import Refused

LARGE = 2**16  # bytes; larger arrays are inputs at once, as comparing them is slow


class Changing:
    """Knows which places and numbers of a function change, and are inputs.

    Attributes:
        given: the places that are inputs, with their holders, which keeps ids valid.
        numbers: the paths of numbers in arguments that are inputs.
        lists: by id, lists, and whether the function only appends to them.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.given: dict[Any, Any] = {}
        self.numbers: set[str] = set()
        self.lists: dict[int, tuple[Any, bool]] = {}

    def give(self, captures: Iterable[Capture]) -> None:
        """Make places inputs from now on, where that is possible."""
        new = {k.known_by: k.holder for k in captures if k.may_be_given}
        self.given = self.given | new

    def have_changed(self, now: dict[str, Any], known: dict[str, Any]) -> bool:
        """Make numbers in arguments inputs if they have a second value.

        Args:
            now: the constants of a call by their paths, and
            known: those of the last program.
        """
        new = {path for path, x in now.items() if is_another(x, known.get(path))}
        self.numbers |= new
        return bool(new)

    def recorded(
        self, function: Callable[..., Any], call: Guard
    ) -> tuple[RecordedRun, Graph]:
        """Return a recording of the function, and its graph.

        If it fails, as where it indexes an array with another, all arrays that it finds
        are inputs of a second recording; and so is what it writes or appends to without
        its names telling.

        Raises:
            Refused: if it can't be compiled.
        """
        for last in (False, True):
            captures = self.captures(function, call)
            recording = RecordedRun(self.name, call, captures, last)
            try:
                graph = recording.run(function)
            except Exception:
                wanted = [k for k in captures if k.may_be_given and has_arrays(k.found)]
                lists = [k for k in captures if k.appended]
                if last or not (wanted or lists):
                    raise
                self.lists |= {id(k.found): (k.found, False) for k in lists}
            else:
                wanted, grown = recording.wanted, recording.grown
                if not (wanted or grown):
                    break
                self.lists |= {id(x): (x, True) for x in grown}
            self.give(wanted)
        return recording, graph

    def captures(self, function: Callable[..., Any], call: Guard) -> list[Capture]:
        """Return the places that the function reads.

        Raises:
            Refused: if one can change unseen.
        """
        try:
            return captures_of((function, *call.objects), self.given, self.lists)
        except ValueError as error:
            raise Refused(f"compile({self.name}): {error}") from None


def has_arrays(x: Any) -> bool:
    """Return whether an object is an array, or a container with one."""
    return any(isinstance(part, np.ndarray) for part in parts_of(x))


def is_another(x: Any, known: Any) -> bool:
    """Return whether a number is another one of the same type than before."""
    return type(x) is type(known) and x != known and not is_long(x)


def captures_of(
    roots: Iterable[Any], given: Container[Any], lists: dict[int, tuple[Any, bool]]
) -> list[Capture]:
    """Return the places that functions and objects read, nearest first.

    Args:
        roots: the functions and objects.
        given: what is known to change, by `known_by`, and becomes an input.
        lists: by id, lists, and whether the function only appends to them.

    Raises:
        ValueError: if there are too many, or one can change unseen.
    """
    found: list[Capture] = []

    def enter(place: Place, x: Any) -> bool:
        k = Capture(place)
        large = isinstance(x, np.ndarray) and x.nbytes > LARGE
        if not k.given and (place.declared or large or k.known_by in given):
            k.given = k.may_be_given
        if type(x) in (list, deque) and k.may_be_put and not k.given:
            named = any(place.key in c.appended for c in codes(walk.functions))
            k.appended = lists.get(id(x), (x, named))[1]
        if not k.given and isinstance(x, np.ndarray):
            k.value = x.copy()
        changes = isinstance(x, (np.ndarray, Tensor, *GENERATORS))
        if changes or type(place.holder) is not tuple:  # other items are immutable
            found.append(k)
        return not (k.given or k.appended)

    walk = Walk(roots, enter)
    walk.run()
    if len(walk.seen) > MAX_OBJECTS:
        raise ValueError(
            f"it reaches more than {MAX_OBJECTS} objects through what it closes over; "
            "pass what it needs as arguments"
        )
    refuse_unseen(walk)
    later = [f for f in walk.functions if f.__name__ not in MAKERS]
    assigned = frozenset[str]().union(*(c.stored for c in codes(later)))
    for k in found:
        if k.key in assigned and type(k.found) in NUMBERS and k.may_be_given:
            k.given = True
    for k in reached_twice(found):
        k.given = False
    gradients = [
        Capture(Place(GRADIENT, f"{k.name}.grad", k))
        for k in found
        if type(k.found) is Tensor and k.found.node is not None
    ]
    return found + gradients


def codes(functions: Iterable[FunctionType]) -> Iterator[CodeNames]:
    """Yield the names in the code of each function."""
    return (names_of(f.__code__) for f in functions)


def reached_twice(captures: list[Capture]) -> Iterator[Capture]:
    """Yield inputs that hold a list or dictionary which is also found elsewhere.

    A stand-in for the container would break that aliasing.
    """
    own: dict[int, Capture] = {}
    for k in captures:
        parts = parts_of(k.found) if k.given else ()
        for x in [part for part in parts if type(part) in (list, dict)]:
            if id(x) in own:
                yield from (k, own[id(x)])
            own[id(x)] = k
    for k in captures:
        if not k.given and k.way is not OUTLINE:
            yield from (own[id(x)] for x in (k.found, k.holder) if id(x) in own)
