"""Which places a program is given the numbers of, found by recording (chapter 24).

At first all numbers that a function finds are constants. Where it turns out that one
changes, because the function writes it or because it has a second value, the place is
given, and the function is recorded anew. Where what it does depends on a number, that
is pinned, and a constant again, so that there is a program for each. A tensor is given
like an argument, and so are a generator and what an optimiser remembers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program.calls.captured import Search, is_library
from autograd_lib.program.calls.check import Guard
from autograd_lib.program.calls.places import GRADIENT, Capture, parts_of
from autograd_lib.program.calls.recording import Recording
from autograd_lib.program.core.graph import Graph
from autograd_lib.program.core.tracer import Refused

MOST = 8  # times that a function is recorded for one program


class Attempts:
    """Records a function until all that changes is given.

    Attributes:
        given: the places that are, with what they are in, whose id so stays its own.
        pinned: those that are not, though they change.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.given: dict[Any, Any] = {}
        self.pinned: set[Any] = set()

    def may_be_given(self, capture: Capture) -> bool:
        """Return whether numbers at a place were constants so far, and need not be."""
        return capture.free and not capture.given and capture.place not in self.pinned

    def give(self, captures: Iterable[Capture]) -> None:
        """Let numbers at places be given from now on, where that can be."""
        new = {k.place: k.holder for k in captures if self.may_be_given(k)}
        self.given = self.given | new

    def recorded(
        self, function: Callable[..., Any], call: Guard
    ) -> tuple[Recording, Graph]:
        """Return a recording of the function, and its graph.

        Raises:
            Refused: if it cannot be a program, whatever is given.
        """
        before = self.given, self.pinned
        error: Exception | None = None
        wanted: list[Capture] = []
        retreats = False
        for _ in range(MOST):
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
                if retreats:  # with all constant that may be
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
            Refused: if one of them changes unseen.
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
    """Yield places that are given with a list or dictionary that is elsewhere, too.

    What stands for it would not be what the function writes into there. What is in it
    can be given, item by item.
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
