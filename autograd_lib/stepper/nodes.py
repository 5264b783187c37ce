"""Nodes that can be stepped through, and their order (chapter 00).

A node is any object with `parents`, a sequence of nodes; `label`, a string; and a
number, its `data` or itself. One with parents also has `slopes`; a string instead of a
slope says why this use was not recorded, so that no gradient goes back along it.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

from autograd_lib.book.draw import parents_of as parents_to_draw


def parents_of(node: Any) -> Sequence[Any]:
    """Return a node's parents, after checking that it can be stepped through.

    Raises:
        TypeError: if it lacks `parents`, `label` or `slopes`, or a slope is neither a
            number nor a string.
        ValueError: if it doesn't have one slope for each parent.
    """
    parents = parents_to_draw(node, "step", "a node to step through")
    if not parents:
        return parents
    if not hasattr(node, "slopes"):
        raise TypeError(
            f"step: {node!r} has no slopes, so there is nothing to multiply by; a node "
            "with parents needs `slopes`, the derivative with respect to each of them, "
            "as the Value of chapter 03 has"
        )
    if len(node.slopes) != len(parents):
        raise ValueError(
            f"step: {node!r} has {len(parents)} parents and {len(node.slopes)} slopes; "
            "give it one slope for each parent"
        )
    for slope in node.slopes:
        if not isinstance(slope, Real | str):
            raise TypeError(
                f"step: {node!r} has the slope {slope!r}; a slope to step with is one "
                "real number, or a string that says why there is none"
            )
    return parents


def value_of(node: Any) -> float:
    """Return a node's number: its `data`, or the node itself if it is a number."""
    value = getattr(node, "data", node)
    if not isinstance(value, Real):
        raise TypeError(
            f"step: {node!r} has no number; a node to step through is a float or has "
            "`data`, one real number"
        )
    return float(value)


def label_of(node: Any) -> str:
    """Return a node's label on one line, or "a number"."""
    return " ".join(str(node.label).split()) or "a number"


def variable_of(node: Any) -> str:
    """Return the part of a node's label that names it, without its operation."""
    return label_of(node).partition(":")[0]


def operation_of(node: Any) -> str:
    """Return the name of the operation that made a node, if it has one."""
    name = str(getattr(node, "_op", "") or label_of(node).rpartition(": ")[2])
    return name.lower()  # micrograd says ReLU
