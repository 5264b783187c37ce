"""Traces inside traces, peeled level by level (chapter 08).

Each level has a graph of its own. The backward pass of the highest level calculates
with boxes of the next one, which records that. Then the highest level is done with, and
the next one is peeled in the same way, until a number is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograd_lib.book.collapse import inputs_first
from autograd_lib.stepper.numbers import literal
from autograd_lib.stepper.page import Stepper
from autograd_lib.stepper.scene import (
    ACROSS,
    BLUE,
    DOWN,
    ORANGE,
    Scene,
    arrows,
    frame,
    part,
    row,
    shown,
    words,
)
from autograd_lib.stepper.steps import Step, joined

LEFT, ROW = 70, 2 * DOWN + 16  # the graphs' left end, and a level's height, in pixels
Layer = tuple[Any, Any]
"""The box at the end of a level's graph, and what the level's backward pass gave."""


def peel(*layers: Layer) -> Stepper:
    """Show how levels are peeled off, the highest first.

    A box has `parents`, boxes of its own level; a `label`; and `data`, a number or a
    box of another level.

    Args:
        layers: for each level, from the highest to the lowest, the box at the end of
            its graph and the gradient that its backward pass returned.

    Raises:
        ValueError: if there is no level.

    >>> from types import SimpleNamespace as Box
    >>> x = Box(label="x", data=3.0, parents=[])
    >>> y = Box(label="y", data=4.0, parents=[])
    >>> product = Box(label="mul", data=x, parents=[y])
    >>> square = Box(label="mul", data=9.0, parents=[x, x])
    >>> print(str(peel((product, x), (square, 6.0))).splitlines()[-1])
      5. Finished: No level is left, and 6 is a number.
    """
    if not layers:
        raise ValueError("peel: takes at least one level")
    boxes = [inputs_first(end, lambda box: list(box.parents)) for end, _ in layers]
    level = {id(box): len(layers) - k for k, some in enumerate(boxes) for box in some}
    steps = [start(boxes)]
    for k, (_, gradient) in enumerate(layers):
        steps += [*peeled(k, boxes, gradient, level)]
    last = written(layers[-1][1])
    steps.append(
        Step("Finished", "", {}, literal(f"No level is left, and {last} is a number."))
    )
    across = LEFT + ACROSS * max(map(len, boxes)) + 110
    drawn = ""
    for k, some in enumerate(boxes):
        corner, right = (LEFT, 6 + ROW * k), across - 104
        box = frame(2, 2 + ROW * k, across - 4, ROW - 8)
        drawn += part(f"l{k}", box + arrows(edges_of(some), corner))
        drawn += words(10, ROW * k + 44, f"level {len(layers) - k}", "start")
        drawn += row(f"b{k}", [str(one.label) for one in some], corner, BLUE)
        gradient = words(right, ROW * k + 40, anchor="start")
        gradient += words(right, ROW * k + 58, anchor="start", colour=ORANGE)
        drawn += part(f"g{k}", gradient)
    alt = (
        f"Graphs of {len(layers)} levels, one above the other, the highest on top: "
        + "; ".join(
            f"level {len(layers) - k} has {joined([str(box.label) for box in some])}"
            for k, some in enumerate(boxes)
        )
        + "."
    )
    return shown(Scene("Levels, peeled", steps), drawn, across, ROW * len(layers), alt)


def edges_of(boxes: Sequence[Any]) -> list[tuple[int, int]]:
    """Return the arrows of a graph as numbers of the used box and of its user."""
    place = {id(box): i for i, box in enumerate(boxes)}
    return [(place[id(p)], i) for i, box in enumerate(boxes) for p in box.parents]


def written(value: Any) -> str:
    """Return a number, or in brackets the content of a box of some level."""
    if hasattr(value, "data") and hasattr(value, "parents"):
        return f"[{written(value.data)}]"
    return f"{float(value):.4g}"


def start(boxes: Sequence[Sequence[Any]]) -> Step:
    """Return the first step: every graph, with what lies in its boxes."""
    lines = {
        f"b{k}{i}": (str(box.label), written(box.data), "")
        for k, some in enumerate(boxes)
        for i, box in enumerate(some)
    }
    frames = {f"l{k}": ("", "", "") for k in range(len(boxes))}
    sentence = f"{len(boxes)} levels are recorded. In brackets is what lies in a box."
    return Step("Start", "", frames | lines, sentence)


def peeled(
    k: int, boxes: Sequence[Sequence[Any]], gradient: Any, level: dict[int, int]
) -> list[Step]:
    """Return the two steps of a level: its backward pass, and that it goes."""
    name = f"Level {len(boxes) - k}"
    inside = {
        f"b{k}{i}": (str(b.label), written(b.data), "now")
        for i, b in enumerate(boxes[k])
    }
    has = written(gradient)
    below = level.get(id(gradient))
    recorded = (
        f"a box of level {below}, whose graph has recorded this pass"
        if below
        else "a number, so no level has recorded this pass"
    )
    lines = inside | {f"g{k}": ("gradient", has, "")}
    if below:
        under = boxes[len(boxes) - below]
        lines |= {
            f"b{len(boxes) - below}{i}": (str(b.label), written(b.data), "back")
            for i, b in enumerate(under)
            if b is gradient
        }
    gone = {part_: (*both[:2], "gone") for part_, both in inside.items()}
    gone |= {f"l{k}": ("", "", "gone"), f"g{k}": ("gradient", has, "")}
    return [
        Step(
            "Backward",
            "",
            lines,
            literal(f"{name} goes backward and gives {has}: {recorded}."),
        ),
        Step(
            "Peeled", "", gone, literal(f"{name} is peeled off; {has} is left of it.")
        ),
    ]
