"""A compiled program, and the calls that it is valid for (chapter 22)."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from autograd_lib.engine.numpy.coercion import memory_of
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.program.calls.found_place import Capture
from autograd_lib.program.calls.guard import Guard
from autograd_lib.program.calls.net import rounding
from autograd_lib.program.calls.recorded_run import RecordedRun
from autograd_lib.program.core.interpreter import interpret
from autograd_lib.program.core.ir import Call, Graph
from autograd_lib.program.core.writer import Source
from autograd_lib.program.words.naming import Naming

TRIALS = 6  # calls of each of two programs, of which the faster one is kept
MEASURED = 8  # calls, of which the 2nd, 4th and 8th were measured beside the function's


class Program:
    """A function specialised to one kind of arguments, as Python source.

    Attributes:
        source: the source.
        calls: its calls in order.
        recorded: number of calls recorded, and
        kept: number of calls after the rewrites.
        plan: lifetime and slot of each value in preallocated memory, as planned by
            `reuse_memory`.
        slots: sizes of these buffers in bytes.
        graph: the calls with inputs and outputs.
    """

    def __init__(self, graph: Graph, recorded: int, name: str) -> None:
        self.graph, self.recorded, self.name = graph, recorded, name
        self.calls, self.kept = graph.calls, len(graph.calls)
        self._source = Source(graph, Naming(graph), name)
        self.source = self._source.text
        memory = graph.memory
        self.plan = (
            memory.plan(self._source.names_of_values) if memory is not None else []
        )
        self.slots: tuple[int, ...] = memory.sizes if memory is not None else ()
        self._idle: list[Callable[..., Any]] = []  # instances, each with own buffers

    def __call__(self, *arrays: Any) -> Any:
        """Run it on arrays for its inputs, and return arrays of its outputs."""
        try:
            function = self._idle.pop()
        except IndexError:  # other threads are running all of them
            function = self._source.function()
        try:
            return function(*arrays)
        finally:
            self._idle.append(function)

    @property
    def bytes(self) -> int:
        """Total bytes of all values in the plan, without sharing."""
        return sum(life.bytes for life in self.plan)

    @property
    def peak(self) -> int:
        """Total bytes of all slots."""
        return sum(self.slots)

    def __repr__(self) -> str:
        return f"<program of {self.kept} calls, recorded as {self.recorded}>"


class Rivalry:
    """Finds out which of two equal programs is faster, in the first calls.

    A rewrite whose gain is not certain, such as to machine code, names other passes in
    `rival`: their program takes its place where it is faster.
    """

    def __init__(self, graph: Graph, passes: Any) -> None:
        self.graph, self.passes = graph, passes
        self.rival: Program | None = None
        self.seconds: tuple[list[float], list[float]] = ([], [])

    def run(self, program: Program, arrays: Any) -> tuple[Any, Program | None]:
        """Run one of the two in turn; at the end return the faster one as well."""
        if self.rival is None:
            graph = self.graph
            for improve in self.passes:
                graph = improve(graph)
            inputs = program.graph.inputs
            graph = Graph(inputs, graph.calls, graph.outputs, graph.memory)
            self.rival = Program(graph, program.recorded, program.name)
        turn = len(self.seconds[0]) > len(self.seconds[1])
        start = time.perf_counter()
        made = (self.rival if turn else program)(*arrays)
        self.seconds[turn].append(time.perf_counter() - start)
        if len(self.seconds[1]) < TRIALS:
            return made, None
        ours, theirs = map(min, self.seconds)
        return made, self.rival if theirs < ours else program


def numbers_first(graph: Graph) -> Graph:
    """Return the graph with calls of Python numbers alone at its beginning.

    A program of another number of rounds then fails at once.
    """
    known = {v for v in graph.inputs if v.number}
    first, others = list[Call](), list[Call]()
    for call in graph.calls:
        operands = call.operands()
        alone = bool(operands) and all(v in known for v in operands)
        known.update(call.outs if alone else ())
        (first if alone else others).append(call)
    return replace(graph, calls=(*first, *others))


@contextmanager
def uncollected() -> Iterator[None]:
    """Collect no garbage while many objects are made that stay."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class GuardedProgram:
    """A recording with the guard that decides which calls it is valid for.

    Its first call executes the recording. The second one rewrites it and writes it as a
    program, which takes as long as recording does, and is in vain where no second call
    comes. The program's attributes are its own, too.

    Attributes:
        descriptions: description of the arguments it was recorded for, by name.
        captures: the places that the function reads besides its arguments.
        results: rebuilds the function's results from the program's arrays.
        written: the writes to perform at the end of a call.
        guard: returns the inputs of a call, or None if the program doesn't fit.
        generators: indices of the inputs that are random generators.
        into: number of inputs that are written into.
        uses: number of calls so far, and
        spent: seconds of recording, writing and verifying.
        call: the guard's source, and what it knows of the arguments.
        took: seconds of the last call that ran it, without the net, and
        in_vain: whether the function took another branch in it.
        fewest: seconds of the function, and of the program, where both were measured.
        spoken: why the function runs itself at such calls, or "".
        faster: the program that runs, which is another one if its passes didn't pay.
    """

    def __init__(
        self, recording: RecordedRun, graph: Graph, passes: Any, call: Guard
    ) -> None:
        self.name, self.passes = recording.tracer.name, passes
        self._kept = recording.kept
        numbers: dict[Any, int] = {}  # indices of leaves that are read or written
        graph = numbers_first(graph)
        read = self.read_by(graph)
        for i, (v, _) in enumerate(recording.inputs):
            if v in read:
                numbers.setdefault(v, i)
        self.recording = Graph(tuple(numbers), graph.calls, graph.outputs)
        self.call, self.captures = call, recording.captures
        self.descriptions, self.spoken = call.descriptions, recording.tracer.spoken
        self.uses, self.took, self.spent = 0, 0.0, 0.0
        self.in_vain, self._of_tensors = False, recording.of_tensors
        self.fewest = math.inf, math.inf
        self.results, self.written = recording.results, recording.writes
        inputs, connected = list(numbers.values()), self.results.connected
        self.guard = call.function(self.captures, inputs, connected)
        draws = {g.first for g in recording.generators.values()}
        self.generators = [i for i, v in enumerate(numbers) if v in draws]
        self._memory = [
            i for i, v in enumerate(numbers) if not (v.number or v.dtype.hasobject)
        ]
        self._memory.sort(key=lambda i: self.recording.inputs[i] not in self._kept)
        self.into = len(self._kept)
        arrays = [k for k in self.captures if isinstance(k.found, np.ndarray)]
        self._constants = [k for k in arrays if not k.given]

    def read_by(self, graph: Graph) -> set[Any]:
        """Return the values that a graph reads or writes."""
        read = self._kept | {v for c in graph.calls for v in c.operands()}
        return {u for v in read | {*graph.outputs} for u in v.bases()}

    @cached_property
    def program(self) -> Program:
        """The recording, rewritten and written as Python."""
        graph = self.recording
        rivals = [p.rival for p in self.passes if hasattr(p, "rival")]
        self._rivalry = Rivalry(graph, rivals[0]) if rivals else None
        with uncollected():
            for improve in self.passes:
                graph = improve(graph)
        inputs, read = self.recording.inputs, self.read_by(graph)
        self._places = [i for i, v in enumerate(inputs) if v in read]
        given = tuple(inputs[i] for i in self._places)
        graph = Graph(given, graph.calls, graph.outputs, graph.memory)
        made = self.faster = Program(graph, len(self.recording.calls), self.name)
        return made

    @cached_property
    def shown(self) -> list[Capture]:
        """The captured places of arrays and tensors."""
        return [k for k in self.captures if isinstance(k.found, np.ndarray | Tensor)]

    @cached_property
    def rounding(self) -> float:
        """The machine epsilon of the coarsest dtype in it."""
        return rounding(self.recording)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.program, name)

    def __call__(self, *arrays: Any) -> Any:
        """Run the program on the arrays that its guard returns."""
        return self.program(*self.read(arrays))

    def __repr__(self) -> str:
        return repr(self.program)

    def read(self, arrays: Any) -> Any:
        """Return those of the recording's inputs that the program still reads."""
        made = self.program  # which sets the places
        if len(made.graph.inputs) == len(arrays):
            return arrays
        return [arrays[i] for i in self._places]

    def run(self, arrays: Any, nodes: Any) -> tuple[Any, Any]:
        """Run it, and return its results, and its generators with their states before.

        Raises:
            Changed: if the function would take another branch than the recorded one.
        """
        states = [(b := arrays[i].bit_generator, b.state) for i in self.generators]
        try:
            if self.into and not self.apart(arrays):
                raise ValueError("what is written is read-only, or shown elsewhere")
            made = self.made(arrays)
        except Exception:
            for b, state in states:
                b.state = state
            raise
        self.uses += 1
        return self.results.made(made, nodes), states

    def made(self, arrays: Any) -> Any:
        """Return the outputs for arrays of the inputs."""
        if self.uses == 0:
            return interpret(self.recording, arrays)
        arrays = self.read(arrays)
        if self._rivalry is None or self.uses == 1:  # which compiles
            return self.faster(*arrays)
        made, faster = self._rivalry.run(self.program, arrays)
        if faster is not None:
            self.faster, self._rivalry = faster, None
        return made

    def timed(self, seconds: float) -> None:
        """Note how long the function took, for which the program has just run."""
        function, program = self.fewest
        self.fewest = min(function, seconds), min(program, self.took)

    @property
    def saves(self) -> float:
        """Seconds that a call saves, as far as is known."""
        function, program = self.fewest
        return function - program if program < math.inf else 0.0

    @cached_property
    def promises(self) -> bool:
        """Whether it will probably save time, as it spares what the engine does for
        tensors, or is to be machine code.
        """
        return self._of_tensors or any(hasattr(p, "rival") for p in self.passes)

    @property
    def is_slower(self) -> bool:
        """Whether its calls take longer than the function, as far as is known."""
        function, program = self.fewest
        measured = self.uses >= MEASURED and self._rivalry is None
        return measured and program > function

    @property
    def is_written(self) -> bool:
        """Whether it has been written as Python."""
        return "program" in vars(self)

    @property
    def is_due(self) -> bool:
        """Whether this call is verified: the 2nd, 4th, 8th, 16th and so on."""
        return self.uses > 1 and not self.uses & (self.uses - 1)

    def apart(self, given: Any) -> bool:
        """Return whether all written inputs are writable and alias no other input."""
        n = self.into
        arrays = [given[i] for i in self._memory] + [k.now() for k in self._constants]
        if not all(a.flags.writeable for a in arrays[:n]):
            return False
        views = [a for a in arrays if a.base is not None]
        owners = [memory_of(a) for a in arrays] if views else arrays
        mine, others = set(map(id, owners[:n])), set(map(id, owners[n:]))
        known = not views or all(a.base is None for a in owners)  # allocated by NumPy
        if known and len(mine) == n and not mine & others:
            return True
        pairs = ((a, b) for i, a in enumerate(arrays[:n]) for b in arrays[i + 1 :])
        return not any(a is b or np.may_share_memory(a, b) for a, b in pairs)
