"""Step through the results that a chain of layers holds in memory (chapter 21).

A column is a step in time, a row the result of a layer, from the chain's input, 0, at
the bottom. Cells are filled if a result is in memory, a frame marks the layer at work,
and below each column is the number of results.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from autograd_lib.stepper.page import Stepper
from autograd_lib.stepper.steps import Step, Trace, joined

Entry = tuple[str, int, list[int]]
"""The event, its layer, and the layers whose results are in memory then."""

SAYS = {
    "Start": "The chain has its input",
    "Forward": "Layer {} runs",
    "Again": "Layer {} runs again",
    "Backward": "A gradient goes back through layer {}",
}
GREY = 'fill="black" fill-opacity="0.4"'
WIDE, HIGH, LEFT = 16, 13, 20  # sizes of a cell, and of a row's name, in pixels


class Holding(Trace):
    """The steps of a diary, without a graph.

    Args:
        diary: an entry for each step, of `SAYS`.
    """

    def __init__(self, diary: Iterable[Entry]) -> None:
        self.nodes, self.values, self.edges, self.rounds = [], [], [], []
        self.numbers = {}
        self.diary = list(diary)
        self.steps = [
            Step(
                what,
                f"n{t}",
                {f"n{t}": (str(len(rows)), "")},
                sentence_of(what, i, rows),
            )
            for t, (what, i, rows) in enumerate(self.diary)
        ]


def sentence_of(what: str, layer: int, rows: list[int]) -> str:
    """Return a step as a sentence."""
    few = joined([str(row) for row in rows]) if rows else "none"
    results = "1 result" if len(rows) == 1 else f"{len(rows)} results"
    return f"{SAYS[what].format(layer)}. {results} in memory: {few}."


def memory_steps(diary: Iterable[Entry], alt: str) -> Stepper:
    """Return a diary as a stepper, to be shown by `side_by_side`.

    Args:
        diary: for each step the event, "Start", "Forward", "Again" or "Backward", its
            layer, and the layers whose results are in memory then.
        alt: a description for readers who cannot see the drawing.

    >>> memory_steps([("Start", 0, [0]), ("Forward", 1, [0, 1])], "two results")
    1 steps through a graph
      0. Start: The chain has its input. 1 result in memory: 0.
      1. Forward: Layer 1 runs. 2 results in memory: 0 and 1.
    """
    trace = Holding(diary)
    return Stepper(trace, drawing(trace.diary), alt)


def drawing(diary: Sequence[Entry]) -> str:
    """Return a diary as SVG, each column with its name as a class."""
    top = max(layer for _, layer, _ in diary)
    width, height = LEFT + WIDE * len(diary), HIGH * (top + 2) + 4
    parts = [text(LEFT - 10, HIGH * (top - row), row) for row in range(top + 1)]
    for t, (what, layer, rows) in enumerate(diary):
        x = LEFT + WIDE * t
        colour = "#d55e00" if what == "Backward" else "#2b8cc4"
        parts += [
            f'<g class="node n{t}">',
            f'<rect x="{x}" width="{WIDE}" height="{height}" fill="none"/>',
            *(f'<polygon {GREY} points="{cell(x, top - row)}"/>' for row in rows),
            f'<path fill="none" stroke="{colour}" d="M{cell(x, top - layer)}z"/>',
            text(x + WIDE // 2, HIGH * (top + 1) + 3, len(rows)),
            '<text x="0"/></g>',  # in place of a gradient
        ]
    return (
        f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'xmlns="http://www.w3.org/2000/svg" font-family="Helvetica,Arial,sans-serif" '
        f'font-size="11" text-anchor="middle">{"".join(parts)}</svg>'
    )


def cell(x: int, place: int) -> str:
    """Return the outline of a cell, counted from the top."""
    right, y, foot = x + WIDE - 1, place * HIGH + 1, (place + 1) * HIGH - 1
    return f"{x + 1},{y} {right},{y} {right},{foot} {x + 1},{foot}"


def text(x: int, y: int, number: int) -> str:
    """Return a number in the middle of a cell."""
    return f'<text x="{x}" y="{y + HIGH - 2}">{number}</text>'
