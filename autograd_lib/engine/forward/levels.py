"""The levels of forward mode that are open, and what a tensor of one has (chapter 22).

Level by level, derivatives are nested: a tensor of a level carries a tangent, and its
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
forward_only_from = _from.get  # the level that `forward_only` was given

open_levels: set[int] = set()  # in all threads


@contextmanager
def forward_only(level: float) -> Iterator[None]:
    """Within, record no edges of tensors of this level of forward mode, or a later one.

    A backward pass inside forward mode is recorded for the sake of its tangents, which
    belong to this level. Tensors of earlier levels keep their edges: a transform around
    this level's may go back through them.
    """
    before = _from.set(level)
    try:
        yield
    finally:
        _from.reset(before)


class Dual:
    """What makes a tensor one of forward mode (see `tangents`).

    Attributes:
        level: which derivative it belongs to; nested ones have higher levels.
        primal: a tensor of the same array, and of a lower level.
        tangent: how fast it moves, a tensor of its shape.
    """

    __slots__ = ("level", "primal", "tangent")

    def __init__(self, level: int, primal: Any, tangent: Any) -> None:
        self.level, self.primal, self.tangent = level, primal, tangent


def dual_of(node: Node | None) -> Dual | None:
    """Return what makes a node's tensor one of forward mode, if it is one."""
    extra: Any = None if node is None else node.extra
    return None if extra is None else extra.dual


setattr(NodeExtras, "dual", None)  # noqa: B010 - this room's own attribute
carriers.append(lambda node: dual_of(node) is not None)
