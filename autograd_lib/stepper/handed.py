"""The order in which gradients are passed on (chapter 00).

In the right order every number waits until its gradient is complete. Another order can
be given as a log, written by the reader's own backward pass: chapters 03 and 04 compare
such passes with the right one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

Entry = tuple[str, str, float]
"""A line of a log: the label of the giver, that of the receiver, and the amount."""


class Edge(NamedTuple):
    """A use of a number: the indices of its user and of itself, and the slope."""

    user: int
    used: int
    slope: float


class Handover(NamedTuple):
    """One amount that is passed back along an edge, and whether it is added.

    The first amount that a number gets is not added to anything.
    """

    edge: int
    adds: bool


def in_order(
    edges: Sequence[Edge], stopped: Container[int] = ()
) -> list[list[Handover]]:
    """Return the hand-overs in the right order, grouped by giver.

    Nothing is passed along stopped edges, or from numbers that have no gradient.
    """
    users = sorted({edge.user for edge in edges}, reverse=True)
    met: set[int] = set()
    rounds: dict[int, list[Handover]] = {}
    for user in users:
        for k, edge in enumerate(edges):
            has_gradient = user in met or user == users[0]
            if edge.user == user and has_gradient and k not in stopped:
                rounds.setdefault(user, []).append(Handover(k, edge.used in met))
                met.add(edge.used)
    return list(rounds.values())


def as_logged(
    log: Iterable[Entry], edges: Sequence[Edge], labels: Sequence[str]
) -> list[list[Handover]]:
    """Return the hand-overs of a log, successive ones of one giver together.

    Raises:
        ValueError: if the log does not fit the graph: an amount isn't the giver's
            gradient so far times a slope, whether amounts are added or each replaces
            the one before.
    """
    entries = list(log)
    for adds in (True, False):
        found, problem = replay(entries, edges, labels, adds)
        if not problem:
            return together(found, edges)
    raise ValueError(f"step: the log does not fit the graph: {problem}")


def replay(
    entries: Sequence[Entry], edges: Sequence[Edge], labels: Sequence[str], adds: bool
) -> tuple[list[Handover], str]:
    """Return the hand-overs of a log, and what is wrong with it, or ""."""
    gradients = {len(labels) - 1: 1.0}
    served: Counter[int] = Counter()
    found: list[Handover] = []
    for giver, receiver, amount in entries:
        fitting = [
            k
            for k, edge in enumerate(edges)
            if (labels[edge.user], labels[edge.used]) == (giver, receiver)
            and math.isclose(gradients.get(edge.user, 0.0) * edge.slope, amount)
        ]
        if not fitting:
            return found, f"no arrow passes {amount:g} from {giver!r} to {receiver!r}"
        k = min(fitting, key=lambda k: served[k])
        served[k] += 1
        used = edges[k].used
        found.append(Handover(k, adds and used in gradients))
        gradients[used] = amount + (gradients[used] if found[-1].adds else 0.0)
    return found, ""


def together(handed: Iterable[Handover], edges: Sequence[Edge]) -> list[list[Handover]]:
    """Return hand-overs in rounds: one giver, and each of its edges at most once."""
    rounds: list[list[Handover]] = []
    for one in handed:
        last = rounds[-1] if rounds else []
        same_giver = last and edges[last[0].edge].user == edges[one.edge].user
        if same_giver and one.edge not in [other.edge for other in last]:
            last.append(one)
        else:
            rounds.append([one])
    return rounds
