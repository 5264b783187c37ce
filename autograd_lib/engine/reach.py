"""Which nodes a pass needs, and what it says of those that are gone (chapter 12)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

import numpy as np

from autograd_lib.engine.mistakes import operation_name
from autograd_lib.engine.node import Node, Parcel, Rule, Saved, SavedOutput, name_of
from autograd_lib.engine.tensor import Tensor
from autograd_lib.engine.writes.versions import version_of


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


def check_saved(v: Node) -> None:
    """Check that no array that a node saved was written into since.

    Raises:
        RuntimeError: if one was.
    """
    for _, rule, saved in v.edges or ():
        for s in kept_in(saved):
            if isinstance(s, Parcel):
                s.packer.check(s)
            if not isinstance(s, Tensor | SavedOutput | np.ndarray):
                continue
            # Arrays that an operation made for itself have no version.
            array = s if isinstance(s, np.ndarray) else s._array
            if version_of(array) > v.version:
                function = getattr(saved, "_function", None)
                who = f"{function.__name__}.forward" if function else made_by(v, rule)
                raise RuntimeError(
                    f"backward: {who} saved an array that was written into since, so "
                    "the gradient would be wrong; use a new tensor, such as t = t + 1 "
                    "for t += 1, or write into t.copy()"
                )


def kept_in(saved: Any) -> Iterable[Any]:
    """Return what was saved, one by one; of a `Function`, all that its context has."""
    if type(saved) is Saved:  # within which there may be others
        return [s for item in saved.items for s in kept_in(item)]
    if hasattr(saved, "saved_items"):
        return (*saved.saved_items, *vars(saved).values())
    return (saved,)


def made_by(v: Node, rule: Rule) -> str:
    """Return the name of the operation that made a node, or else that of its rule."""
    return name_of(rule) if v.operation is None else operation_name(v.operation)


def freed() -> NoReturn:
    """Raise RuntimeError because a pass has gone through this graph before."""
    raise RuntimeError(
        "backward: a pass has gone through this graph before and freed what it saved; "
        "calculate the result again, or pass retain_graph=True first"
    )
