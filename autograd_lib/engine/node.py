"""The graph behind tensors: nodes, and edges that carry rules (chapter 12).

In `Value` an edge is a parent and the slope with respect to it, a number. Here it is
``(parent, rule, saved)``: the same number become a linear map. The rule is a function
``rule(gradient, saved)`` at the top of some module, a vector-Jacobian product (VJP);
what is saved is what that function needs of the calculation. A node keeps no data, so
nothing stays alive but what was saved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np

Rule: TypeAlias = Callable[[Any, Any], Any]
Edge: TypeAlias = tuple[Any, Rule, Any]


class Node:
    """What a tensor was made from.

    Attributes:
        edges: for each input that needs a gradient ``(its node, rule, saved)``. Where
            one rule makes the gradients of several inputs, its edge has a tuple of
            their nodes, with None for inputs that need none. Empty for a leaf, None
            where a backward pass has used it up.
        shape: that of the tensor.
        version: the time of the clock of writes when the node was made; what it saved
            must have no later version (see `versions`).
        operation: NumPy's function that calculated the tensor, for messages, or None.
        extra: what sets the node apart, or None. All nodes are of one class, for which
            Python's inner loop is fastest.

    The other attributes are scratch of the pass that `stamp` stands for.
    """

    __slots__ = (
        "__weakref__",
        "edges",
        "extra",
        "grad",
        "operation",
        "pending",
        "shape",
        "stamp",
        "version",
    )

    edges: tuple[Edge, ...] | None
    extra: NodeExtras | None
    grad: Any
    operation: Any
    shape: tuple[int, ...] | None
    stamp: object
    version: int
    pending: int

    # Without an __init__, whose call would be a tenth of a small operation's time.

    @property
    def parents(self) -> tuple[Node, ...]:
        """The nodes that the edges lead to."""
        if self.extra is None:  # then no edge leads to several, see `JointEdge`
            return tuple([p for p, _, _ in self.edges or ()])
        return tuple(p for p, _, _ in single_edges(self))

    @property
    def label(self) -> str:
        """The rules of its edges, and its shape."""
        shape = "with several outputs" if self.shape is None else self.shape
        if self.edges is None:
            return f"freed {shape}"
        names = ", ".join(dict.fromkeys(name_of(rule) for _, rule, _ in self.edges))
        return f"{names or 'leaf'} {shape}"

    def register_prehook(self, hook: Callable[..., Any]) -> Handle:
        """Call ``hook(gradient)`` before this node's rules; it may return another.

        Raises:
            RuntimeError: if the node stands for an operation with several outputs.
            TypeError: if its gradient is complex, or that of an input.
        """
        refuse_complex_hooks("register_prehook", self)
        if self.shape is None:
            raise RuntimeError(
                "register_prehook: this node has a gradient for each of several "
                "outputs; register the hook on the outputs themselves"
            )
        return Handle(extra_of(self).prehooks, hook)

    def register_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call ``hook(input_gradients, gradient)`` after this node's rules.

        It gets what the rules returned, one for each of `parents`, and may return a
        tuple of others in their place.

        Raises:
            RuntimeError: if this is the node of a leaf, which has no rules.
            TypeError: if its gradient is complex, or that of an input.
        """
        refuse_complex_hooks("register_hook", self)
        if self.edges == ():
            raise RuntimeError(
                "register_hook: this is the node of a leaf, which has no rules; use "
                "the leaf's own register_hook"
            )
        return Handle(extra_of(self).posthooks, hook)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.label}>"


class NodeExtras:
    """What sets a node apart, if anything does.

    A later chapter gives this class attributes of its own, with what they are where
    nothing is kept: ``setattr(NodeExtras, "dual", None)``.

    Attributes:
        tensor_hooks: hooks that see the complete gradient of the node's tensor.
        prehooks: hooks of the node, called before its rules.
        posthooks: hooks of the node, called after its rules.
        collects: whether backward passes add to `total`: in a leaf, and where
            `retain_grad` asked for it.
        total: what they have added up, a tensor, or None before the first.
        dtype: that of the tensor and of its gradient, if a hook or a sum needs it.
        complex: whether the tensor is of complex numbers; its node has `dtype` then.
    """

    def __init__(self) -> None:
        self.tensor_hooks: dict[int, Callable[..., Any]] = {}
        self.prehooks: dict[int, Callable[..., Any]] = {}
        self.posthooks: dict[int, Callable[..., Any]] = {}
        self.collects = False
        self.total: Any = None
        self.dtype: np.dtype[Any] | None = None
        self.complex = False


class LeafExtras(NodeExtras):
    """What the node of a leaf has: here a graph begins, and gradients are collected.

    Attributes:
        open: whether a transform is running a function that has it as an argument
            (chapter 21), and asks for the gradient of this very leaf.
    """

    open = False

    def __init__(self, dtype: np.dtype[Any]) -> None:
        super().__init__()
        self.collects = True
        self.dtype = dtype
        self.complex = dtype.kind == "c"


class JointEdge(NodeExtras):
    """Says that the node's one edge leads to several nodes: one rule for all of them.

    Attributes:
        outputs: shape and type of each output, where there are several. Each output's
            node has an edge to this one, whose gradient is a list with one entry for
            each output, None where none has come.
    """

    def __init__(self) -> None:
        super().__init__()
        self.outputs: list[tuple[tuple[int, ...], np.dtype[Any]]] = []


def leads_back(node: Node | None) -> bool:
    """Return whether a node leads on to others, or is a leaf, or collects a gradient.

    A node that only carries a tangent does none of these (chapter 22).
    """
    if node is None or node.edges != ():
        return node is not None
    extra = node.extra
    return extra is not None and (extra.collects or isinstance(extra, LeafExtras))


carriers: list[Callable[[Node], bool]] = []
"""Say whether a node's tensor carries something that goes with it (chapter 22)."""


def carries(node: Node | None) -> bool:
    """Return whether a tensor carries more than what its edges lead to: a tangent."""
    return node is not None and any(carrier(node) for carrier in carriers)


def new_node(
    edges: tuple[Edge, ...],
    shape: tuple[int, ...] | None,
    version: int,
    extra: NodeExtras | None = None,
) -> Node:
    """Return a node with all that a node has."""
    node = Node()
    node.edges = edges
    node.shape = shape
    node.version = version
    node.operation = None
    node.stamp = None
    node.extra = extra
    return node


class Clock:
    """Counts what may change what nodes have saved: writes into memory (chapter 17)."""

    __slots__ = ("now",)

    def __init__(self) -> None:
        self.now = 0


clock = Clock()


class Handle:
    """What registering a hook returns: `remove` takes the hook away."""

    _next = 0

    def __init__(self, hooks: dict[int, Callable[..., Any]], hook: Any) -> None:
        if not callable(hook):
            raise TypeError(f"register_hook: a hook is a function, got {hook!r}")
        Handle._next += 1
        self._key, self._hooks = Handle._next, hooks
        hooks[self._key] = hook

    def remove(self) -> None:
        """Take the hook away; a second call does nothing."""
        self._hooks.pop(self._key, None)


def refuse_complex_hooks(function: str, node: Node) -> None:
    """Raise TypeError if a hook would see a complex gradient."""
    if any(v.extra is not None and v.extra.complex for v in (node, *node.parents)):
        raise TypeError(
            f"{function}: gradients of complex numbers are here in JAX's convention, "
            "the conjugate of PyTorch's, so hooks do not see them; register it on a "
            "real tensor, such as z.real"
        )


def extra_of(node: Node) -> NodeExtras:
    """Return the node's hooks, making a place for them."""
    if node.extra is None:
        node.extra = NodeExtras()
    return node.extra


def collect_in(new: Node | None, old: Node, hooks: bool = False) -> None:
    """Let a node take over what `retain_grad` asked of another.

    It is for the node that a tensor gets when it is written to. The tensor's hooks stay
    with the old one, which is about its numbers before the write; unless that was left,
    because somebody wrote into memory that the tensor shows. Then `hooks` is True.
    """
    if new is None or old.extra is None:
        return
    if hooks and old.extra.tensor_hooks:
        extra = extra_of(new)
        extra.tensor_hooks, old.extra.tensor_hooks = old.extra.tensor_hooks, {}
        extra.dtype = old.extra.dtype
    if old.extra.collects:
        extra = extra_of(new)
        extra.collects, old.extra.collects = True, False
        extra.dtype, extra.total = old.extra.dtype, old.extra.total


def dead_ref() -> None:
    """Stand for a weak reference where there is nothing to refer to."""


class SavedOutput:
    """The node's own output, saved. A tensor here would lead back to the node.

    Attributes:
        array: the output.
    """

    __slots__ = ("_array",)

    def __init__(self, array: np.ndarray) -> None:
        self._array = array

    array = property(lambda self: self._array)


class Saved:
    """Several things saved for one rule, which gets them as a tuple."""

    __slots__ = ("items",)

    def __init__(self, *items: Any) -> None:
        self.items = items


def single_edges(node: Node) -> Iterator[Edge]:
    """Yield the edges of a node, an edge to several nodes as one to each."""
    for parent, rule, saved in node.edges or ():
        for p in parent if type(parent) is tuple else (parent,):
            if p is not None:
                yield p, rule, saved


def name_of(rule: Callable[..., Any]) -> str:
    """Return a rule's name for messages and drawings."""
    return getattr(rule, "__qualname__", None) or repr(rule)
