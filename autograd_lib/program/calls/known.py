"""A program, and the calls that it is for (chapter 24)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program.calls.given import Given, apart
from autograd_lib.program.calls.places import Capture
from autograd_lib.program.calls.results import Results
from autograd_lib.program.calls.signature import Signature
from autograd_lib.program.calls.written import Write
from autograd_lib.program.core.graph import Graph
from autograd_lib.program.core.writer import Source


class Program:
    """A function for arguments of one kind, as Python.

    Attributes:
        source: its text.
        calls: what it does, call by call.
        recorded: how many calls were recorded, and
        kept: how many the rewrites left.
        seconds: how long it took to record, improve and write it.
        plan: when each value that it keeps memory for is made and last read, and where
            it lies: what `reuse_memory` has decided.
        slots: how many bytes each piece of that memory has.
        graph: the calls with inputs and outputs.
    """

    def __init__(self, graph: Graph, recorded: int, name: str) -> None:
        self.graph, self.recorded = graph, recorded
        self.calls, self.kept = graph.calls, len(graph.calls)
        self._source = Source(graph, name)
        self.source = self._source.text
        self.seconds = 0.0
        memory = graph.memory
        self.plan = memory.plan(self._source.called) if memory is not None else []
        self.slots: tuple[int, ...] = memory.sizes if memory is not None else ()
        self._idle: list[Callable[..., Any]] = []  # each with memory of its own

    def __call__(self, *arrays: Any) -> Any:
        """Run it on the arrays of its inputs, and return those of its outputs."""
        try:
            function = self._idle.pop()
        except IndexError:  # all are at work, in other threads
            function = self._source.function()
        try:
            return function(*arrays)
        finally:
            self._idle.append(function)

    @property
    def bytes(self) -> int:
        """Bytes of all values in the plan, if each had memory of its own."""
        return sum(life.bytes for life in self.plan)

    @property
    def peak(self) -> int:
        """Bytes of all slots, which they share."""
        return sum(self.slots)

    def __repr__(self) -> str:
        return f"<program of {self.kept} calls, recorded as {self.recorded}>"


@dataclass
class Known:
    """A program, and for which calls it is.

    Attributes:
        program: the program.
        said: what it was recorded for, by the names of the arguments.
        objects: arguments that are known by identity; kept, so that this stays theirs.
        captures: what else the function uses.
        given: what of what it is given by these the program depends on.
        inputs: which leaves and then tensors it is given.
        results: makes what the function returns of the program's arrays.
        written: what is put at the end of a call, and where.
        into: how many arrays are written into.
        memory: which of those that the program is given are arrays, these first.
        constants: where arrays are that it is not given.
        guard: the short way to see whether it fits a call.
        calls: how many it has made.
    """

    program: Program
    said: dict[str, str]
    objects: list[Any]
    captures: list[Capture]
    given: Any
    inputs: list[int]
    results: Results
    written: list[Write]
    into: int
    memory: list[int]
    constants: list[Capture]
    guard: Callable[[Any, Any], Any]
    calls: int = 0

    def apart(self, given: Any) -> bool:
        """Return whether nothing else shows memory that is written into."""
        if not self.into:
            return True
        constants = [k.now() for k in self.constants]
        return apart([*[given[i] for i in self.memory], *constants], self.into)

    def found_in(self, signature: Signature) -> Any:
        """Return the arrays for the program, and nodes, of a call that it fits."""
        leaves = [*signature.leaves, *Given(self.captures).leaves]
        arrays = [x._array if type(x) is Tensor else x for x in leaves]
        nodes = [x.node for x in leaves if type(x) is Tensor and x.node is not None]
        return [arrays[i] for i in self.inputs], tuple(nodes)
