"""Answers in words: collected on one page for each question, scored by a person.

A master has a Markdown cell that begins with `**Written 1.5.** (4 points)`, and below
it one tagged `written`, which the student replaces. Points come back from a CSV, or
from copies of it, one for each assistant: `ps1-written.csv`, `ps1-written-ana.csv`, ….
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from nbformat import NotebookNode

from course.desk.results import SCORED, Result
from course.hold.safe import cell, plain_text, without_links
from course.judge.verdict import Verdict
from course.sets.questions import Set
from notebooks.notebook import tags

Whose = tuple[str, str]  # a student's name, and the number
Key = tuple[str, str, str]  # whose, and to which question
COLUMNS = ("student", "number", "question", "of", "points", "comment")
LONGEST = 20_000  # characters of an answer
MANY = 10  # answers that an error names
LABEL = re.compile(r"^\*\*Written (\d+\.\d+)\.\*\* \((\d+) points?\)", re.MULTILINE)


@dataclass(frozen=True)
class Written:
    """A question that is answered in words."""

    label: str
    points: int
    cell_id: str
    stub: str


def questions(asked: Set) -> list[Written]:
    """Return the questions of a set that are answered in words.

    Raises:
        ValueError: if a cell tagged `written` has no label above it.
    """
    found = []
    for above, below in pairwise(asked.notebook.cells):
        if "written" not in tags(below):
            continue
        label = LABEL.search(above.source)
        if not label:
            raise ValueError(
                f"{asked.path.name}: above a cell tagged written stands "
                f"**Written N.k.** (4 points), and not:\n{above.source}"
            )
        found.append(Written(label[1], int(label[2]), str(below.id), below.source))
    return found


def most(asked: Set) -> float:
    """Return the points of a whole set, free responses included."""
    in_code = sum(q.points for q in asked.questions)
    return in_code + sum(q.points for q in questions(asked))


def answer(notebook: NotebookNode, question: Written) -> str:
    """Return a student's text, by the cell's id or below the question's label."""
    cells = notebook.cells
    of_id = [c for c in cells if c.get("id") == question.cell_id]
    below = [
        c for above, c in pairwise(cells)
        if f"**Written {question.label}.**" in above.source
    ]  # fmt: skip
    text = next((str(c.source) for c in [*of_id, *below]), "")
    cut = f" … (cut at {LONGEST} characters)" if len(text) > LONGEST else ""
    return "" if text == question.stub else text[:LONGEST] + cut


def page(question: Written, texts: Mapping[Whose, str]) -> str:
    """Return the page with all students' answers to one question."""
    lines = [f"# Question {question.label}, {question.points} points", ""]
    for (student, number), text in sorted(texts.items()):
        shown = without_links(text) or "–"
        quoted = "\n".join(f"> {line}" for line in shown.splitlines())
        lines += [f"## {plain_text(f'{student} {number}')}", "", quoted, ""]
    return "\n".join(lines)


def form(
    asked: Sequence[Written], texts: Mapping[Whose, Mapping[str, str]], old: Path
) -> str:
    """Return the CSV for entering points, with the points entered so far.

    These stay when their student is not among the files of this run.
    """
    known = entered(old)
    here = {
        (cell(student), number, q.label): str(q.points)
        for student, number in sorted(texts)
        for q in asked
    }
    gone = {key: row for key, row in known.items() if key not in here}
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(COLUMNS)
    for key, worth in here.items():
        row = known.get(key, {})
        rows.writerow([*key, worth, row.get("points"), row.get("comment")])
    for row in gone.values():
        if row["points"] or row["comment"]:
            rows.writerow([row[name] for name in COLUMNS])
    return out.getvalue()


def entered(path: Path) -> dict[Key, dict[str, str]]:
    """Return the rows that a person filled in, by student, number and question.

    Raises:
        ValueError: if it has other columns, or two rows with points for an answer.
    """
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8-sig", newline="") as opened:
        rows = csv.DictReader(opened)
        if not {*COLUMNS} <= {*(rows.fieldnames or [])}:
            raise ValueError(
                f"{path.name}: it needs the columns {', '.join(COLUMNS)}, with commas "
                f"between them, and has {', '.join(rows.fieldnames or ['none'])}; to "
                "get an empty form, move it away and grade again"
            )
        clean = [{k: row[k] or "" for k in COLUMNS} for row in rows]
    found: dict[Key, dict[str, str]] = {}
    for row in clean:
        key = row["student"], row["number"], row["question"]
        if row["points"] and found.get(key, {}).get("points"):
            whose = f"{row['student']} {row['number']}".strip()
            raise ValueError(
                f"{path.name}: it has two rows for {whose}, {row['question']}"
            )
        if row["points"] or key not in found:
            found[key] = row
    return found


def copies(form: Path) -> list[Path]:
    """Return the form and the copies of it in which assistants enter points."""
    return [form, *sorted(form.parent.glob(f"{form.stem}-*.csv"))]


def merged(form: Path) -> dict[Key, tuple[float, str]]:
    """Return the points and comments that were entered, in whichever file.

    Raises:
        ValueError: if a file has no number of points in their column, or if two files
            give different ones for an answer.
    """
    given: defaultdict[Key, dict[str, float]] = defaultdict(dict)
    comments: defaultdict[Key, list[str]] = defaultdict(list)
    for path in copies(form):
        for key, row in entered(path).items():
            if row["points"]:
                given[key][path.name] = number_in(row, path)
            if row["comment"] and row["comment"] not in comments[key]:
                comments[key].append(row["comment"])
    torn = [
        f"{student} {number}".strip()
        + f", {label}: "
        + " and ".join(f"{points:g} in {name}" for name, points in by_file.items())
        for (student, number, label), by_file in given.items()
        if len({*by_file.values()}) > 1
    ]
    if torn:
        more = f"; and {len(torn) - MANY} more" if len(torn) > MANY else ""
        raise ValueError(
            "Two files give different points for one answer. Agree, clear one of "
            f"them, and grade again: {'; '.join(torn[:MANY])}{more}."
        )
    return {
        key: (next(iter(by_file.values())), "; ".join(comments[key]))
        for key, by_file in given.items()
    }


def with_points(
    results: Sequence[Result], points: Mapping[Key, tuple[float, str]]
) -> list[Result]:
    """Return results with the points that were entered."""
    return [
        replace(
            r,
            verdicts={
                **r.verdicts,
                **{
                    label: Verdict("written", *found)
                    for (student, number, label), found in points.items()
                    if r.status == SCORED
                    and (student, number) == (cell(r.student), r.number)
                },
            },
        )
        for r in results
    ]


def number_in(row: Mapping[str, str], path: Path) -> float:
    """Return the points in a row of the form; a decimal comma is one."""
    try:
        points, worth = (float(row[k].replace(",", ".")) for k in ("points", "of"))
    except ValueError:
        points = worth = math.nan
    if not 0 <= points <= worth:
        raise ValueError(
            f"{path.name}: the points of {row['student']} for {row['question']} are a "
            f"number from 0 to {row['of']}, got {row['points']!r}"
        )
    return points
