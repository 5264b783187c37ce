"""One recorded run of a function (chapter 22).

During the run, argument tensors and captured tensors hold traced arrays. Afterwards
everything is restored.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import get_ident
from typing import Any, cast

import numpy as np

from autograd_lib.checkpointing.generators import GENERATORS, set_state, state_of
from autograd_lib.engine.forward.levels import dual_of
from autograd_lib.engine.tape.node import LeafExtras, Node
from autograd_lib.engine.tape.record import watchers
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.functional import tree
from autograd_lib.graph import topological_order
from autograd_lib.program.calls.argument_content import held, hooks_of
from autograd_lib.program.calls.draws import TracedGenerator
from autograd_lib.program.calls.found_place import GRADIENT, Capture, same_keys
from autograd_lib.program.calls.guard import Guard, is_leaf
from autograd_lib.program.calls.restoring import Snapshot
from autograd_lib.program.calls.results import Results
from autograd_lib.program.calls.side_effects import Appended, Shown, Writes
from autograd_lib.program.calls.strict_tracer import StrictTracer
from autograd_lib.program.calls.traced_number import LOCK, NUMBERS, traced_math
from autograd_lib.program.core.array import TracedArray
from autograd_lib.program.core.ir import Graph, Value
from autograd_lib.program.core.tracer import Refused
from autograd_lib.program.words.naming import leaf_name
from autograd_lib.program.words.origins import Origins


class Asked(LeafExtras):
    """A leaf's extras that note whether the function reads `grad` before setting it."""

    __slots__ = ()

    @property
    def total(self) -> Any:
        """The accumulated gradient."""
        vars(self).setdefault("asked", True)
        return vars(self).get("total")

    @total.setter
    def total(self, total: Any) -> None:
        vars(self).setdefault("asked", False)  # later reads see this, not the input
        vars(self)["total"] = total


class RecordedRun:
    """Records a function for one call.

    Attributes:
        inputs: the value of each leaf of arguments and captures, with its capture.
        writes: the function's side effects.
        wanted: places that have to become inputs, for which it is recorded again.
        kept: the input values that the function writes into.
        of_tensors: whether the function calculates with tensors.
    """

    def __init__(
        self, name: str, call: Guard, captures: list[Capture], last: bool
    ) -> None:
        self.tracer, self.call = StrictTracer(name, Origins()), call
        self.captures, self.last = captures, last
        self.arrays: dict[int, TracedArray] = {}  # by the ids of what they stand for
        self.generators: dict[int, TracedGenerator] = {}
        self.tensors: list[Tensor] = []
        self.inputs: list[tuple[Value, Capture | None]] = []
        self.containers: set[int] = set()  # of arguments, by id
        self.leaves: list[Any] = []  # of arguments and captures
        self.asked: set[int] = set()  # tensors whose `grad` was read, by id
        self.wanted: list[Capture] = []
        self.grown: list[Any] = []  # lists
        self.behind: list[Any] = []  # nodes that tensors were made from
        self.unseen: dict[int, tuple[LeafExtras, Any]] = {}  # leaves, and gradients
        several = [self.stand_in(x, path) for path, x in call.arguments]
        n = len(several) - len(call.kwargs)
        self.given = several[:n], dict(zip(call.kwargs, several[n:], strict=True))
        self.of_arguments = set(map(id, self.leaves))
        self.mirrors = [
            (k, self.stand_in(k.found, k.name, k)) for k in captures if k.given
        ]
        lists = {id(k.found): Appended(k.found) for k in captures if k.appended}
        self.appended = [(k, lists[id(k.found)]) for k in captures if k.appended]

    def stand_in(self, x: Any, path: str, of: Capture | None = None) -> Any:
        """Return a stand-in for an argument or capture, with inputs for its leaves."""
        if is_leaf(x, of is not None or path in self.call.numbers):
            self.leaves.append(x)
            return self.input(x, path, of)
        opened = None if tree.is_model(type(x)) else tree.taken_apart(x)
        if opened is None:
            return x
        if of is None:
            self.containers.add(id(x))
        parts = [self.stand_in(part, path + key, of) for key, part in opened.items]
        same = all(a is b for a, (_, b) in zip(parts, opened.items, strict=True))
        same = same and not any(k in tree.REGISTERED for k in type(x).__mro__)
        fixed = of is None and isinstance(x, tuple)  # immutable: no copy needed
        return x if same and fixed else opened.build(parts)

    def input(self, x: Any, path: str, of: Capture | None) -> Any:
        """Return the stand-in for a leaf, and note an input."""
        made: Any
        if type(x) in NUMBERS:
            made = self.tracer.given_number(x, path)
            value = made.value
        elif type(x) is np.random.Generator:
            made = self.generators.get(id(x)) or TracedGenerator(self.tracer, x, path)
            self.generators[id(x)] = made
            value = made.first
        else:
            made = self.arrays.get(id(x))
            if made is None or (of is not None and isinstance(x, np.generic)):
                made = self.arrays[id(x)] = self.array(x, path, of)
            value = made.store.value
        self.inputs.append((value, of))
        return x if type(x) is Tensor else made

    def array(self, x: Any, path: str, of: Capture | None) -> TracedArray:
        """Return a traced array for a tensor or an array."""
        tensor = type(x) is Tensor
        if type(x) is TracedArray or (tensor and type(x._array) is TracedArray):
            raise self.tracer.refused(
                f"`{path}` is being recorded, by another thread or function",
                "give each thread parameters of its own while one of them records",
            )
        if isinstance(x, np.ndarray) and type(x) is not np.ndarray:
            raise self.tracer.refused(
                f"`{path}` is a {type(x).__name__}, which has more than numbers",
                "np.asarray(x) is the bare array",
            )
        a, why_not = x._array if tensor else x, "" if of else f"`{path}`"
        array = self.tracer.input(a, leaf_name(path), why_not)
        if tensor:
            self.tensors.append(x)
            if dual_of(x.node) is not None:
                raise self.tracer.refused(
                    f"`{path}` carries a tangent",
                    "compile the whole, such as compile(lambda x, v: jvp(f, x, v))",
                )
            if hooks_of(x.node):
                raise self.tracer.refused(
                    f"`{path}` has a hook", "do what it does to the gradient returned"
                )
            if x.node is not None:
                origins, nodes = self.tracer.origins, topological_order(x.node)
                origins.note_node(x.node, array)
                origins.behind.update(id(n) for n in nodes if n.edges)
                self.behind += [n for n in nodes if n is not x.node or n.edges]
        return array

    def run(self, function: Callable[..., Any]) -> Graph:
        """Run the function, and return the recorded graph.

        Raises:
            Refused: if it can't be compiled. Everything is restored.
        """
        tracer, around = self.tracer, Snapshot(self.captures, self.tensors, self.behind)
        objects = [*self.call.objects, *self.leaves, *[k.found for k in self.captures]]
        states = [(g, drawn_from(g)) for g in objects if isinstance(g, GENERATORS)]
        try:
            for t in self.tensors:
                t._array, t._storage = self.arrays[id(t)], None  # type: ignore[assignment]
            before = [(k, Shown.of(mirror)) for k, mirror in self.mirrors]
            arguments = tuple(held(self.given))
            for k, mirror in (*self.mirrors, *self.appended):
                if mirror is not k.found:
                    k.put(mirror)
            with tracer.making():
                with self.watched(), listening(tracer), traced_math():
                    out = function(*self.given[0], **self.given[1])
                same = same_keys(tuple(held(self.given)), arguments)
                self.check(around, same)
                outputs = self.outputs(out, around, before, objects)
        except Exception as error:
            if tracer.refusal is None or isinstance(error, Refused):
                raise
            raise tracer.refusal from error  # it was caught
        finally:
            for owner, numbers, _ in tracer.kept:
                np.copyto(owner.array, numbers)
            around.restore()
            for extra, total in self.unseen.values():
                extra.total = total
            tracer.open = False
            tracer.origins.nodes.clear()
            own = self.generators
            drawn = [g for g, s in states if drawn_from(g) != s and id(g) not in own]
            for g, (state, _) in states:
                set_state(g, state)
        if around.reached or tracer.origins.beyond:
            raise tracer.refused(
                "its backward pass goes on in the graph of an argument",
                "give it t.detach(), or make that inside the function",
            )
        if drawn:
            raise tracer.refused(
                f"it draws random numbers, from {drawn[0]!r:.60}",
                "they would be the same at every call; draw them outside, and pass "
                "them as an argument",
            )
        self.kept = {value for _, _, value in tracer.kept}
        tracer.constants.clear()
        self.arrays.clear()
        gradients = [k for k in self.captures if k.way is GRADIENT]
        unread = {id(k) for k in gradients if id(k.holder.found) not in self.asked}
        self.captures = [k for k in self.captures if id(k) not in unread]
        self.inputs = [(v, k) for v, k in self.inputs if id(k) not in unread]
        given = tuple(dict.fromkeys(value for value, _ in self.inputs))
        return Graph(given, tuple(tracer.calls), outputs)

    def outputs(
        self, out: Any, around: Snapshot, before: Any, objects: list[Any]
    ) -> tuple[Value, ...]:
        """Return the values of results and writes; of a function that speaks, none."""
        tracer = self.tracer
        self.of_tensors = bool(self.tensors or tracer.origins.nodes)
        self.writes: list[Any] = []
        if tracer.spoken:
            self.results = Results(tracer, (), objects)
            return ()
        for number in tracer.shown:
            number.asked()
        writes = Writes(tracer, around, self.arrays, before, self.appended)
        writes.find(not self.last, self.containers)
        self.writes, self.wanted = writes.found, writes.wanted
        self.grown = writes.grown
        whole = (out, writes.values) if self.writes else out
        last = [g.last for g in self.generators.values() if g.draws]
        self.results = Results(tracer, whole, objects, len(last))
        return (*self.results.values, *last)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Note the source lines of this thread's nodes, and reads of `grad`."""
        thread, origins = get_ident(), self.tracer.origins

        def watch(t: Tensor) -> None:
            if get_ident() == thread:
                origins.made(t)
                for p in parents_of(t.node):
                    if type(p.extra) is LeafExtras:  # perhaps of a tensor in a cache
                        self.unseen.setdefault(id(p.extra), (p.extra, p.extra.total))

        watchers.append(watch)
        extras = {id(t): t.node.extra for t in self.tensors if t.node is not None}
        leaves = {i: e for i, e in extras.items() if type(e) is LeafExtras}
        for e in leaves.values():
            e.__class__ = Asked
        try:
            yield
        finally:
            watchers.remove(watch)
            for e in leaves.values():
                e.__class__ = LeafExtras
            self.asked = {i for i, e in leaves.items() if vars(e).pop("asked", False)}

    def check(self, around: Snapshot, same: bool) -> None:
        """Refuse what can only be detected after the run.

        Raises:
            Refused: if the function caught a refusal or another error, has read the
                `grad` of an argument, or has changed arguments or which tensors
                require gradients.
        """
        tracer = self.tracer
        if tracer.refusal is not None:
            raise tracer.refusal
        if tracer.failed is not None:
            raise tracer.refused(
                f"it goes on after an error, {tracer.failed!r:.60}",
                "whether there is one depends on the numbers; let it come out",
            )
        for g in self.generators.values():
            g.check()
        for k, x in self.appended:
            if x.is_read:
                raise tracer.refused(
                    f"it reads {k.name}, to which it appends",
                    "keep what it reads in a variable of its own",
                )
        if self.asked & self.of_arguments:
            raise tracer.refused(
                "it reads the `grad` of an argument", "pass that as an argument too"
            )
        if not same:
            raise tracer.refused(
                "it changes a list, a dictionary or an object that it is given",
                "return the new value instead",
            )
        changed = around.changed()
        if changed:
            raise tracer.refused(changed, "do that outside of it")


def parents_of(node: Any) -> Iterator[Node]:
    """Yield the nodes that a node was made from."""
    for parents, _, _ in node.edges or ():
        for p in parents if type(parents) is tuple else (parents,):
            if p is not None:
                yield p


class Listener:
    """Stands for `sys.stdout`, and notes what recording threads print to it.

    Attributes:
        out: what it stands for, to which other threads write.
        tracers: the tracer of each recording thread.
    """

    def __init__(self, out: Any) -> None:
        self.out, self.tracers = out, dict[int, StrictTracer]()

    def write(self, text: str) -> Any:
        """Note that the function prints, or pass on what another thread does."""
        tracer = self.tracers.get(get_ident())
        if tracer is None:
            return self.out.write(text)
        tracer.speaks("prints")
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.out, name)


@contextmanager
def listening(tracer: StrictTracer) -> Iterator[None]:
    """Note prints of this thread, which the function repeats when it runs itself."""
    with LOCK:
        if type(sys.stdout) is not Listener:
            sys.stdout = cast(Any, Listener(sys.stdout))
        listener: Any = sys.stdout
        listener.tracers[tracer.thread] = tracer
    try:
        yield
    finally:
        with LOCK:
            del listener.tracers[tracer.thread]
            if not listener.tracers and sys.stdout is listener:
                sys.stdout = listener.out


def drawn_from(generator: Any) -> tuple[bytes, int]:
    """Return a generator's state, and how many children it has spawned."""
    bits = getattr(generator, "bit_generator", generator)
    spawned = getattr(getattr(bits, "seed_seq", None), "n_children_spawned", 0)
    return state_of(generator), int(spawned)
