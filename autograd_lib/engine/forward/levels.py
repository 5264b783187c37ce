"""The open levels of forward mode, and the dual part of a tensor (chapter 19).

Nested derivatives have nested levels: a tensor of a level carries a tangent, and its
primal is a tensor of a lower level.
"""

from __future__ import annotations

from typing import Any

from autograd_lib.engine.leaves.leaf import carriers
from autograd_lib.engine.tape.node import Node, NodeExtras

open_levels: set[int] = set()  # in all threads


class ForwardOnly:
    """A mode of recording: no edges of tensors of this level or a later one.

    A backward pass inside forward mode is recorded only for its tangents, which belong
    to this level. Tensors of earlier levels keep their edges: an outer transform may
    differentiate through them. Transforms that a rule or a hook calls record all edges
    for their own passes, as `enable_grad` sets the mode to True.
    """

    __slots__ = ("level",)

    def __init__(self, level: int) -> None:
        self.level = level


class Dual:
    """The dual part of a tensor (see `tangents`).

    Attributes:
        level: which derivative it belongs to; nested ones have higher levels.
        primal: a tensor of the same array, and of a lower level.
        tangent: its rate of change, a tensor of the same shape.
    """

    __slots__ = ("level", "primal", "tangent")

    def __init__(self, level: int, primal: Any, tangent: Any) -> None:
        self.level, self.primal, self.tangent = level, primal, tangent


def dual_of(node: Node | None) -> Dual | None:
    """Return the dual part of a node, or None."""
    extra: Any = None if node is None else node.extra
    return None if extra is None else extra.dual


setattr(NodeExtras, "dual", None)  # noqa: B010 - this room's own attribute
carriers.append(lambda node: dual_of(node) is not None)
