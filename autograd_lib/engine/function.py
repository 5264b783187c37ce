"""Operations that users define, with PyTorch's `Function` interface (chapter 10).

`forward` calculates and saves; `backward` returns the gradients of all inputs at
once. In the graph it is one edge that leads to several nodes.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.joint import JointEdge, shown
from autograd_lib.engine.numpy.coercion import memory_of
from autograd_lib.engine.tape.mode import is_recording, recording
from autograd_lib.engine.tape.node import (
    Node,
    NodeExtras,
    Rule,
    SavedOutput,
    clock,
    new_node,
)
from autograd_lib.engine.tape.record import special, watchers
from autograd_lib.engine.tape.tensor import Tensor, constant, read_only


def dead_ref() -> None:
    """Return None, like a weak reference whose object is gone."""


class Own(SavedOutput):
    """Stands for an output of a `Function` in what its context keeps.

    Attributes:
        index: which of the outputs.
    """

    __slots__ = ("index",)

    def __init__(self, array: np.ndarray, index: int) -> None:
        super().__init__(array)
        self.index = index


GIVEN = 6  # attributes that a context has before `forward` sets others


class Context:
    """Carries saved values from `forward` to `backward`; any attribute may be set.

    When `backward` is differentiated, the inputs and outputs of `forward` have their
    places in the graph, whether they are saved or are attributes, also within lists,
    tuples and dictionaries. Other results of `forward` are constants then: keep the
    inputs, and recompute those results. (`gradgradcheck` notices.)

    Attributes:
        needs_input_grad: for each input, whether its gradient is needed.
    """

    def __init__(self, function: type[Function], needs: tuple[bool, ...]) -> None:
        self._function = function
        self._nodes: list[Any] = []  # weak references to the nodes of the outputs
        self._kept: dict[str, Any] = {}  # attributes in which there are outputs
        self.needs_input_grad = needs
        self.saved_items: tuple[Any, ...] = ()
        self.outputs: list[Tensor] = []  # set only while watchers are called

    def save_for_backward(self, *tensors: Tensor) -> None:
        """Save inputs or outputs; a later write into one of them will be noticed.

        Raises:
            TypeError: if an argument isn't a tensor.
        """
        for t in tensors:
            if not isinstance(t, Tensor):
                raise TypeError(
                    f"save_for_backward: saves tensors, got {type(t).__name__}; set "
                    "an attribute of the context instead"
                )
        self.saved_items = tensors

    @property
    def saved_tensors(self) -> tuple[Tensor, ...]:
        """The saved tensors, each with its place in the graph."""
        return tuple(map(self._restored, self.saved_items))

    def __getattr__(self, name: str) -> Any:
        kept = vars(self).get("_kept", {})  # a copy that is being made has none
        if name not in kept:
            raise AttributeError(
                f"the context of a Function has no attribute {name!r}; forward sets "
                "those that backward reads"
            )
        return mapped(kept[name], self._restored)

    def _restored(self, x: Any) -> Any:
        """Return an output as a tensor with its node, and anything else unchanged."""
        if type(x) is not Own:
            return x
        own = constant(x.array)
        if is_recording():
            joint, node = self._nodes[-1](), self._nodes[x.index]()
            if node is None and joint is not None:  # the output itself is gone
                node = output_node(joint, x.index)
            own.node = node
        return read_only(own)

    def _replace(self, made: list[Tensor], outputs: list[Tensor]) -> None:
        """Put `Own` in place of the outputs, which would make a reference cycle."""
        places = {id(y): i for i, y in enumerate(made) if y.node is None}

        def own(x: Any) -> Any:
            i = places.get(id(x))
            return x if i is None else Own(outputs[i]._array, i)

        self.saved_items = tuple(map(own, self.saved_items))
        for name, value in list(vars(self).items())[GIVEN:]:
            found: list[Any] = []
            mapped(value, found.append)
            if any(id(x) in places for x in found):
                self._kept[name] = mapped(value, own)
                delattr(self, name)


def mapped(x: Any, change: Callable[[Any], Any]) -> Any:
    """Return a value with each item of its tuples, lists and dictionaries changed."""
    kind = type(x)
    if kind is tuple or kind is list:
        return kind([mapped(item, change) for item in x])
    if kind is dict:
        return {key: mapped(item, change) for key, item in x.items()}
    return change(x)


class Function:
    """A base class; a subclass has static methods `forward` and `backward`.

    ``forward(ctx, *inputs)`` gets the arguments of `apply`, tensors or not, and
    returns a tensor or a tuple of tensors; it must not write into inputs that need a
    gradient. ``backward(ctx, *gradients)`` gets a tensor
    for each output and returns one for each input of `forward`, or None.

    >>> class Cube(Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x * x
    ...     @staticmethod
    ...     def backward(ctx, gradient):
    ...         (x,) = ctx.saved_tensors
    ...         return gradient * 3 * x * x
    >>> t = Tensor(2.0, requires_grad=True)
    >>> Cube.apply(t).backward()
    >>> t.grad
    Tensor(12.)
    """

    _rule: Rule

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)

        def rule(g: Any, ctx: Context) -> tuple[Any, ...]:
            return call_backward(g, ctx)

        rule.__qualname__ = f"{cls.__name__}.backward"  # as errors and graphs show it
        rule.__module__ = cls.__module__
        cls._rule = rule

    @staticmethod
    def forward(ctx: Context, *inputs: Any) -> Any:
        """Calculate the outputs."""
        raise NotImplementedError("a Function needs a static method `forward`")

    @staticmethod
    def backward(ctx: Context, *gradients: Tensor) -> Any:
        """Return the gradient with respect to each input."""
        raise NotImplementedError("a Function needs a static method `backward`")

    @staticmethod
    def jvp(ctx: Context, *tangents: Tensor | None) -> Any:
        """Return the tangent of each output, for forward mode (chapter 19).

        It gets the tangent of each input of `forward`, or None if the input has none.
        It uses `ctx` as `backward` does.
        """
        name = ctx._function.__name__
        raise NotImplementedError(
            f"jvp: {name} does not say what it does to a tangent; give it a static "
            "method jvp(ctx, *tangents), which gets the tangent of each input, or "
            "None, and returns that of each output"
        )

    @classmethod
    def apply(cls, *inputs: Any) -> Any:
        """Call `forward`, and record that `backward` is its rule.

        Raises:
            TypeError: if `forward` returns anything but tensors, or an input or an
                output is complex and needs a gradient.
            ValueError: if `forward` writes into an input that needs a gradient.
        """
        nodes = tuple(x.node if isinstance(x, Tensor) else None for x in inputs)
        needs = tuple(n is not None for n in nodes)
        ctx = Context(cls, needs)
        with recording(False):
            returned = cls.forward(ctx, *map(guarded, inputs))
        several = isinstance(returned, tuple)
        made = list(returned) if several else [returned]
        for y in made:
            if not isinstance(y, Tensor):
                raise TypeError(
                    f"{cls.__name__}.forward returned {type(y).__name__}; return a "
                    "tensor, or a tuple of tensors"
                )
        # An output has its own array, so that a write into it doesn't change an input.
        shown = [t for t in (*inputs, *made) if isinstance(t, Tensor)]
        outputs = [
            constant(y._array.copy() if is_shared(y, shown) else y._array) for y in made
        ]
        if is_recording() and any(needs):
            cls._record(ctx, nodes, made, outputs, several)
        return tuple(outputs) if several else outputs[0]

    @classmethod
    def _record(
        cls, ctx: Context, nodes: Any, made: Any, outputs: Any, several: bool
    ) -> None:
        edges = tuple((n, cls._rule, ctx) for n in nodes if n is not None)
        for y in outputs:
            special(y._array, edges, cls)  # raises for complex numbers
        lasting = [y.dtype.kind == "f" for y in outputs]
        connect(ctx, nodes, outputs, lasting, several)
        ctx._replace(made, outputs)
        show(ctx, outputs)


def guarded(x: Any) -> Any:
    """Return an input as `forward` gets it: read-only, if the graph relies on it."""
    if isinstance(x, Tensor) and (x.node is not None or hasattr(x, "_lender")):
        return read_only(x)
    return x


def connect(
    ctx: Context, nodes: Any, outputs: list[Tensor], lasting: list[bool], several: bool
) -> None:
    """Give the outputs of a function nodes, with one edge to the nodes of all inputs.

    Args:
        ctx: the context that `forward` has filled.
        nodes: the nodes of the inputs.
        outputs: tensors without nodes so far.
        lasting: which of them get a node.
        several: whether `forward` returned a tuple.
    """
    extra, shape = JointEdge(), None if several else outputs[0].shape
    joint = new_node(((nodes, ctx._function._rule, ctx),), shape, clock.now, extra)
    if several:
        extra.outputs = [(y.shape, y.dtype) for y in outputs]
    for i, y in enumerate(outputs):
        if lasting[i]:
            y.node = output_node(joint, i) if several else joint
    made = [y.node for y in outputs]
    ctx._nodes = [dead_ref if n is None else weakref.ref(n) for n in (*made, joint)]


def show(ctx: Context, outputs: list[Tensor]) -> None:
    """Show the outputs to the watchers of recorded tensors."""
    if watchers:
        ctx.outputs = outputs
        for watch in watchers:
            for y in outputs:
                if y.node is not None:
                    watch(y)
        ctx.outputs = []


def is_shared(y: Tensor, tensors: list[Tensor]) -> bool:
    """Return whether y's array is a view, or shares its memory with other tensors."""
    memory = memory_of(y._array)
    others = [t for t in tensors if memory_of(t._array) is memory]
    return memory is not y._array or len(others) > 1


def output_node(joint: Node, i: int) -> Node:
    """Return a node for one of several outputs."""
    shape = joint.extra.outputs[i][0]  # type: ignore[union-attr]
    return new_node(((joint, into_place, i),), shape, joint.version, NodeExtras())


def into_place(g: Any, i: int) -> tuple[int, Any]:
    """Return a gradient with the index of the output that it belongs to."""
    return i, g


def call_backward(g: Any, ctx: Context) -> tuple[Any, ...]:
    """Call the function's own `backward` and return its gradients.

    It gets read-only tensors, since other nodes may share the arrays.
    """
    given = g if isinstance(g, list) else [g]
    recorded = any(isinstance(x, Tensor) for x in given)
    gradients = [shown(x, recorded) for x in given]
    returned = ctx._function.backward(ctx, *gradients)
    results = returned if isinstance(returned, tuple) else (returned,)
    if recorded:
        return results
    return tuple(d._array if isinstance(d, Tensor) else d for d in results)


def call_jvp(
    ctx: Context, tangents: list[Tensor | None], outputs: list[Tensor]
) -> list[Tensor]:
    """Call the function's own `jvp` and return the tangents of its outputs.

    Raises:
        RuntimeError: if it doesn't return, for each output, None or a tensor of the
            right shape.
    """
    given = [d if d is None else read_only(d) for d in tangents]
    returned = ctx._function.jvp(ctx, *given)
    found = returned if isinstance(returned, tuple) else (returned,)
    got = [getattr(d, "shape", d) for d in found]
    if len(found) != len(outputs) or any(
        d is not None and (not isinstance(d, Tensor) or d.shape != y.shape)
        for d, y in zip(found, outputs, strict=False)
    ):
        raise RuntimeError(
            f"jvp: {ctx._function.__name__}.jvp must return a tensor of each output's "
            f"shape, {[y.shape for y in outputs]}, or None; got {got!r:.80}"
        )
    return [
        constant(numpy().zeros(y.shape, y.dtype)) if d is None else d
        for d, y in zip(found, outputs, strict=True)
    ]
