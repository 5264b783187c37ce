"""A graph of the reader's engine, to be stepped through or drawn (chapter 00).

Its numbers have `edges`, pairs (parent, slope), and no names. A page gives a `label` to
those that it talks about; other leaves are labelled with their number, other sums and
products with their sign.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from autograd_lib.book.collapse import inputs_first
from autograd_lib.stepper.handed import Entry
from autograd_lib.stepper.nodes import variable_of
from autograd_lib.stepper.page import Stepper, step


class Seen:
    """A number of the engine as `draw` and `step` take it."""

    def __init__(self, v: Any, made: Mapping[int, Seen]) -> None:
        self.parents = tuple(made[id(parent)] for parent, _ in v.edges)
        self.slopes = tuple(slope for _, slope in v.edges)
        self.data = v.data
        unnamed = sign(self.parents, self.slopes) if v.edges else f"{v.data:g}"
        self.label = getattr(v, "label", "") or unnamed


def sign(parents: Sequence[Any], slopes: Sequence[float]) -> str:
    """Return "+" or "×" if the slopes are those of a sum or a product, else "".

    >>> from types import SimpleNamespace as Number
    >>> sign([Number(data=3.0), Number(data=5.0)], [5.0, 3.0])
    '×'
    """
    if len(slopes) == 2 and all(slope == 1 for slope in slopes):
        return "+"
    swapped = [parent.data for parent in reversed(parents)]
    return "×" if len(slopes) == 2 and [*slopes] == swapped else ""


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


def handed(send_back: Callable[[Any], Any], y: Any) -> list[Entry]:
    """Return what a backward pass hands over, as the log that `step` takes.

    Args:
        send_back: a pass that multiplies each slope that it follows by a gradient.
        y: where it begins. Its numbers need a label, one each, and stay as they are.

    >>> from autograd_lib.small.number import Number, send_back
    >>> x = Number(3.0)
    >>> y = x * x
    >>> x.label, y.label = "x", "y"
    >>> handed(send_back, y)
    [('y', 'x', 3.0), ('y', 'x', 3.0)]
    """
    log: list[Entry] = []

    class Watched(float):
        """A slope that writes down each amount that it makes."""

        way: tuple[str, str]

        def __mul__(self, g: float) -> float:
            log.append((*self.way, float(self) * g))
            return float(self) * g

    numbers = inputs_first(y, lambda v: [parent for parent, _ in v.edges])
    before = [(v, v.edges, v.grad) for v in numbers]
    for v in numbers:
        watched = []
        for parent, slope in v.edges:
            one = Watched(slope)
            one.way = variable_of(v), variable_of(parent)
            watched.append((parent, one))
        v.edges, v.grad = watched, 0.0
    try:
        send_back(y)
    finally:
        for v, edges, grad in before:
            v.edges, v.grad = edges, grad
    return log
