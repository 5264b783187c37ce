"""An operation of your own, in the form that PyTorch gave it (chapter 13).

`forward` calculates and saves; `backward` returns the gradients toward all inputs at
once. In the graph it is one edge that leads to several nodes.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from autograd_lib.buffer import clock
from autograd_lib.node import Extra, Joint, Node, Rule, new_node
from autograd_lib.recording import no_grad, switch
from autograd_lib.tensor import Tensor, constant


class Context:
    """What `forward` leaves for `backward`; it takes other attributes as well.

    Attributes:
        needs_input_grad: for each input, whether a gradient toward it is needed.
    """

    def __init__(self, function: type[Function], needs: tuple[bool, ...]) -> None:
        self._function = function
        self._node: Any = None
        self.needs_input_grad = needs
        self.saved_items: tuple[Tensor, ...] = ()
        self._places: dict[int, int] = {}  # which of these are outputs, and which ones
        self._constants: set[int] = set()

    def save_for_backward(self, *tensors: Tensor) -> None:
        """Save inputs or outputs; a later write into one of them will be noticed.

        Raises:
            TypeError: if something else is to be saved.
        """
        for t in tensors:
            if not isinstance(t, Tensor):
                raise TypeError(
                    f"save_for_backward: saves tensors, got {type(t).__name__}; set "
                    "an attribute of the context instead"
                )
        self.saved_items = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say that these outputs are constants."""
        self._constants |= {id(t) for t in tensors}

    @property
    def saved_tensors(self) -> tuple[Tensor, ...]:
        """What was saved, each as a tensor with its own history."""
        return tuple(self._restored(k, t) for k, t in enumerate(self.saved_items))

    def _restored(self, k: int, t: Tensor) -> Tensor:
        if k not in self._places:
            return t
        own = t.detach()
        node: Node | None = self._node()
        if node is not None and switch.on:
            i = self._places[k]
            own.node = node if node.shape is not None else output_node(node, i)
        return own


class Function:
    """A base class; a subclass has static methods `forward` and `backward`.

    ``forward(ctx, *inputs)`` gets tensors, or what else was given to `apply`, and
    returns a tensor or a tuple of tensors. ``backward(ctx, *gradients)`` gets a tensor
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
        """Return the gradient toward each input."""
        raise NotImplementedError("a Function needs a static method `backward`")

    @classmethod
    def apply(cls, *inputs: Any) -> Any:
        """Call `forward`, and record that `backward` is its rule.

        Raises:
            TypeError: if `forward` returns anything but tensors.
        """
        nodes = tuple(x.node if isinstance(x, Tensor) else None for x in inputs)
        needs = tuple(n is not None for n in nodes)
        ctx = Context(cls, needs)
        with no_grad():
            returned = cls.forward(ctx, *inputs)
        several = isinstance(returned, tuple)
        made = list(returned) if several else [returned]
        for y in made:
            if not isinstance(y, Tensor):
                raise TypeError(
                    f"{cls.__name__}.forward returned {type(y).__name__}; return a "
                    "tensor, or a tuple of tensors"
                )
        # An output has its own array, so that a write into it is a write into no input.
        shown = [*inputs, *made]
        outputs = [
            constant(y._data.copy() if in_use(y, shown) else y._data) for y in made
        ]
        if switch.on and any(needs):
            cls._record(ctx, nodes, made, outputs, several)
        return tuple(outputs) if several else outputs[0]

    @classmethod
    def _record(
        cls, ctx: Context, nodes: Any, made: Any, outputs: Any, several: bool
    ) -> None:
        places = {id(y): i for i, y in enumerate(made)}
        inputs_too = {id(t) for t in ctx.saved_items if t.node is not None}
        extra = Joint()
        shape = None if several else outputs[0].shape
        node = new_node(((nodes, cls._rule, ctx),), shape, clock.now, extra)
        ctx._node = weakref.ref(node)
        if several:
            extra.outputs = [(y.shape, y.dtype) for y in outputs]
        for i, (y, out) in enumerate(zip(made, outputs, strict=True)):
            if out.dtype.kind == "f" and id(y) not in ctx._constants:
                out.node = output_node(node, i) if several else node
        for k, t in enumerate(ctx.saved_items):
            if id(t) in places and id(t) not in inputs_too:
                ctx._places[k] = places[id(t)]
        ctx.saved_items = tuple(
            outputs[ctx._places[k]].detach() if k in ctx._places else t
            for k, t in enumerate(ctx.saved_items)
        )


def in_use(y: Tensor, tensors: list[Any]) -> bool:
    """Say whether other tensors, or several of those given, show the array of y."""
    shared = y._buffer is not None and len(y._buffer.sharers()) > 1
    return shared or sum(t is y for t in tensors) > 1


def output_node(joint: Node, i: int) -> Node:
    """Return a node for one of several outputs."""
    shape = joint.extra.outputs[i][0]  # type: ignore[union-attr]
    return new_node(((joint, into_place, i),), shape, joint.time, Extra())


def into_place(g: Any, i: int) -> tuple[int, Any]:
    """Say which of the outputs a gradient belongs to."""
    return i, g


def call_backward(g: Any, ctx: Context) -> tuple[Any, ...]:
    """Let the function's own `backward` make the gradients."""
    given = g if isinstance(g, list) else [g]
    recorded = any(isinstance(x, Tensor) for x in given)
    gradients = [x if isinstance(x, Tensor) else constant(np.asarray(x)) for x in given]
    returned = ctx._function.backward(ctx, *gradients)
    results = returned if isinstance(returned, tuple) else (returned,)
    if recorded:
        return results
    return tuple(d._data if isinstance(d, Tensor) else d for d in results)
