"""Three optimisers in one valley, with a slider for their rate.

Chapters 16 and 20 show it.

Paths are calculated for each rate before, so that no kernel is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby, pairwise

from autograd_lib.stepper.numbers import literal, short
from autograd_lib.stepper.page import Stepper
from autograd_lib.stepper.scene import BLUE, ORANGE, Scene, part, shown, words
from autograd_lib.stepper.steps import Step, joined

Point = tuple[float, float]
Path = Callable[[float], Sequence[Point]]
"""The places that an optimiser comes to at a rate, from the start."""
WIDE, HIGH = 420, 200
COLOURS = (BLUE, ORANGE, "#008a63")
RINGS = (0.02, 0.1, 0.3, 0.7)


def valley(
    height: Callable[[float, float], float],
    paths: Mapping[str, Path],
    rates: Sequence[float],
    view: tuple[float, float, float, float],
) -> Stepper:
    """Show where optimisers go in a valley, for the rate that the slider sets.

    Args:
        height: the height of the valley at a place, lowest where it should end.
        paths: for each of one to three optimisers its path at a rate.
        rates: the rates of the slider, at least two.
        view: what is drawn, from x and to x, from y and to y. What lies outside is
            drawn at the edge.

    Raises:
        ValueError: if there are other numbers of optimisers or rates.

    >>> def descent(rate):
    ...     return [(4 * (1 - 2 * rate) ** k, 1.0) for k in range(9)]
    >>> view = -5, 5, 0, 2
    >>> shown = valley(lambda x, y: x * x, {"descent": descent}, [0.1, 0.5], view)
    >>> print(str(shown).splitlines()[-1])
      1. Rate 0.5: After 8 steps: descent at height 0.
    """
    if not 1 <= len(paths) <= len(COLOURS) or len(rates) < 2:
        raise ValueError("valley: takes one to three optimisers, and two rates or more")
    x0, x1, y0, y1 = view

    def at(x: float, y: float) -> tuple[int, int]:
        # The comparison is false for nan, which an overflow may give.
        across = min(max((x - x0) / (x1 - x0), 0), 1) if x == x else 1.0
        up = min(max((y - y0) / (y1 - y0), 0), 1) if y == y else 1.0
        return round(WIDE * across), round(20 + HIGH * (1 - up))

    drawn, steps = [ground(height, view)], []
    for i, name in enumerate(paths):
        colour = COLOURS[i]
        drawn.append(words(4 + 140 * i, 13, name, "start", colour))
    before: list[str] = []
    for k, rate in enumerate(rates):
        ends, names = [], []
        for i, (name, path) in enumerate(paths.items()):
            points = list(path(rate))
            line = way([at(*point) for point in points])
            # A style, since what is new has another colour elsewhere.
            look = f"fill:none;stroke:{COLOURS[i]};stroke-width:1.8"
            drawn.append(part(f"p{k}_{i}", f'<path style="{look}" d="{line}"/>'))
            names.append(f"p{k}_{i}")
            ends.append(f"{name} at height {short(height(*points[-1]))}")
        lines = dict.fromkeys(before, ("", "", "off"))
        lines |= dict.fromkeys(names, ("", "", ""))
        count = len(points) - 1
        said = literal(f"After {count} steps: {joined(ends)}.")
        steps.append(Step(f"Rate {short(rate)}", "", lines, said))
        before = names
    alt = (
        f"A valley seen from above, with the paths of {joined(list(paths))} from one "
        f"place, at a rate from {short(rates[0])} to {short(rates[-1])}."
    )
    scene = Scene(
        f"{joined(list(paths))} in one valley",
        steps,
        ("Rate", [f"rate {short(rate)}" for rate in rates]),
    )
    return shown(scene, "".join(drawn), WIDE, HIGH + 20, alt)


def way(places: Sequence[tuple[int, int]]) -> str:
    """Return the path through some places, each as what it is away from the last.

    >>> way([(210, 120), (207, 121), (207, 121), (209, 120)])
    'M210,120l-3,1 2,-1'
    """
    (x, y), *others = (place for place, _ in groupby(places))
    pairs = pairwise([(x, y), *others])
    moves = " ".join(f"{to_x - x},{to_y - y}" for (x, y), (to_x, to_y) in pairs)
    return f"M{x},{y}l{moves}"


def ground(
    height: Callable[[float, float], float], view: tuple[float, float, float, float]
) -> str:
    """Return the valley as cells, the darker the lower."""
    x0, x1, y0, y1 = view
    across, down = 28, 16
    wide, high = WIDE / across, HIGH / down
    heights = [
        [
            height(
                x0 + (x1 - x0) * (i + 0.5) / across, y1 - (y1 - y0) * (j + 0.5) / down
            )
            for i in range(across)
        ]
        for j in range(down)
    ]
    low, top = min(map(min, heights)), max(map(max, heights))
    paths = []
    for ring in RINGS:
        cells = ""
        for j, row in enumerate(heights):
            low_enough = [one <= low + ring * (top - low) for one in row]
            at = 0
            for is_low, run in groupby(low_enough):
                length = len(list(run))
                if is_low:
                    x, y = wide * at, 20 + high * j
                    cells += f"M{x:.0f},{y:g}h{wide * length:.0f}v{high:g}H{x:.0f}z"
                at += length
        paths.append(f'<path fill="black" fill-opacity="0.07" d="{cells}"/>')
    return "".join(paths)
