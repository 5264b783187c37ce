"""The open levels of forward mode, and the dual part of a tensor (chapter 22).

Nested derivatives have nested levels: a tensor of a level carries a tangent, and its
primal is a tensor of a lower level.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from typing import Any

from autograd_lib.engine.leaves.leaf import carriers
from autograd_lib.engine.tape.node import Node, NodeExtras

_from: ContextVar[float] = ContextVar("forward_only_from", default=inf)
forward_only_from = _from.get  # the argument of `forward_only`

open_levels: set[int] = set()  # in all threads


@contextmanager
def forward_only(level: float) -> Iterator[None]:
    """Inside, record no edges of tensors of this level of forward mode or a later one.

    A backward pass inside forward mode is recorded only for its tangents, which belong
    to this level. Tensors of earlier levels keep their edges: an outer transform may
    differentiate through them.
    """
    before = _from.set(level)
    try:
        yield
    finally:
        _from.reset(before)


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
