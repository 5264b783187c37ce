"""An all-reduce around a ring of ranks (chapter 24).

Each rank has as many parts of an array as there are ranks. In the first half of the
steps, parts go around and are added; in the second, the sums go around.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

from autograd_lib.stepper.numbers import short
from autograd_lib.stepper.page import Stepper
from autograd_lib.stepper.scene import Scene, arrow, cell, part, shown, words
from autograd_lib.stepper.steps import Step

WIDE, HIGH = 34, 18  # a part, in pixels


def ring(arrays: Sequence[Sequence[float]]) -> Stepper:
    """Show how each of some ranks gets the sum of the arrays of all.

    Args:
        arrays: for each of two to six ranks an array, of as many numbers.

    Raises:
        ValueError: if there is another number of ranks, or of numbers.

    >>> print(str(ring([[1, 2], [10, 20]])).splitlines()[-1])
      3. Finished: Every rank has 11, 22. Each has sent 2 parts in 2 steps.
    """
    n = len(arrays)
    if not 2 <= n <= 6 or any(len(array) != n for array in arrays):
        raise ValueError(
            "ring: takes two to six ranks, with as many numbers each; got "
            f"{[len(array) for array in arrays]}"
        )
    held = [list(map(float, array)) for array in arrays]
    steps = [
        Step(
            "Start",
            "",
            {
                f"c{r}{k}": (short(held[r][k]), "", "")
                for r in range(n)
                for k in range(n)
            },
            f"{n} ranks, each with an array of its own, in {n} parts.",
        )
    ]
    before: list[tuple[int, int]] = []
    for t in range(2 * (n - 1)):
        adds = t < n - 1
        # A part that is whole goes on from where the adding ended.
        first = -t if adds else n - t
        sent = [(r, (r + first) % n) for r in range(n)]
        given = [held[r][k] for r, k in sent]
        now = [((r + 1) % n, k) for r, k in sent]
        for (r, k), amount in zip(now, given, strict=True):
            held[r][k] = held[r][k] + amount if adds else amount
        # What is added up when the gathering begins is whole.
        lines = {
            f"c{r}{k}": (short(held[r][k]), "", "" if adds else "back")
            for r, k in before
            if t < n
        }
        look = "now" if adds else "back"
        lines |= {f"c{r}{k}": (short(held[r][k]), "", look) for r, k in now}
        verb = "adds it to its own" if adds else "keeps it, as a whole sum"
        part_ = now[-1][1]
        said = (
            f"Each rank sends a part to the next one, which {verb}: rank 0 gets part "
            f"{part_}, now {short(held[0][part_])}."
        )
        steps.append(Step("Reduce" if adds else "Gather", "", lines, said))
        before = now
    sums = ", ".join(short(x) for x in held[0])
    count = 2 * (n - 1)
    ends = f"Every rank has {sums}. Each has sent {count} parts in {count} steps."
    steps.append(Step("Finished", "", {}, ends))
    alt = f"A ring of {n} ranks, each with {n} parts of an array; arrows to the next."
    return shown(Scene(f"A ring of {n} ranks", steps), *drawn(n), alt)


def drawn(n: int) -> tuple[str, int, int]:
    """Return the ranks on a ring, with its width and height."""
    across, down = 60 + 26 * n, 34 + 12 * n
    wide = WIDE * n
    middles = [
        (across * sin(2 * pi * r / n), -down * cos(2 * pi * r / n)) for r in range(n)
    ]
    left, top = across + wide / 2 + 4, down + HIGH + 20
    parts = []
    for r, (x, y) in enumerate(middles):
        to_x, to_y = middles[(r + 1) % n]
        ends = [
            (left + x + (to_x - x) * way, top + y + (to_y - y) * way)
            for way in (0.38, 0.62)
        ]
        parts.append(arrow(*ends[0], *ends[1]))
        corner = left + x - wide / 2
        parts.append(words(left + x, top + y - HIGH / 2 - 5, f"rank {r}"))
        for k in range(n):
            inside = cell(corner + WIDE * k, top + y - HIGH / 2, WIDE - 2, HIGH)
            middle = corner + WIDE * k + WIDE / 2 - 1
            parts.append(part(f"c{r}{k}", inside + words(middle, top + y + 4)))
    return "".join(parts), round(2 * left), round(2 * top)
