"""Which arrays are alive, moment by moment, and memory as a mountain (chapter 21).

A column is a moment. In `alive`, a row is an array; in `mountains`, the height is how
much is in memory, of one program or of several.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograd_lib.stepper.numbers import literal, short
from autograd_lib.stepper.page import Stepper
from autograd_lib.stepper.scene import Scene, cell, part, shown, words
from autograd_lib.stepper.steps import Step, joined

WIDE, HIGH = 22, 14  # a cell, in pixels
TALL, ACROSS = 60, 400  # a mountain, in pixels
MOST = 96  # columns of all mountains together; more moments share one
FRAME = 'fill="none" stroke="black"'
SHAPE = 'fill="black" fill-opacity="0.15" visibility="visible"'  # before its step, too

Moment = tuple[str, Sequence[str]]
"""What happens, and the names of the arrays that are alive then."""


def alive(moments: Sequence[Moment]) -> Stepper:
    """Show which arrays are alive at each moment of a program.

    Args:
        moments: for each moment what happens, as a sentence without its full stop, and
            the names of the arrays that are alive after it.

    Raises:
        ValueError: if no array is ever alive.

    >>> alive([("x arrives", ["x"]), ("h is made", ["x", "h"]), ("h goes", ["x"])])
    2 steps through a graph
      0. Start: x arrives. 1 array is alive: x.
      1. Moment 2: h is made. 2 arrays are alive: x and h.
      2. Finished: h goes. 1 array is alive: x.
    """
    names = list(dict.fromkeys(name for _, some in moments for name in some))
    if not names:
        raise ValueError("alive: no array is alive at any moment")
    left = 8 * max(map(len, names)) + 12
    steps = []
    drawn = [
        words(left - 6, 12 + HIGH * row, name, "end") for row, name in enumerate(names)
    ]
    for t, (happens, some) in enumerate(moments):
        lines = {}
        for row, name in enumerate(names):
            was = t > 0 and name in moments[t - 1][1]
            if name in some or was:
                look = "gone" if name not in some else "held" if was else "now"
                lines[f"a{t}_{row}"] = ("", "", look)
                inside = cell(left + WIDE * t, 2 + HIGH * row, WIDE - 2, HIGH - 2)
                drawn.append(part(f"a{t}_{row}", inside))
        lines[f"c{t}"] = (str(len(some)), "", "")
        drawn.append(
            part(f"c{t}", words(left + WIDE * t + WIDE / 2, 16 + HIGH * len(names)))
        )
        count = "1 array is" if len(some) == 1 else f"{len(some)} arrays are"
        said = f"{happens}. {count} alive: {joined(some) if some else 'none'}."
        steps.append(Step(titled(t, len(moments)), "", lines, literal(said)))
    most = max(len(some) for _, some in moments)
    alt = (
        f"A grid of {len(names)} arrays and {len(moments)} moments, a cell where an "
        f"array is alive; at most {most} are alive at once."
    )
    size = left + WIDE * len(moments) + 2, HIGH * (len(names) + 1) + 6
    return shown(Scene("Which arrays are alive", steps), "".join(drawn), *size, alt)


def titled(t: int, count: int) -> str:
    """Return the title of a moment."""
    return "Start" if t == 0 else "Finished" if t == count - 1 else f"Moment {t + 1}"


def mountains(unit: str, profiles: Mapping[str, Sequence[float]]) -> Stepper:
    """Show how much several programs hold in memory, moment by moment, to one scale.

    All mountains are there from the start, in grey.

    Args:
        unit: what is counted, such as "arrays" or "MB".
        profiles: for each program how much is in memory at each of its moments. Of
            many, a few in a row are shown as one, by the most that they hold.

    Raises:
        ValueError: if there is no program, or one without moments.

    >>> mountains("arrays", {"all kept": [1, 2, 1], "text by text": [1, 1, 1, 0]})
    3 steps through a graph
      0. Start: all kept holds 1 and text by text 1 arrays.
      1. Moment 2: all kept holds 2 and text by text 1 arrays.
      2. Moment 3: all kept holds 1 and text by text 1 arrays.
      3. Finished: At most: all kept 2 and text by text 1 arrays.
    """
    if not profiles or not all(profiles.values()):
        raise ValueError("mountains: takes one program or more, each with its moments")
    top = max(max(profile) for profile in profiles.values()) or 1.0
    longest = max(map(len, profiles.values()))
    run = -(-longest * len(profiles) // MOST)
    profiles = {name: peaks(profile, run) for name, profile in profiles.items()}
    last = -(-longest // run) - 1
    wide = max(ACROSS // (last + 1), 2)
    drawn, row = [], TALL + 26
    holds = "holds" if run == 1 else "holds at most"
    for k, (name, profile) in enumerate(profiles.items()):
        foot = row * k + row - 4
        drawn.append(words(2, row * k + 14, name, "start"))
        drawn.append(
            part(f"p{k}", words(wide * (last + 1), row * k + 14, anchor="end"))
        )
        for t, held in enumerate(profile):
            high = round(TALL * held / top)
            bar = cell(wide * t, foot - high, wide - 0.5, high)
            drawn.append(part(f"m{k}_{t}", bar.replace(FRAME, SHAPE)))
    steps = []
    for t in range(last + 1):
        lines = {}
        for k, profile in enumerate(profiles.values()):
            if t < len(profile):
                lines[f"m{k}_{t}"] = ("", "", "now")
                lines[f"p{k}"] = (
                    f"{short(max(profile[: t + 1]))} {unit} at most",
                    "",
                    "",
                )
            if 0 < t <= len(profile):
                lines[f"m{k}_{t - 1}"] = ("", "", "forth")
        now = [
            f"{name} {f'{holds} ' * (k == 0)}{short(profile[min(t, len(profile) - 1)])}"
            for k, (name, profile) in enumerate(profiles.items())
        ]
        most = [f"{name} {short(max(profile))}" for name, profile in profiles.items()]
        said = f"At most: {joined(most)}" if t == last else joined(now)
        title = titled(t, last + 1)
        steps.append(Step(title, "", lines, literal(f"{said} {unit}.")))
    alt = (
        f"Memory over time, a mountain each for {joined(list(profiles))}: at most "
        + joined([short(max(profile)) for profile in profiles.values()])
        + f" {unit}."
    )
    size = wide * (last + 1) + 2, row * len(profiles)
    return shown(Scene("Memory over time", steps), "".join(drawn), *size, alt)


def peaks(profile: Sequence[float], run: int) -> list[float]:
    """Return the largest number of each run of moments.

    >>> peaks([1, 4, 2, 3, 5], 2)
    [4, 3, 5]
    """
    return [max(profile[t : t + run]) for t in range(0, len(profile), run)]
