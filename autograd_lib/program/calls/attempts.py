"""Records a function, once more if it writes what was a constant (chapter 24)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from autograd_lib.program.calls.capture import Capture, parts_of
from autograd_lib.program.calls.captured import captures_of
from autograd_lib.program.calls.guard import Guard
from autograd_lib.program.calls.recording import Recording
from autograd_lib.program.core.ir import Graph
from autograd_lib.program.core.tracer import Refused


class Attempts:
    """Knows which places of a function change.

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

    def recorded(
        self, function: Callable[..., Any], call: Guard
    ) -> tuple[Recording, Graph]:
        """Return a recording of the function, and its graph.

        If it fails, as where it indexes an array with another, all arrays that it finds
        are inputs of a second recording; and so is what it writes or appends to without
        its names telling.

        Raises:
            Refused: if it can't be compiled.
        """
        for last in (False, True):
            captures = self.captures(function, call)
            recording = Recording(self.name, call, captures, last)
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
