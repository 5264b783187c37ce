"""The graph behind tensors: nodes, and edges that carry rules (chapter 12).

In `Value` an edge is a parent and the slope with respect to it, a number. Here it is
``(parent, rule, saved)``: the same number become a linear map. The rule is a function
``rule(gradient, saved)`` at the top of some module, a vector-Jacobian product (VJP);
what is saved is what that function needs of the calculation. A node keeps no data, so
nothing stays alive but what was saved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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

    # `leaves` says how (chapter 16).
    register_hook: Callable[[Callable[..., Any]], Any]
    register_prehook: Callable[[Callable[..., Any]], Any]

    # Without an __init__, whose call would be a tenth of a small operation's time.

    @property
    def parents(self) -> tuple[Node, ...]:
        """The nodes that the edges lead to."""
        if self.extra is None:  # then no edge leads to several, see `joint`
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

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.label}>"


class NodeExtras:
    """What sets a node apart, if anything does.

    A later chapter gives this class attributes of its own, with what they are where
    nothing is kept: ``setattr(NodeExtras, "dual", None)``.

    Attributes:
        collects: whether backward passes add to `total`: in a leaf, and where
            `retain_grad` asked for it.
        total: what they have added up, a tensor, or None before the first.
        dtype: that of the tensor and of its gradient, if something needs it.
        kind: that of numbers which are not real, or None.
        visit: called as ``visit(node, gradient, walk)`` with a complete gradient, in
            the place of `walk.note`; returns it or another.
        send: called as ``send(walk, node, gradient, edges)`` in the place of the loop
            over edges.
        add: called as ``add(node, gradient)`` in the place of a sum, where there are
            several outputs, so that the node has no shape.
    """

    collects = False
    total: Any = None
    dtype: np.dtype[Any] | None = None
    kind: Any = None
    visit: Callable[[Any, Any, Any], Any] | None = None
    send: Callable[[Any, Any, Any, Any], None] | None = None
    add: Callable[[Any, Any], Any]


KINDS: dict[str, Any] = {}
"""Which class knows about numbers that are not real, by ``dtype.kind`` (chapter 22)."""


def refuse_kinds(function: str, types: Iterable[Any]) -> None:
    """Raise TypeError if one of these types is of a kind that a function is not for."""
    for dtype in types:
        if dtype.kind in KINDS:
            KINDS[dtype.kind].refuse(function)


class LeafExtras(NodeExtras):
    """What the node of a leaf has: here a graph begins, and gradients are collected."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.collects, self.dtype = True, dtype
        self.kind = KINDS.get(dtype.kind)


def leads_back(node: Node | None) -> bool:
    """Return whether a node leads on to others, or is a leaf, or collects a gradient.

    A node that only carries a tangent does none of these (chapter 22).
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
