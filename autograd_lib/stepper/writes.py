"""The clock of writes: versions of memory, which a backward pass compares (chapter 14).

Each write into memory makes its clock go on by one. Who saves an array writes down the
time. If it is another time when the array is read, the array is not what was saved.
"""

from __future__ import annotations

from collections.abc import Iterable

from autograd_lib.stepper.numbers import literal
from autograd_lib.stepper.page import Stepper
from autograd_lib.stepper.scene import Scene, frame, part, shown, words
from autograd_lib.stepper.steps import Step

WIDE, HIGH, TOP = 58, 40, 22  # a moment, and a memory's row, in pixels
Event = tuple[str, str, str]
"""The memory, what happens to it ("save", "write" or "read"), and by which code."""


def writes(events: Iterable[Event]) -> Stepper:
    """Show the versions of some memory, and whether what was saved still holds.

    Args:
        events: in order, the memory's name; "save", "write" or "read"; and the code
            that does it, or the name of who saves: a read compares with the last save
            by the same name.

    Raises:
        ValueError: if something else happens, or what was never saved is read.

    >>> saved, written = ("w", "save", "w * w"), ("w", "write", "w -= d")
    >>> writes([saved, written, ("w", "read", "w * w")])
    3 steps through a graph
      0. Start: w has version 0.
      1. Forward: w * w saves w, at version 0.
      2. Write: w -= d writes into w: version 1.
      3. Backward: w * w reads w: saved at version 0, now 1. An error.
    """
    events = list(events)
    names = list(dict.fromkeys(name for name, *_ in events))
    left = 9 * max(map(len, names), default=0) + 12
    version = dict.fromkeys(names, 0)
    saved: dict[tuple[str, str], int] = {}
    drawn = [
        words(left - 6, TOP + HIGH * row + 18, name, "end")
        for row, name in enumerate(names)
    ]
    lines: dict[str, tuple[str, str, str]] = {}
    steps = [
        Step(
            "Start",
            "",
            lines,
            literal(", ".join(f"{n} has version 0" for n in names) + "."),
        )
    ]
    for row in range(len(names)):
        lines[f"v{row}_0"] = ("0", "", "")
        drawn.append(moment(f"v{row}_0", left, row))
    for t, (name, what, by) in enumerate(events, 1):
        row = names.index(name)
        title, look = "Forward", "forth"
        if what == "save":
            saved[name, by] = version[name]
            said = f"{by} saves {name}, at version {version[name]}."
        elif what == "write":
            version[name] += 1
            title, look = "Write", "now"
            said = f"{by} writes into {name}: version {version[name]}."
        elif what == "read" and (name, by) in saved:
            was, now = saved[name, by], version[name]
            title, look = "Backward", "back"
            ends = "As it was." if was == now else "An error."
            said = f"{by} reads {name}: saved at version {was}, now {now}. {ends}"
        else:
            raise ValueError(
                f"writes: {what!r} of {name!r} by {by!r}; memory is saved, "
                "written into, or read by one who saved it"
            )
        mark = f"{what} {'✗' if 'error' in said else ''}".strip()
        part_ = f"v{row}_{t}"
        drawn.append(moment(part_, left + WIDE * t, row))
        steps.append(
            Step(title, "", {part_: (str(version[name]), mark, look)}, literal(said))
        )
    alt = (
        f"Time lines of {len(names)} memories, each with its version at the moments, "
        f"{len(events)} in all, at which it is saved, written into or read."
    )
    size = left + WIDE * (len(events) + 1) + 2, TOP + HIGH * len(names)
    return shown(Scene("The clock of writes", steps), "".join(drawn), *size, alt)


def moment(name: str, x: float, row: int) -> str:
    """Return a box for a version, with a line above it for what happens."""
    y = TOP + HIGH * row
    inside = frame(x, y, WIDE - 8, 24) + words(x + WIDE / 2 - 4, y + 17)
    return part(name, inside + words(x + WIDE / 2 - 4, y - 4))
