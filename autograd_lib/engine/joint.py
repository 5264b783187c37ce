"""Edges that lead to several nodes: one rule for all of them (chapter 10).

An operation that a user defines has one rule, which returns the gradients of all
inputs. Its edge has a tuple of nodes instead of one node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.rules import SparseGradient
from autograd_lib.engine.tape.node import Edge, Node, NodeExtras, Rule, name_of
from autograd_lib.engine.tape.tensor import Tensor, constant, read_only
from autograd_lib.engine.tape.walk import Pass, fitted

Rows = list[list[Any]]
"""Pairs of a node that an edge leads to and the gradient that it gets."""


def send(
    walk: Pass,
    v: Node,
    g: Any,
    edges: tuple[Edge, ...],
    look: Callable[[Node, Any, Rows, bool], None] | None = None,
) -> None:
    """Pass a gradient on where an edge leads to several nodes, or posthooks wait.

    Args:
        walk: the pass.
        v: the node.
        g: its gradient, which may be None; a list if there are several outputs.
        edges: the node's edges.
        look: called with the node, its gradient, the rows that its rules have
            returned, and whether the pass is recorded; may replace gradients there.
    """
    if v.shape is None and g is not None:
        g = filled(v, g)
    rows = returned(walk, v, g, edges)
    if look is not None:
        look(v, g, rows, walk.record)
    for p, d in rows:
        if p.stamp is walk.stamp:
            walk.give(p, d)


def returned(walk: Pass, v: Node, g: Any, edges: tuple[Edge, ...]) -> Rows:
    """Return each node that the edges lead to, with the gradient that it gets."""
    rows = []
    for parent, rule, saved in edges:
        joint = type(parent) is tuple
        parents = parent if joint else (parent,)
        asked = [p is not None and p.stamp is walk.stamp for p in parents]
        found: list[Any] = [None] * len(parents)
        if g is not None and any(asked):
            made = rule(g, walk.opened(saved, v))
            found = one_for_each(rule, made, parents) if joint else [made]
            for i, p in enumerate(parents):
                if asked[i] and not (joint and found[i] is None):
                    found[i] = whole(fitted(v, p, rule, found[i], walk.record))
        rows += [[p, d] for p, d in zip(parents, found, strict=True) if p is not None]
    return rows


def whole(d: Any) -> Any:
    """Return a gradient as a dense array."""
    return d.whole() if isinstance(d, SparseGradient) else d


def shown(g: Any, recorded: bool) -> Any:
    """Return a gradient as a read-only tensor, for a function that a user wrote.

    Args:
        g: an array or a tensor, a list of either for several outputs, or None.
        recorded: whether the tensor keeps its node.
    """
    if isinstance(g, list):
        return tuple(shown(one, recorded) for one in g)
    if g is None:
        return None
    if isinstance(g, Tensor) and recorded:
        return read_only(g)
    return read_only(
        constant(g._array if isinstance(g, Tensor) else numpy().asarray(g))
    )


def one_for_each(rule: Rule, made: Any, parents: tuple[Any, ...]) -> list[Any]:
    """Return the gradients from a rule for several inputs as a list.

    Raises:
        RuntimeError: if there isn't one gradient, or None, for each input.
    """
    if isinstance(made, tuple | list) and len(made) == len(parents):
        return list(made)
    got = len(made) if isinstance(made, tuple | list) else type(made).__name__
    raise RuntimeError(
        f"backward: the rule {name_of(rule)} returned {got} gradients for "
        f"{len(parents)} inputs; return a tuple with one for each, None for those that "
        "need none"
    )


def filled(v: Node, slots: list[Any]) -> list[Any]:
    """Return a gradient for each of several outputs, with zeros for None."""
    outputs = v.extra.outputs if isinstance(v.extra, JointEdge) else []
    return [
        numpy().zeros(*output) if g is None else g
        for g, output in zip(slots, outputs, strict=True)
    ]


class JointEdge(NodeExtras):
    """Extras of a node whose one edge leads to several nodes.

    Attributes:
        outputs: shape and type of each output, if there are several. Each output's
            node has an edge to this one, whose gradient is a list with one entry for
            each output, None until a gradient arrives.
    """

    send = staticmethod(send)

    def __init__(self) -> None:
        self.outputs: list[tuple[tuple[int, ...], np.dtype[Any]]] = []

    def add(self, node: Node, part: tuple[int, Any]) -> list[Any]:
        """Return the gradients of the outputs, with one more added."""
        i, d = part
        slots = list(node.grad or [None] * len(self.outputs))
        slots[i] = d if slots[i] is None else slots[i] + d
        return slots
