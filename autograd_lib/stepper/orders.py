"""All orders in which the numbers of a graph can have their turns (chapter 04).

Each order has a copy of the graph. At its turn a number passes the gradient that it has
then to its parents, and has no second turn; so some of it may come too late.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

from autograd_lib.book.collapse import inputs_first
from autograd_lib.stepper.engine import seen
from autograd_lib.stepper.handed import Edge
from autograd_lib.stepper.nodes import parents_of, variable_of
from autograd_lib.stepper.numbers import literal, short
from autograd_lib.stepper.page import Stepper
from autograd_lib.stepper.scene import (
    ACROSS,
    DOWN,
    ORANGE,
    Scene,
    arrows,
    row,
    shown,
    words,
)
from autograd_lib.stepper.steps import Step, Trace, joined

TURNS = ("First", "Second", "Third")


def orders(root: Any) -> Stepper:
    """Show a backward pass in every order of the turns, all at once.

    Args:
        root: the result of a graph in which at most three numbers have parents: a
            node, as `step` takes it, or a number of the reader's engine.

    Raises:
        ValueError: if more than three numbers have parents, or fewer than two.

    >>> from autograd_lib.scalar.value import Value
    >>> x = Value(3.0, "x")
    >>> y = x * x
    >>> z = y + y
    >>> y.label, z.label = "y", "z"
    >>> print(str(orders(z)).splitlines()[-1])
      3. Finished: x ends with 0 and 12. Its derivative is 12: z, y.
    """
    nodes = inputs_first(seen(root) if hasattr(root, "edges") else root, parents_of)
    made = [i for i, node in enumerate(nodes) if node.parents]
    if not 2 <= len(made) <= len(TURNS):
        raise ValueError(
            f"orders: {len(made)} numbers have parents; all orders can be shown of two "
            "or three"
        )
    every = list(permutations(made))
    trace, names = Trace(nodes), [variable_of(node) for node in nodes]
    passes = [gradients_after(turns, trace.edges, len(nodes)) for turns in every]
    right = [p[-1][0] == trace.gradients[0] for p in passes]
    steps = [told(k, every, passes, names) for k in range(len(made) + 1)]
    steps.append(finished(every, passes, names, right))
    wide, high = ACROSS * len(nodes) + 8, 2 * DOWN + 14
    edges = [(edge.used, edge.user) for edge in trace.edges]
    drawn = ""
    for k, turns in enumerate(every):
        x, y = k % 2 * wide + 4, k // 2 * high
        drawn += words(x, y + 11, ", ".join(names[i] for i in turns), "start")
        drawn += arrows(edges, (x, y + 16))
        drawn += row(f"c{k}", names, (x, y + 16), ORANGE)
    alt = (
        f"The graph of {names[-1]}, {len(every)} times, once for each order in which "
        f"{joined([names[i] for i in made])} have their turns."
    )
    scene = Scene(f"All orders of the turns of {names[-1]}", steps)
    return shown(scene, drawn, 2 * wide, high * ((len(every) + 1) // 2), alt)


def gradients_after(
    turns: Sequence[int], edges: Sequence[Edge], count: int
) -> list[list[float]]:
    """Return the gradients before the first turn and after each."""
    gradients = [0.0] * (count - 1) + [1.0]
    found = [list(gradients)]
    for user in turns:
        given = gradients[user]
        for edge in edges:
            if edge.user == user:
                gradients[edge.used] += given * edge.slope
        found.append(list(gradients))
    return found


def told(
    k: int,
    every: Sequence[Sequence[int]],
    passes: Sequence[list[list[float]]],
    names: Sequence[str],
) -> Step:
    """Return the step after `k` turns, in all copies."""
    lines = {
        f"c{copy}{i}": (
            name,
            short(turned[k][i]),
            "now" if i in turns[k - 1 : k] else "",
        )
        for copy, (turns, turned) in enumerate(zip(every, passes, strict=True))
        for i, name in enumerate(names)
        if not k or turned[k][i] != turned[k - 1][i] or i in turns[max(k - 2, 0) : k]
    }
    if not k:
        sentence = f"{names[-1]} has gradient 1, the others 0. {len(every)} orders."
        return Step("Start", "", lines, literal(sentence))
    whose = ", ".join(names[turns[k - 1]] for turns in every)
    has = joined([short(turned[k][0]) for turned in passes])
    sentence = f"{TURNS[k - 1]} turn: {whose}. {names[0]} has {has} now."
    return Step("Backward", "", lines, literal(sentence))


def finished(
    every: Sequence[Sequence[int]],
    passes: Sequence[list[list[float]]],
    names: Sequence[str],
    right: Sequence[bool],
) -> Step:
    """Return the last step, in which the right copies stand out."""
    lines = {
        f"c{copy}{i}": (
            name,
            short(turned[-1][i]),
            "back" if is_right else "gone" if i else "",
        )
        for copy, (turned, is_right) in enumerate(zip(passes, right, strict=True))
        for i, name in enumerate(names)
    }
    ends = joined([short(turned[-1][0]) for turned in passes])
    which = joined(
        [
            ", ".join(names[i] for i in turns)
            for turns, r in zip(every, right, strict=True)
            if r
        ]
    )
    derivative = short(next(t[-1][0] for t, r in zip(passes, right, strict=True) if r))
    sentence = f"{names[0]} ends with {ends}. Its derivative is {derivative}: {which}."
    return Step("Finished", "", lines, literal(sentence))
