"""The graph behind tensors: nodes, and edges that carry rules (chapter 09).

In `Value` an edge is a parent and the slope with respect to it, a number. Here it is
``(parent, rule, saved)``: the slope has become a linear map. The rule is a module-level
function ``rule(gradient, saved)``, a vector-Jacobian product (VJP); `saved` is what it
needs from the calculation. A node keeps no data, so only what was saved stays alive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np

Rule: TypeAlias = Callable[[Any, Any], Any]
Edge: TypeAlias = tuple[Any, Rule, Any]


class Node:
    """The node of a tensor in the graph: the operation that made it.

    Attributes:
        edges: ``(its node, rule, saved)`` for each input that needs a gradient. If one
            rule makes the gradients of several inputs, its edge has a tuple of their
            nodes, with None for inputs that need none. Empty for a leaf, None after a
            backward pass has freed it.
        shape: the shape of the tensor, or None for an operation with several outputs.
        version: the clock of writes when the node was made; nothing that it saved may
            have a later version (see `versions`).
        operation: NumPy's function that calculated the tensor, for messages, or None.
        extra: what only some nodes have (`NodeExtras`), or None. All nodes are of one
            class, for which Python's inner loop is fastest.

    The other attributes are scratch space of the pass with this `stamp`.
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

    # Set by `leaves` (chapter 13).
    register_hook: Callable[[Callable[..., Any]], Any]
    register_prehook: Callable[[Callable[..., Any]], Any]

    # No __init__: its call would take a tenth of a small operation's time.

    @property
    def parents(self) -> tuple[Node, ...]:
        """The nodes that the edges lead to."""
        if self.extra is None:  # then no edge leads to several, see `joint`
            return tuple([p for p, _, _ in self.edges or ()])
        return tuple(p for p, _, _ in single_edges(self))

    @property
    def label(self) -> str:
        """The names of the edges' rules, and the shape."""
        shape = "with several outputs" if self.shape is None else self.shape
        if self.edges is None:
            return f"freed {shape}"
        names = ", ".join(dict.fromkeys(name_of(rule) for _, rule, _ in self.edges))
        return f"{names or 'leaf'} {shape}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.label}>"


class NodeExtras:
    """Attributes that only some nodes need.

    A later chapter adds attributes of its own to the class, with their default values:
    ``setattr(NodeExtras, "dual", None)``.

    Attributes:
        collects: whether backward passes add to `total`: true for a leaf, and where
            `retain_grad` asked for it.
        total: the sum of the gradients so far, a tensor, or None before the first pass.
        dtype: the type of the tensor and of its gradient, if something needs it.
        kind: the handler for numbers that are not real (from `KINDS`), or None.
        turn: for a node whose rule communicates, its number in the order of recording:
            such rules are called latest first, after all others that are ready.
        visit: called as ``visit(node, gradient, walk)`` with a complete gradient,
            instead of `walk.note`; returns the gradient or a replacement.
        send: called as ``send(walk, node, gradient, edges)`` instead of the loop over
            edges.
        add: called as ``add(node, gradient)`` instead of a sum, for the node of several
            outputs, which has no shape.
    """

    collects = False
    total: Any = None
    dtype: np.dtype[Any] | None = None
    kind: Any = None
    turn = 0
    visit: Callable[[Any, Any, Any], Any] | None = None
    send: Callable[[Any, Any, Any, Any], None] | None = None
    add: Callable[[Any, Any], Any]


KINDS: dict[str, Any] = {}
"""Handlers of numbers that are not real, by ``dtype.kind`` (chapter 19)."""


def refuse_kinds(function: str, types: Iterable[Any]) -> None:
    """Raise TypeError if one of the types isn't real."""
    for dtype in types:
        if dtype.kind in KINDS:
            KINDS[dtype.kind].refuse(function)


class LeafExtras(NodeExtras):
    """Extras of a leaf's node, where paths end and gradients are collected."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.collects, self.dtype = True, dtype
        self.kind = KINDS.get(dtype.kind)


def leads_back(node: Node | None) -> bool:
    """Return whether a node has or had edges, is a leaf, or collects a gradient.

    False for a node that only carries a tangent (chapter 19).
    """
    if node is None or node.edges != ():
        return node is not None
    extra = node.extra
    return extra is not None and (extra.collects or isinstance(extra, LeafExtras))


def new_node(
    edges: tuple[Edge, ...],
    shape: tuple[int, ...] | None,
    version: int,
    extra: NodeExtras | None = None,
) -> Node:
    """Return a node with all of its attributes set."""
    node = Node()
    node.edges = edges
    node.shape = shape
    node.version = version
    node.operation = None
    node.stamp = None
    node.extra = extra
    return node


class Clock:
    """Counts writes into memory, which may change saved arrays (chapter 14)."""

    __slots__ = ("now",)

    def __init__(self) -> None:
        self.now = 0


clock = Clock()


class SavedOutput:
    """Stands for the node's own output, where a tensor would make a reference cycle.

    Attributes:
        array: the output.
    """

    __slots__ = ("_array",)

    def __init__(self, array: np.ndarray) -> None:
        self._array = array

    array = property(lambda self: self._array)


class Saved:
    """Several saved values for one rule, which gets them as a tuple."""

    __slots__ = ("items",)

    def __init__(self, *items: Any) -> None:
        self.items = items


def single_edges(node: Node) -> Iterator[Edge]:
    """Yield a node's edges, an edge to several nodes as one edge for each."""
    for parent, rule, saved in node.edges or ():
        for p in parent if type(parent) is tuple else (parent,):
            if p is not None:
                yield p, rule, saved


def name_of(rule: Callable[..., Any]) -> str:
    """Return a rule's name for messages and drawings."""
    return getattr(rule, "__qualname__", None) or repr(rule)
