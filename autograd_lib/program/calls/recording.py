"""One run of a function in which it is recorded (chapter 24).

For this run the tensors that it is given, and those that it finds by itself, hold
recorded arrays. Afterwards everything is as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from threading import get_ident
from typing import Any

import numpy as np

from autograd_lib.checkpointing.surroundings import GENERATORS, set_state, state_of
from autograd_lib.engine.forward.levels import dual_of
from autograd_lib.engine.tape.node import LeafExtras
from autograd_lib.engine.tape.record import watchers
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.functional import tree
from autograd_lib.program.calls.captured import Capture, gradient
from autograd_lib.program.calls.held import Held
from autograd_lib.program.calls.results import ARRAYS, Results
from autograd_lib.program.calls.signature import Signature, hooks_of
from autograd_lib.program.core.answers import Refused, Tracer
from autograd_lib.program.core.array import TracedArray
from autograd_lib.program.core.graph import Graph, Value
from autograd_lib.program.core.naming import leaf_name
from autograd_lib.program.core.numpy_names import names_replaced

asked: set[int] = set()
"""The ids of the extras of leaves whose `grad` was read while they were recorded."""


class Asked(LeafExtras):
    """What the node of a leaf has, while it is noted whether its `grad` is read."""

    __slots__ = ()

    @property
    def total(self) -> Any:
        """What backward passes have added up."""
        asked.add(id(self))
        return vars(self).get("total")

    @total.setter
    def total(self, total: Any) -> None:
        vars(self)["total"] = total


class Recording:
    """Records a function.

    Args:
        name: that of the function.
        signature: what it is called with.
        named: the leaves of that, by name, and constants.
        captures: what else it uses.
    """

    def __init__(
        self,
        name: str,
        signature: Signature,
        named: list[tuple[str, Any]],
        captures: list[Capture],
    ) -> None:
        self.tracer, self.signature = Tracer(name), signature
        self.captures = captures
        self.arrays: dict[int, TracedArray] = {}
        self.asked: set[int] = set()  # tensors whose `grad` was read, by id
        inputs = [(n, x) for n, x in named if isinstance(x, (Tensor, *ARRAYS))]
        inputs += [(k.name, k.value) for k in captures if type(k.value) is Tensor]
        self.tensors = [x for _, x in inputs if type(x) is Tensor]
        self.inputs = [self.add(x, path) for path, x in inputs]

    def add(self, x: Any, path: str) -> Value:
        """Make an input of a tensor or an array, and return its value."""
        tensor = type(x) is Tensor
        if id(x) in self.arrays:
            return self.arrays[id(x)].store.value
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
        array = self.tracer.input(x._array if tensor else x, name, f"`{path}`")
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
        return array.store.value

    def run(self, function: Callable[..., Any]) -> Graph:
        """Run the function, and return what was recorded.

        Raises:
            Refused: if it cannot be a program. Everything is as it was.
        """
        import_library()
        tracer, held = self.tracer, Held(self.captures, self.tensors)
        around = [
            *self.signature.objects,
            *[capture.value for capture in self.captures],
        ]
        generators = [g for g in around if isinstance(g, GENERATORS)]
        states = [(g, state_of(g), children_of(g)) for g in generators]
        try:
            for t in self.tensors:
                t._array = self.arrays[id(t)]  # type: ignore[assignment]
            with names_replaced(tracer), self.watched():
                args, kwargs = self.arguments()
                out = function(*args, **kwargs)
                self.check_errors()
                rebound = held.rebound()
                self.written = [k for k, _ in rebound]
                whole = (out, [t for _, t in rebound]) if rebound else out
                self.results = Results(tracer, whole, around)
                outputs = [self.output(x) for x in self.results.leaves]
                self.results.leaves.clear()
            self.check_kept(held)
        except Exception as error:
            if tracer.refusal is None or isinstance(error, Refused):
                raise
            raise tracer.refusal from error  # it was caught
        finally:
            held.restore()
            tracer.open = False
            tracer.origins.nodes.clear()
            now = [(g, state_of(g), children_of(g)) for g in generators]
            drawn = [a[0] for a, b in zip(now, states, strict=True) if a != b]
            for g, state, _ in states:
                set_state(g, state)
        self.check_drawn(drawn)
        self.without_unread_gradients()
        given = tuple(dict.fromkeys(self.inputs))
        tracer.constants.clear()
        self.arrays.clear()
        return Graph(given, tuple(tracer.calls), tuple(v for v in outputs if v))

    def without_unread_gradients(self) -> None:
        """Forget the `grad` of tensors that was not asked for."""
        n = len(self.signature.leaves)
        inputs, tensors = self.inputs[:n], iter(self.inputs[n:])
        captures = []
        for k in self.captures:
            v = next(tensors) if type(k.value) is Tensor else None
            if k.get is not gradient or id(k.holder.value) in self.asked:
                captures.append(k)
                inputs += [] if v is None else [v]
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

    def check_kept(self, held: Held) -> None:
        """Refuse a function that has changed something outside, or read a `grad`."""
        for t in self.tensors:
            now: Any = t._array
            if now is not self.arrays[id(t)]:
                raise self.tracer.refused(
                    f"it writes into the data of a tensor of shape {t.shape}",
                    "return the new values instead",
                )
        if self.asked & {id(x) for x in self.signature.leaves}:
            raise self.tracer.refused(
                "it reads the `grad` of an argument", "pass that as an argument too"
            )
        changed = held.changed()
        if changed:
            way = "return the new value instead"
            if "backward" in changed:
                way = "let functional.grad or value_and_grad return gradients"
            raise self.tracer.refused(changed, way)


def children_of(generator: Any) -> int:
    """Return how many generators were made of one by `spawn`."""
    bits = getattr(generator, "bit_generator", generator)
    return int(getattr(getattr(bits, "seed_seq", None), "n_children_spawned", 0))


@cache
def import_library() -> None:
    """Import what the library imports when it is asked for.

    A module that comes while something is recorded would have NumPy's own functions.
    """
    for name in ("forward", "data"):
        import_module(f"autograd_lib.{name}")
    for name in ("nn", "optim", "functional", "checkpointing"):
        package = import_module(f"autograd_lib.{name}")
        for module in iter_modules(package.__path__):
            import_module(f"{package.__name__}.{module.name}")
