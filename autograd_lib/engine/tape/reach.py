"""Which nodes a pass needs, and what it says of those that are gone (chapter 12)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from autograd_lib.engine.tape.node import Node, clock
from autograd_lib.engine.tape.tensor import Tensor

inspectors: list[Callable[[Node], None]] = []
"""Raise if what a node saved is no longer what it was; the clock has moved since."""


def inspect(v: Node) -> None:
    """Let later chapters raise if what a node saved may have changed."""
    if v.version != clock.now:
        for check in inspectors:
            check(v)


def leading_to(wanted: set[Node], roots: list[tuple[Node, Tensor]]) -> set[Node]:
    """Return the nodes from which a path leads to one that is wanted.

    Raises:
        RuntimeError: if a node was freed, so that it is not known where it leads.
    """
    users: dict[Node, list[Node]] = {root: [] for root, _ in roots}
    met = list(users)
    for v in met:
        if v.edges is None and v not in wanted:
            freed()
        for p in v.parents:
            if p not in users:
                users[p] = []
                met.append(p)
            users[p].append(v)
    todo = [v for v in wanted if v in users]
    found = set(todo)
    for p in todo:
        for v in users[p]:
            if v not in found:
                found.add(v)
                todo.append(v)
    return found


def freed() -> NoReturn:
    """Raise RuntimeError because a pass has gone through this graph before."""
    raise RuntimeError(
        "backward: a pass has gone through this graph before and freed what it saved; "
        "calculate the result again, or pass retain_graph=True first"
    )
