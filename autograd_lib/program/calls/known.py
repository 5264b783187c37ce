"""A program, and the calls that it is for (chapter 24)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib.engine.numpy.coercion import memory_of
from autograd_lib.program.calls.check import Guard
from autograd_lib.program.calls.recording import Recording
from autograd_lib.program.core.graph import Graph
from autograd_lib.program.core.writer import Source
from autograd_lib.program.words.naming import Naming


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
        self._source = Source(graph, Naming(graph), name)
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


class Known(Program):
    """A program with what tells which calls it is for.

    Attributes:
        said: what it was recorded for, by the names of the arguments.
        captures: what else the function uses.
        results: makes what the function returns of the program's arrays.
        written: what is put at the end of a call, and where.
        guard: sees whether it fits a call.
        generators: which of the things that it is given draw, and
        into: how many of the arrays are written into.
        uses: how many calls it has made.
    """

    def __init__(
        self, recording: Recording, graph: Graph, passes: Any, call: Guard
    ) -> None:
        recorded, kept = len(graph.calls), recording.kept
        for improve in passes:
            graph = improve(graph)
        read = kept | {v for c in graph.calls for v in c.operands()} | {*graph.outputs}
        read = {u for v in read for u in v.bases()}
        numbers: dict[Any, int] = {}  # of the leaves that are read or written into
        for i, (v, _) in enumerate(recording.inputs):
            if v in read:
                numbers.setdefault(v, i)
        graph = Graph(tuple(numbers), graph.calls, graph.outputs, graph.memory)
        super().__init__(graph, recorded, recording.tracer.name)
        self.said, self.captures, self.uses = call.said, recording.captures, 0
        self.results, self.written = recording.results, recording.writes
        inputs, connected = list(numbers.values()), self.results.connected
        self.guard = call.function(self.captures, inputs, connected)
        draws = {g.first for g in recording.generators.values()}
        self.generators = [i for i, v in enumerate(numbers) if v in draws]
        self._memory = [
            i for i, v in enumerate(numbers) if not (v.number or v.dtype.hasobject)
        ]
        self._memory.sort(key=lambda i: graph.inputs[i] not in kept)
        self.into = len(kept)
        arrays = [k for k in self.captures if isinstance(k.found, np.ndarray)]
        self._constants = [k for k in arrays if not k.given]

    def apart(self, given: Any) -> bool:
        """Return whether what is written into can be, and nothing else shows it."""
        n = self.into
        arrays = [given[i] for i in self._memory] + [k.now() for k in self._constants]
        if not all(a.flags.writeable for a in arrays[:n]):
            return False
        views = [a for a in arrays if a.base is not None]
        owners = [memory_of(a) for a in arrays] if views else arrays
        mine, others = set(map(id, owners[:n])), set(map(id, owners[n:]))
        known = not views or all(a.base is None for a in owners)  # to NumPy
        if known and len(mine) == n and not mine & others:
            return True
        pairs = ((a, b) for i, a in enumerate(arrays[:n]) for b in arrays[i + 1 :])
        return not any(a is b or np.may_share_memory(a, b) for a, b in pairs)
