"""Who is in the class: from a CSV of one's own, or from Canvas's export."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

Who = tuple[str, str]


def who(student: str, number: str) -> Who:
    """Return the key of a student: the number, or the name where there is none.

    Two students of one name have two numbers.
    """
    return (number, "") if number else ("", student)


@dataclass(frozen=True)
class Student:
    """A name, as files are called, and a number, where the system has one."""

    name: str
    number: str = ""


def roster(own: Path | None, canvas: Path | None = None) -> list[Student]:
    """Return everybody in the class; nobody if neither file is given.

    Raises:
        ValueError: if the CSV has no column `student`.
    """
    path = own or canvas
    if path is None:
        return []
    with path.open(encoding="utf-8-sig", newline="") as opened:
        rows = csv.DictReader(opened)
        heads = {h.casefold(): h for h in rows.fieldnames or []}
        if "student" not in heads:
            raise ValueError(f"{path.name}: it needs a column called student")
        name, number = heads["student"], heads.get("number") or heads.get("id")
        people = [
            Student((row[name] or "").strip(), (row[number] or "").strip())
            if number
            else Student((row[name] or "").strip())
            for row in rows
        ]
    return [p for p in people if p.name and p.name != "Points Possible"]
