"""Make a large graph small enough to draw (chapter 00).

A graph of thousands of nodes has few kinds of them: a layer does the same to every
point. Nodes that were made alike become one group, and groups are nodes to `draw`.
"""

from __future__ import annotations

from collections import Counter
from typing import Any


class Group:
    """Nodes that were made alike; `draw` takes it for a node.

    Attributes:
        members: the nodes.
        parents: the groups that they were made from, without their own.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.members: list[Any] = []
        self.parents: list[Group] = []

    @property
    def label(self) -> str:
        """The members' label, and how many they are."""
        n = len(self.members)
        return self.name if n == 1 else f"{self.name or 'input'} × {n:,}"

    @property
    def data(self) -> Any:
        """The number of the only member, else None."""
        return getattr(self.members[0], "data", None) if self._is_one else None

    @property
    def grad(self) -> Any:
        """The gradient of the only member, else None."""
        return getattr(self.members[0], "grad", None) if self._is_one else None

    @property
    def _is_one(self) -> bool:
        return len(self.members) == 1

    def add(self, member: Any, parents: list[Group]) -> None:
        """Take in a member that was made from members of `parents`."""
        self.members.append(member)
        for group in parents:
            if group is not self and group not in self.parents:
                self.parents.append(group)


def collapse(root: Any) -> Group:
    """Return the graph of `root` with nodes that were made alike as one.

    Two nodes are alike if they have the same label and their parents are of the same
    groups. A run is one group as well: a node joins a parent that has its label and is
    used by nothing else, as each sum in a long sum does.

    Args:
        root: a node, which is anything with `parents`, a sequence of nodes, and
            `label`, a string.

    Returns:
        The group of `root`, to draw: `draw(collapse(root))`.

    Raises:
        TypeError: if a node has no `parents` or no `label`.

    >>> from types import SimpleNamespace as Node
    >>> inputs = [Node(label="x", parents=[]) for _ in range(4)]
    >>> root = Node(label="sum", parents=inputs)
    >>> collapse(root).parents[0].label
    'x × 4'
    """
    order = parents_first(root)
    uses = Counter(id(p) for node in order for p in node.parents)
    group_of: dict[int, Group] = {}
    groups: dict[tuple[str, frozenset[int]], Group] = {}
    for node in order:
        # A parent that has no group yet is above this node: a cycle made by hand.
        parents = [p for p in node.parents if id(p) in group_of]
        above = list(dict.fromkeys(group_of[id(p)] for p in parents))
        run = [p for p in parents if p.label == node.label and uses[id(p)] == 1]
        kind = (node.label, frozenset(map(id, above)))
        if run:
            group = group_of[id(run[0])]
        else:
            group = groups.setdefault(kind, Group(node.label))
        group.add(node, above)
        group_of[id(node)] = group
    return group_of[id(root)]


def parents_first(root: Any) -> list[Any]:
    """Return `root` and all it was made from, each after its parents."""
    order: list[Any] = []
    met = {id(root)}
    stack = [(root, iter(parents_of(root)))]
    while stack:
        node, rest = stack[-1]
        new = next((p for p in rest if id(p) not in met), None)
        if new is None:
            stack.pop()
            order.append(node)
        else:
            met.add(id(new))
            stack.append((new, iter(parents_of(new))))
    return order


def parents_of(node: Any) -> list[Any]:
    """Return a node's parents, after a look at whether it is a node."""
    for name in ("parents", "label"):
        if not hasattr(node, name):
            raise TypeError(
                f"collapse: {node!r} has no {name}; a node needs `parents`, a sequence "
                "of nodes, and `label`, a string"
            )
    return list(node.parents)
