"""Finds which captured numbers become inputs, by recording repeatedly (chapter 24).

At first every captured number is a constant. If one changes, because the function
writes it or because a later call finds a second value, its place becomes an input
("given") and the function is recorded again. If the function branches on a number, that
is pinned: a constant again, with a program for each value. Captured tensors, generators
and the state of optimizers are inputs from the start.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program.calls.capture import GRADIENT, Capture, parts_of
from autograd_lib.program.calls.captured import Search, is_library
from autograd_lib.program.calls.guard import Guard
from autograd_lib.program.calls.recording import Recording
from autograd_lib.program.core.ir import Graph
from autograd_lib.program.core.tracer import Refused

MAX_RECORDINGS = 8  # recordings for one program


class Attempts:
    """Records a function until everything that changes is an input.

    Attributes:
        given: the places that are inputs, with their holders, which keeps ids valid.
        pinned: places that stay constants although they change.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.given: dict[Any, Any] = {}
        self.pinned: set[Any] = set()

    def may_be_given(self, capture: Capture) -> bool:
        """Return whether a place is a constant so far and could be an input."""
        return capture.free and not capture.given and capture.place not in self.pinned

    def give(self, captures: Iterable[Capture]) -> None:
        """Make places inputs from now on, where that is possible."""
        new = {k.place: k.holder for k in captures if self.may_be_given(k)}
        self.given = self.given | new

    def recorded(
        self, function: Callable[..., Any], call: Guard
    ) -> tuple[Recording, Graph]:
        """Return a recording of the function, and its graph.

        Raises:
            Refused: if it can't be compiled, whichever places are inputs.
        """
        before = self.given, self.pinned
        error: Exception | None = None
        wanted: list[Capture] = []
        retreats = False
        for _ in range(MAX_RECORDINGS):
            captures, modules = self.captures(function, call), set(sys.modules)
            recording = Recording(self.name, call, captures, self.pinned)
            pinned = recording.tracer.pinned
            try:
                graph = recording.run(function)
            except Exception as raised:
                if retreats:
                    break
                error = raised
                arrays = [k for k in captures if isinstance(k.found, np.ndarray)]
                wanted = [k for k in arrays if self.may_be_given(k)]
                retreats = not wanted or not isinstance(raised, Refused)
                if retreats:  # try again with as many constants as possible
                    given = {k.place for k in captures if k.given and not k.is_bound}
                    wanted, pinned = [], pinned | given
                if not wanted and not pinned:
                    break
            else:
                wanted = recording.wanted
                came = [m for m in sys.modules if m not in modules]
                if not (wanted or pinned) and all(map(is_library, came)):
                    return recording, graph
            self.pinned = self.pinned | pinned
            self.given = {p: x for p, x in self.given.items() if p not in pinned}
            self.give(wanted)
        self.given, self.pinned = before
        raise error or Refused(f"compile({self.name}): it changes what it depends on")

    def captures(self, function: Callable[..., Any], call: Guard) -> list[Capture]:
        """Return the places that the function reads.

        Raises:
            Refused: if changes at one of them can't be detected.
        """
        twice: set[Any] | None = None
        while twice is None or twice:
            self.pinned = self.pinned | (twice or set())
            roots = (function, *call.objects)
            try:
                captures = Search(roots, self.given, self.pinned).captures()
            except ValueError as error:
                raise Refused(f"compile({self.name}): {error}") from None
            twice = {k.place for k in reached_twice(captures)}
        return captures + [
            Capture(GRADIENT, f"{k.name}.grad", k)
            for k in captures
            if type(k.found) is Tensor and k.found.node is not None
        ]


def reached_twice(captures: list[Capture]) -> Iterator[Capture]:
    """Yield inputs that hold a list or dictionary which is also found elsewhere.

    A stand-in for the container would break that aliasing; its items can be inputs
    one by one.
    """
    own: dict[int, Capture] = {}
    for k in captures:
        parts = parts_of(k.found) if k.given else ()
        for x in [part for part in parts if type(part) in (list, dict)]:
            if id(x) in own:
                yield from (k, own[id(x)])
            own[id(x)] = k
    for k in captures:
        if not k.given:
            yield from (own[id(x)] for x in (k.found, k.holder) if id(x) in own)
