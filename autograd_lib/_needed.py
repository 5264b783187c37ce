"""Which nodes a pass needs, and what it says of those that are gone (chapter 12)."""

from __future__ import annotations

from typing import Any, NoReturn

from autograd_lib.node import Node
from autograd_lib.tensor import Tensor


def leading_to(wanted: dict[Node, Any], roots: list[tuple[Node, Tensor]]) -> set[Node]:
    """Return the nodes from which a path leads to one that is wanted.

    Raises:
        RuntimeError: if a node was freed, so that nobody knows where it leads to.
    """
    users: dict[Node, list[Node]] = {root: [] for root, _ in roots}
    met = list(users)
    for v in met:
        if v.edges is None:
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


def leads_on(v: Node, stamp: object) -> bool:
    """Say whether a node's gradient is needed for others that the pass has met."""
    return any(p.stamp is stamp for p in v.parents)


def freed() -> NoReturn:
    """Say that a pass has gone through this graph before."""
    raise RuntimeError(
        "backward: a pass has gone through this graph before and freed what it saved; "
        "calculate the result again, or pass retain_graph=True first"
    )
