"""The steps through a graph, forward and backward, as data (chapter 06).

Nothing here asks a node for its gradient or calls `backward`: the slopes are enough.
The gradient of a node is the sum of what its users pass to it, and each of them passes
its own gradient times a slope.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, NamedTuple

Lines = tuple[str, str]
"""Two lines of text in a drawing: a node's value and gradient, or an edge's slope and
what was passed along it."""


class Edge(NamedTuple):
    """A use of a number: where in the order its user and it stand, and the slope."""

    user: int
    used: int
    slope: float


@dataclass(frozen=True)
class Step:
    """One step: the node at work, what appears in the drawing, and a sentence.

    Nodes are called n0, n1, … in order, edges e0, e1, …; `node` may be empty.
    """

    title: str
    node: str
    lines: dict[str, Lines]
    sentence: str


class Trace:
    """All steps through a graph.

    Args:
        nodes: the nodes, inputs first, in an order that `topological_order` gives.

    Attributes:
        edges: the edges, in the order of the nodes that use them.
        gradients: the derivative of the last node toward each node.
        steps: the steps, from the inputs' values to the inputs' gradients.

    Raises:
        TypeError: if a node has no number.
    """

    def __init__(self, nodes: Sequence[Any]) -> None:
        self.nodes = nodes
        self.values = [value_of(node) for node in self.nodes]
        place = {id(node): i for i, node in enumerate(self.nodes)}
        self.edges = [
            Edge(place[id(user)], place[id(used)], float(slope))
            for user in self.nodes
            if user.parents
            for used, slope in zip(user.parents, user.slopes, strict=True)
        ]
        self.names = names(self.nodes, self.values)
        self.uses = Counter(edge.used for edge in self.edges)
        self.gradients = [0.0] * len(self.nodes)
        self.steps = [*self._forward(), *self._backward()]

    def edges_of(self, user: int) -> list[tuple[str, Edge]]:
        """Return the edges from a node to its parents, each with its name."""
        edges = enumerate(self.edges)
        return [(f"e{k}", edge) for k, edge in edges if edge.user == user]

    def is_made(self, i: int) -> bool:
        """Whether a node has parents."""
        return bool(self.nodes[i].parents)

    def _equation(self, i: int) -> str:
        return f"{label_of(self.nodes[i])} = {short(self.values[i])}"

    def _forward(self) -> Iterator[Step]:
        inputs = [i for i in range(len(self.nodes)) if not self.is_made(i)]
        given = joined(self._equation(i) for i in inputs)
        lines = {f"n{i}": (short(self.values[i]), "") for i in inputs}
        verb = "input is" if len(inputs) == 1 else "inputs are"
        yield Step("Start", "", lines, f"The {verb} {given}.")
        for i in filter(self.is_made, range(len(self.nodes))):
            edges = self.edges_of(i)
            lines = {name: (f"× {short(edge.slope)}", "") for name, edge in edges}
            lines[f"n{i}"] = (short(self.values[i]), "")
            made_from = joined(self._equation(edge.used) for _, edge in edges)
            slopes = joined(
                f"{short(edge.slope)} toward {self.names[edge.used]}"
                for _, edge in edges
            )
            verb = "slope is" if len(edges) == 1 else "slopes are"
            yield Step(
                "Forward",
                f"n{i}",
                lines,
                f"{label_of(self.nodes[i])}, made from {made_from}, is "
                f"{short(self.values[i])}. Its {verb} {slopes}.",
            )

    def _backward(self) -> Iterator[Step]:
        root = len(self.nodes) - 1
        self.gradients[root] = 1.0
        seed = f"The gradient of {self.names[root]} toward itself is 1."
        yield Step("Backward", f"n{root}", {f"n{root}": self._box(root, 0)}, seed)
        pending = self.uses.copy()
        for i in filter(self.is_made, reversed(range(len(self.nodes)))):
            yield self._pass_on(i, pending)
        found = joined(
            f"{short(self.gradients[i])} toward {self.names[i]}"
            for i in range(root + 1)
            if not self.is_made(i)
        )
        end = f"The gradient of {self.names[root]} is {found}."
        yield Step("Finished", "", {}, end)

    def _pass_on(self, i: int, pending: Counter[int]) -> Step:
        gradient = short(self.gradients[i])
        lines: dict[str, Lines] = {}
        passed: list[str] = []
        sums: dict[int, list[float]] = {}
        for name, (_, used, slope) in self.edges_of(i):
            amount = self.gradients[i] * slope
            is_first = pending[used] == self.uses[used]
            sums.setdefault(used, [] if is_first else [self.gradients[used]])
            sums[used].append(amount)
            self.gradients[used] = amount if is_first else self.gradients[used] + amount
            pending[used] -= 1
            lines[name] = (f"× {short(slope)}", f"= {short(amount)}")
            lines[f"n{used}"] = self._box(used, pending[used])
            passed.append(
                f"{gradient} × {factor(slope)} = {short(amount)} to {self.names[used]}"
            )
        sentence = f"{self.names[i]} has gradient {gradient} and passes"
        sentence = f"{sentence} {joined(passed)}."
        for used, terms in sums.items():
            if self.uses[used] > 1:
                total = short(self.gradients[used])
                shown = [short(terms[0]), *map(factor, terms[1:])]
                made = f"{' + '.join(shown)} = {total}" if len(terms) > 1 else total
                state = "so far" if pending[used] else "in all"
                sentence += f" {self.names[used]} has {made} {state}."
        return Step("Backward", f"n{i}", lines, sentence)

    def _box(self, i: int, pending: int) -> Lines:
        more = " + …" if pending else ""
        return short(self.values[i]), f"grad {short(self.gradients[i])}{more}"


def parents_of(node: Any) -> Sequence[Any]:
    """Return a node's parents, after a look at whether it can be stepped through.

    Raises:
        TypeError: if it lacks `parents`, `label` or `slopes`, or a slope is no number.
        ValueError: if it has not one slope for each parent.
    """
    for name in ("parents", "label"):
        if not hasattr(node, name):
            raise TypeError(
                f"step: {node!r} has no {name}; a node to step through needs "
                "`parents`, a sequence of nodes, and `label`, a string"
            )
    parents: Sequence[Any] = node.parents
    if not parents:
        return parents
    if not hasattr(node, "slopes"):
        raise TypeError(
            f"step: {node!r} has no slopes, so there is nothing to multiply by; a node "
            "with parents needs `slopes`, the derivative toward each of them, as the "
            "Value of chapter 04 has"
        )
    if len(node.slopes) != len(parents):
        raise ValueError(
            f"step: {node!r} has {len(parents)} parents and {len(node.slopes)} slopes; "
            "give it one slope for each parent"
        )
    for slope in node.slopes:
        if not isinstance(slope, Real):
            raise TypeError(
                f"step: {node!r} has the slope {slope!r}; a slope to step with is one "
                "real number"
            )
    return parents


def value_of(node: Any) -> float:
    """Return a node's number: its `data`, or itself where it is a number."""
    value = getattr(node, "data", node)
    if not isinstance(value, Real):
        raise TypeError(
            f"step: {node!r} has no number; a node to step through is a float or has "
            "`data`, one real number"
        )
    return float(value)


def label_of(node: Any) -> str:
    """Return a node's label on one line, or words that stand for it."""
    return " ".join(str(node.label).split()) or "a number"


def names(nodes: Sequence[Any], values: Sequence[float]) -> list[str]:
    """Return what each node is called: its label, and its value where it is shared."""
    labels = [label_of(node) for node in nodes]
    shared = Counter(labels)
    return [
        label if shared[label] == 1 else f"{label} ({short(value)})"
        for label, value in zip(labels, values, strict=True)
    ]


def short(number: float) -> str:
    """Return a number with four significant digits."""
    return f"{number:.4g}"


def factor(number: float) -> str:
    """Return a number as it stands after a sign of arithmetic."""
    text = short(number)
    return f"({text})" if text.startswith("-") else text


def joined(parts: Iterator[str] | Sequence[str]) -> str:
    """Return parts of a sentence with commas between them, and an "and"."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last
