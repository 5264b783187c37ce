"""Steps over a drawing that is not one graph (chapter 00).

A scene has parts, each a group of an SVG that is named by `part`. A step gives some of
them a text and a look; a part is not there before the first step that names it. The
buttons, the words and the frame are the stepper's. Boxes and arrows are those of
`draw`: rounded corners and small filled heads. The cells of a table touch, and have
corners.

>>> drawn = part("a", frame(2, 2, 40, 20) + words(22, 16))
>>> steps = [Step("Start", "", {"a": ("3", "", "held")}, "An array is made.")]
>>> shown(Scene("One array", steps), drawn, 44, 24, "A box with a 3.")
0 steps through a graph
  0. Start: An array is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from autograd_lib.book.draw import COLOURS
from autograd_lib.book.picture import mixed
from autograd_lib.stepper.page import Stepper
from autograd_lib.stepper.steps import Step, Trace

LOOKS = ("", "now", "forth", "back", "held", "gone", "off")
"""A frame, the frame at work, a blue, an orange and a grey one, faint, and hidden."""

BLUE, ORANGE = COLOURS["value"], COLOURS["gradient"]
WIDE, HIGH, ACROSS, DOWN = 42, 28, 50, 38
"""The size of a box in a small graph, and the way to the next, in pixels."""

Dial = tuple[str, Sequence[str]]
"""What the slider sets, and its value at each step, where steps are no moments."""


class Scene(Trace):
    """The steps of a scene.

    Args:
        name: the name for screen readers.
        steps: the steps; their texts contain no braces.
        dial: what the slider sets, if it is something else than the step.
    """

    def __init__(
        self, name: str, steps: Iterable[Step], dial: Dial | None = None
    ) -> None:
        self.name, self.steps, self.dial = name, list(steps), dial
        self.nodes, self.values, self.edges, self.rounds = [], [], [], []
        self.numbers = {}


def shown(scene: Scene, drawn: str, width: int, height: int, alt: str) -> Stepper:
    """Return a scene as an output.

    Args:
        scene: its steps.
        drawn: the parts and what stands still, as the inside of an SVG.
        width: the width of the drawing, in pixels.
        height: its height.
        alt: a description for readers who cannot see the drawing.
    """
    svg = (
        f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'xmlns="http://www.w3.org/2000/svg"><g font-size="12" text-anchor="middle" '
        'font-family="Helvetica,Arial,sans-serif" class="stepper-scene">'
        f"{drawn}</g></svg>"
    )
    return Stepper(scene, svg, alt)


def part(name: str, inside: str) -> str:
    """Return a part of a scene; `name` is a letter other than n or e, and digits."""
    return f'<g class="node {name}">{inside}</g>'


def frame(x: float, y: float, width: float, height: float) -> str:
    """Return the frame of a box, its corners as round as Graphviz makes them."""
    r = round(min(width, height, 36) / 3)
    w, h = width - 2 * r, height - 2 * r
    path = (
        f"M{x + r:g},{y:g}h{w:g}q{r},0 {r},{r}v{h:g}q0,{r} -{r},{r}"
        f"h{-w:g}q-{r},0 -{r},-{r}v{-h:g}q0,-{r} {r},-{r}z"
    )
    return f'<path fill="none" stroke="black" d="{path}"/>'


def cell(x: float, y: float, width: float, height: float) -> str:
    """Return the frame of a table's cell, or of a bar."""
    path = f"M{x:g},{y:g}h{width:g}v{height:g}h{-width:g}z"
    return f'<path fill="none" stroke="black" d="{path}"/>'


def words(
    x: float, y: float, text: str = "", anchor: str = "", colour: str = ""
) -> str:
    """Return a line of text, which a step may set if it stands in a part."""
    how = f' text-anchor="{anchor}"' if anchor else ""
    if colour:
        how += f' fill="{colour}" style="fill:{mixed(colour)}"'
    return f'<text x="{x:g}" y="{y:g}"{how}>{escape(text)}</text>'


def arrow(x: float, y: float, to_x: float, to_y: float) -> str:
    """Return a straight arrow with a small filled head at its end."""
    length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
    dx, dy = (to_x - x) / length, (to_y - y) / length
    foot_x, foot_y = to_x - 8 * dx, to_y - 8 * dy
    wings = foot_x - 2.8 * dy, foot_y + 2.8 * dx, foot_x + 2.8 * dy, foot_y - 2.8 * dx
    a, b, c, d = (f"{one:.1f}" for one in wings)
    return (
        f'<path fill="none" stroke="black" d="M{x:.4g},{y:.4g}L{foot_x:.1f},'
        f'{foot_y:.1f}"/><polygon fill="black" stroke="black" '
        f'points="{to_x:.1f},{to_y:.1f} {a},{b} {c},{d}"/>'
    )


def arrows(edges: Sequence[tuple[int, int]], corner: tuple[float, float]) -> str:
    """Return the arrows of a small graph whose boxes `row` draws.

    Args:
        edges: the numbers of the used box and of its user; the used one comes before.
        corner: the upper left corner of the graph.
    """
    drawn = []
    for k, (used, user) in enumerate(edges):
        (x, y), (to_x, to_y) = _place(used, corner), _place(user, corner)
        aside = 12 * ((used, user) in edges[:k])
        if y == to_y:
            drawn.append(arrow(x + WIDE, y + HIGH / 2, to_x, to_y + HIGH / 2))
        else:
            foot, head = (HIGH, 0) if to_y > y else (0, HIGH)
            begin, end = x + WIDE / 2 + 2 + aside, to_x + 7 + aside
            drawn.append(arrow(begin, y + foot, end, to_y + head))
    return "".join(drawn)


def row(
    name: str, labels: Sequence[str], corner: tuple[float, float], colour: str
) -> str:
    """Return the boxes of a small graph, from left to right, down and up in turn.

    A step gives each box its label, and a number that stands below that.

    Args:
        name: the beginning of the names of the parts, followed by the box's number.
        labels: the label of each box; one that is used stands before its users.
        corner: the upper left corner of the graph.
        colour: of the numbers.
    """
    drawn = []
    for i, label in enumerate(labels):
        x, y = _place(i, corner)
        inside = frame(x, y, WIDE, HIGH) + words(x + WIDE / 2, y + 11, label)
        inside += words(x + WIDE / 2, y + 24, colour=colour)
        drawn.append(part(f"{name}{i}", inside))
    return "".join(drawn)


def _place(i: int, corner: tuple[float, float]) -> tuple[float, float]:
    return corner[0] + ACROSS * i, corner[1] + DOWN * (1 - i % 2)
