"""One run of a function in which it is recorded (chapter 24).

For this run the tensors that it is given, and those that it finds by itself, hold
recorded arrays. Afterwards everything is as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import get_ident
from typing import Any

import numpy as np

from autograd_lib.checkpointing.surroundings import GENERATORS, set_state, state_of
from autograd_lib.engine.forward.levels import dual_of
from autograd_lib.engine.tape.node import LeafExtras
from autograd_lib.engine.tape.record import watchers
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.functional import tree
from autograd_lib.program.calls.draws import TracedGenerator
from autograd_lib.program.calls.given import NUMBERS, Given, is_given
from autograd_lib.program.calls.number import TracedNumber
from autograd_lib.program.calls.places import Capture, gradient
from autograd_lib.program.calls.results import ARRAYS, Results
from autograd_lib.program.calls.signature import Signature, hooks_of
from autograd_lib.program.calls.snapshot import Snapshot, put
from autograd_lib.program.calls.written import Write, Writes, shown
from autograd_lib.program.core.array import TracedArray
from autograd_lib.program.core.graph import Graph, Value
from autograd_lib.program.core.numpy_names import names_replaced
from autograd_lib.program.core.tracer import Refused, Tracer
from autograd_lib.program.words.naming import leaf_name

asked: set[int] = set()
"""The ids of the extras of leaves whose `grad` was read while they were recorded."""
set_here: set[int] = set()
"""Those whose `grad` was set before: what is read then is no input."""


class Asked(LeafExtras):
    """What the node of a leaf has, while it is noted whether its `grad` is read."""

    __slots__ = ()

    @property
    def total(self) -> Any:
        """What backward passes have added up."""
        if id(self) not in set_here:
            asked.add(id(self))
        return vars(self).get("total")

    @total.setter
    def total(self, total: Any) -> None:
        set_here.add(id(self))
        vars(self)["total"] = total


class Recording:
    """Records a function.

    Args:
        name: that of the function.
        signature: what it is called with.
        named: the leaves of that, by name, and constants.
        captures: what else it uses.
        pinned: the places whose numbers are constants, though they change.

    Attributes:
        writes: what the function writes outside of itself.
        wanted: the places that have to be given to it; then all is recorded anew.
        kept: the inputs that the function writes into.
    """

    def __init__(
        self,
        name: str,
        signature: Signature,
        named: list[tuple[str, Any]],
        captures: list[Capture],
        pinned: set[Any],
    ) -> None:
        self.tracer, self.signature = Tracer(name), signature
        self.captures, self.pinned = captures, pinned
        self.arrays: dict[int, TracedArray] = {}
        self.values: dict[int, Value] = {}
        self.generators: dict[int, TracedGenerator] = {}
        self.asked: set[int] = set()  # tensors whose `grad` was read, by id
        self.wanted: list[Capture] = []
        kinds = (Tensor, *ARRAYS, np.random.Generator)
        inputs = [(n, x) for n, x in named if isinstance(x, kinds)]
        self.inputs = [self.add(x, path, f"`{path}`") for path, x in inputs]
        given = [k for k in captures if k.given]
        leaves = [x for _, x in inputs] + Given(given).leaves
        self.tensors = [x for x in leaves if type(x) is Tensor]
        self.mirrors = [(k, self.mirror(k.value, k.name, k.place)) for k in given]

    def mirror(self, x: Any, name: str, place: Any) -> Any:
        """Return what stands for a tree that is given, and note its inputs."""
        kind = type(x)
        if kind is list or kind is tuple:
            items = [self.mirror(y, f"{name}[{i}]", place) for i, y in enumerate(x)]
            return kind(items)
        if kind is dict:
            return {key: self.mirror(x[key], f"{name}[{key!r}]", place) for key in x}
        if kind is Tensor or (isinstance(x, ARRAYS) and is_given(x)):
            self.inputs.append(self.add(x, name))
            return x if kind is Tensor else self.arrays[id(x)]
        if kind is np.random.Generator:
            self.inputs.append(self.add(x, name))
            return self.generators[id(x)]
        if kind in NUMBERS:
            number = self.tracer.given_number(x, name, place)
            self.inputs.append(number.value)
            return number
        return x

    def add(self, x: Any, path: str, why_not: str = "") -> Value:
        """Make an input of a tensor or an array, and return its value."""
        tensor = type(x) is Tensor
        if id(x) in self.values:
            return self.values[id(x)]
        if type(x) is np.random.Generator:
            made = self.generators[id(x)] = TracedGenerator(self.tracer, x, path)
            self.values[id(x)] = made.first
            return made.first
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
        head, _, _ = path.partition("[")
        name = leaf_name(head, path[len(head) :])
        array = self.tracer.input(x._array if tensor else x, name, why_not)
        self.arrays[id(x)] = array
        if tensor:
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
                self.tracer.origins.known(x.node, array)
        self.values[id(x)] = array.store.value
        return self.values[id(x)]

    def run(self, function: Callable[..., Any]) -> Graph:
        """Run the function, and return what was recorded.

        Raises:
            Refused: if it cannot be a program. Everything is as it was.
        """
        tracer, held = self.tracer, Snapshot(self.captures, self.tensors)
        around = [
            *self.signature.objects,
            *self.signature.leaves,
            *[capture.value for capture in self.captures],
        ]
        generators = [g for g in around if isinstance(g, GENERATORS)]
        states = [(g, state_of(g), children_of(g)) for g in generators]
        try:
            for t in self.tensors:
                t._array, t._storage = self.arrays[id(t)], None  # type: ignore[assignment]
            before = [(k, shown(mirror)) for k, mirror in self.mirrors]
            for k, mirror in self.mirrors:
                if mirror is not k.value:
                    put(k, mirror)
            with names_replaced(tracer):
                with self.watched():
                    args, kwargs = self.arguments()
                    out = function(*args, **kwargs)
                self.check_errors()
                self.check_kept(held)
                writes = Writes(tracer, self.arrays, before, self.pinned)
                self.writes: list[Write] = writes.find(self.tensors, held)
                self.wanted = writes.wanted
                whole = (out, [w.value for w in self.writes]) if self.writes else out
                last = [g.last for g in self.generators.values() if g.draws]
                self.results = Results(tracer, whole, around, len(last))
                outputs = [*map(self.output, self.results.leaves), *last]
                self.results.leaves.clear()
        except Exception as error:
            if tracer.refusal is None or isinstance(error, Refused):
                raise
            raise tracer.refusal from error  # it was caught
        finally:
            for owner, numbers, _ in tracer.kept:
                np.copyto(owner.array, numbers)
            held.restore()
            tracer.open = False
            tracer.origins.nodes.clear()
            now = [(g, state_of(g), children_of(g)) for g in generators]
            drawn = [a[0] for a, b in zip(now, states, strict=True) if a != b]
            drawn = [g for g in drawn if id(g) not in self.generators]
            for g, state, _ in states:
                set_state(g, state)
        self.check_drawn(drawn)
        self.without_unread_gradients()
        given = tuple(dict.fromkeys(self.inputs))
        self.kept = {value for _, _, value in tracer.kept}
        tracer.constants.clear()
        self.arrays.clear()
        return Graph(given, tuple(tracer.calls), tuple(v for v in outputs if v))

    def without_unread_gradients(self) -> None:
        """Forget the `grad` of tensors that was not asked for."""
        n = len(self.signature.leaves)
        inputs, tensors = self.inputs[:n], iter(self.inputs[n:])
        captures = []
        for k in self.captures:
            own = [next(tensors) for _ in Given([k]).leaves]
            if k.get is not gradient or id(k.holder.value) in self.asked:
                captures.append(k)
                inputs += own
        self.captures, self.inputs = captures, inputs

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Note where nodes come from, which this thread makes."""
        thread, origins = get_ident(), self.tracer.origins

        def watch(t: Tensor) -> None:
            if get_ident() == thread:
                origins.made(t)

        watchers.append(watch)
        leaves = [
            t for t in self.tensors if t.node and type(t.node.extra) is LeafExtras
        ]
        extras = [t.node.extra for t in leaves]  # type: ignore[union-attr]
        for e in extras:
            e.__class__ = Asked
            asked.discard(id(e))
            set_here.discard(id(e))
        try:
            yield
        finally:
            watchers.remove(watch)
            for t, e in zip(leaves, extras, strict=True):
                e.__class__ = LeafExtras
                if id(e) in asked:
                    self.asked.add(id(t))

    def arguments(self) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments with recorded arrays, but for those that are static."""
        signature = self.signature
        args = [
            x if i in signature.static else self.with_arrays(x)
            for i, x in enumerate(signature.args)
        ]
        kwargs = {
            key: x if key in signature.static else self.with_arrays(x)
            for key, x in signature.kwargs.items()
        }
        return args, kwargs

    def with_arrays(self, x: Any) -> Any:
        """Return a tree with recorded arrays in the place of arrays."""
        if isinstance(x, ARRAYS):
            return self.arrays[id(x)]
        if type(x) is np.random.Generator:
            return self.generators[id(x)]
        opened = None if tree.is_model(type(x)) else tree.taken_apart(x)
        if opened is None:
            return x
        parts = [self.with_arrays(part) for _, part in opened.items]
        same = all(a is b for a, (_, b) in zip(parts, opened.items, strict=True))
        same = same and not any(k in tree.REGISTERED for k in type(x).__mro__)
        return x if same else opened.build(parts)

    def output(self, x: Any) -> Value | None:
        """Return the value of a leaf that the function returned."""
        tracer = self.tracer
        if type(x) is TracedNumber:
            return x.value
        if type(x) is Tensor:
            x = x._array
        if type(x) is TracedArray or isinstance(x, ARRAYS):
            value: Value = tracer.value(
                np.asarray(x) if type(x) is not TracedArray else x
            )
            return value
        return None

    # Afterwards.

    def check_errors(self) -> None:
        """Refuse a function that went on after an error.

        Raises:
            Refused: the one that it caught, or one about NumPy's error.
        """
        tracer = self.tracer
        if tracer.refusal is not None:
            raise tracer.refusal
        if tracer.failed is not None:
            raise tracer.refused(
                f"it goes on after an error, {tracer.failed!r:.60}",
                "whether there is one depends on the numbers; let it come out",
            )

    def check_drawn(self, drawn: list[Any]) -> None:
        """Refuse a function that has drawn random numbers."""
        if drawn:
            raise self.tracer.refused(
                f"it draws random numbers, from {drawn[0]!r:.60}",
                "they would be the same at every call; draw them outside, and pass "
                "them as an argument",
            )

    def check_kept(self, held: Snapshot) -> None:
        """Refuse a function that has read a `grad`, or changed what has gradients."""
        for g in self.generators.values():
            g.check()
        if self.asked & {id(x) for x in self.signature.leaves}:
            raise self.tracer.refused(
                "it reads the `grad` of an argument", "pass that as an argument too"
            )
        changed = held.changed()
        if changed:
            raise self.tracer.refused(changed, "do that outside of it")


def without_unread(
    graph: Graph, inputs: list[Any], needed: set[Any]
) -> tuple[Graph, list[int]]:
    """Return the graph with only the inputs that it reads, and which ones these are.

    Those that are written into at the end are kept, too.
    """
    read = (
        needed
        | {v for call in graph.calls for v in call.operands()}
        | set(graph.outputs)
    )
    read = {u for v in read for u in v.bases()}
    numbers: dict[Any, int] = {}
    for i, v in enumerate(inputs):
        if v in read:
            numbers.setdefault(v, i)
    kept = Graph(tuple(numbers), graph.calls, graph.outputs, graph.memory)
    return kept, list(numbers.values())


def children_of(generator: Any) -> int:
    """Return how many generators were made of one by `spawn`."""
    bits = getattr(generator, "bit_generator", generator)
    return int(getattr(getattr(bits, "seed_seq", None), "n_children_spawned", 0))
