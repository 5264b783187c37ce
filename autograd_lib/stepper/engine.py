"""A graph of the reader's engine, to be stepped through or drawn (chapter 04).

Its numbers have `edges`, pairs (parent, slope), and no names. A page gives a `label` to
those that it talks about; other leaves are labelled with their number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from autograd_lib.book.collapse import inputs_first
from autograd_lib.stepper.handed import Entry
from autograd_lib.stepper.page import Stepper, step


class Seen:
    """A number of the engine as `draw` and `step` take it."""

    def __init__(self, v: Any, made: Mapping[int, Seen]) -> None:
        self.parents = tuple(made[id(parent)] for parent, _ in v.edges)
        self.slopes = tuple(slope for _, slope in v.edges)
        self.data = v.data
        self.label = getattr(v, "label", "") or ("" if v.edges else f"{v.data:g}")


def seen(y: Any) -> Seen:
    """Return the graph of a number of the engine, for `draw` and `step`."""
    made: dict[int, Seen] = {}
    for v in inputs_first(y, lambda v: [parent for parent, _ in v.edges]):
        made[id(v)] = Seen(v, made)
    return made[id(y)]


def step_through(y: Any, code: str = "", log: Iterable[Entry] | None = None) -> Stepper:
    """Show the steps to a number of the engine and back, as `step` does.

    >>> from autograd_lib.small.graph import Number
    >>> x = Number(3.0)
    >>> x.label = "x"
    >>> print(step_through(x * x).trace.gradients)
    [6.0, 1.0]
    """
    return step(seen(y), code=code, log=log)
