"""Fill a column of Canvas's own export of its gradebook, and change nothing else."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from tools.course.report import shown
from tools.course.results import SCORED, Result

IDENTITY = ("ID", "SIS Login ID", "SIS User ID", "Student")


class CanvasError(Exception):
    """The export is not one of Canvas's; the message says what is missing."""


def filled(export: Path, column: str, results: Sequence[Result], most: float) -> str:
    """Return the export with the points in a column, which is added if it is not there.

    A student is known by Canvas's number, or by one of the names. Who has nothing
    scored keeps what stands there.

    Raises:
        CanvasError: if the export has no students.
    """
    rows = list(csv.reader(io.StringIO(export.read_text(encoding="utf-8-sig"))))
    if not rows or "Student" not in rows[0]:
        raise CanvasError(f"{export.name} is no gradebook of Canvas's: no Student")
    head = rows[0]
    place = next((i for i, h in enumerate(head) if named(h, column)), len(head))
    identity = [i for i, h in enumerate(head) if h in IDENTITY]
    by_name = {simple(n): r for r in results for n in (r.student, r.number) if n}
    for row in rows:
        row.extend([""] * (max(place + 1, len(head)) - len(row)))
    if not head[place]:
        head[place] = column
    for row in rows[1:]:
        if row[head.index("Student")].strip() == "Points Possible":
            row[place] = row[place] or shown(most)
        for i in identity:
            found = by_name.get(simple(row[i]))
            if found and found.status == SCORED:
                row[place] = shown(found.points)
                break
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def named(head: str, column: str) -> bool:
    """Whether a heading is a column's, with Canvas's number behind it or without."""
    return head == column or head.startswith(f"{column} (")


def simple(name: str) -> str:
    """Return a name as Canvas's files have it: `Doe, Jane` is doejane."""
    return "".join(c for c in name.casefold() if c.isalnum())
