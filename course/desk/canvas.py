"""Fill a column of Canvas's own export of its gradebook, and change nothing else."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Sequence
from operator import itemgetter
from pathlib import Path
from typing import TypeVar

from course.desk.report import shown
from course.desk.results import SCORED, Result

IDENTITY = ("ID", "SIS Login ID", "SIS User ID", "Student")

T = TypeVar("T")


class CanvasError(Exception):
    """The export is not one of Canvas's; the message says what is missing."""


def filled(export: Path, column: str, results: Sequence[Result], most: float) -> str:
    """Return the export with the points in a column, which is added if it is not there.

    A student is known by Canvas's number or, where files have none, by a name that is
    nobody else's. Who has nothing scored keeps what stands there.

    Raises:
        CanvasError: if the export has no students.
    """
    rows = list(csv.reader(io.StringIO(export.read_text(encoding="utf-8-sig"))))
    if not rows or "Student" not in rows[0]:
        raise CanvasError(f"{export.name} is no gradebook of Canvas's: no Student")
    head = rows[0]
    place = next((i for i, h in enumerate(head) if named(h, column)), len(head))
    for row in rows:
        row.extend([""] * (max(place + 1, len(head)) - len(row)))
    if not head[place]:
        head[place] = column
    waiting = []
    for row in rows[1:]:
        if row[head.index("Student")].strip() == "Points Possible":
            row[place] = row[place] or shown(most)
        else:
            waiting.append(row)
    scored = [r for r in results if r.status == SCORED]
    left = once(scored, lambda r: r.number or r.student)
    for i in (head.index(name) for name in IDENTITY if name in head):
        for name, row in once(waiting, itemgetter(i)).items():
            if found := left.pop(name, None):
                waiting = [other for other in waiting if other is not row]
                row[place] = shown(found.points)
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def once(things: Sequence[T], name: Callable[[T], str]) -> dict[str, T]:
    """Return things by name, without those whose name occurs twice."""
    counts = Counter(simple(name(thing)) for thing in things)
    return {
        simple(name(thing)): thing
        for thing in things
        if counts[simple(name(thing))] == 1
    }


def named(head: str, column: str) -> bool:
    """Whether a heading names a column, with or without Canvas's number after it."""
    return head == column or head.startswith(f"{column} (")


def simple(name: str) -> str:
    """Return a name as Canvas's files have it: `Doe, Jane` is doejane."""
    return "".join(c for c in name.casefold() if c.isalnum())
