"""Answers in words: collected on one page for each question, scored by a person.

A master has a Markdown cell that begins with `**Written 1.5.** (4 points)`, and below
it one tagged `written`, which the student replaces. Points come back from a CSV.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from nbformat import NotebookNode

from tools.course.judge import Verdict
from tools.course.questions import Set
from tools.course.report import plain_text
from tools.course.results import SCORED, Result
from tools.notebooks import tags

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
    for above, cell in pairwise(asked.notebook.cells):
        if "written" not in tags(cell):
            continue
        label = LABEL.search(above.source)
        if not label:
            raise ValueError(
                f"{asked.path.name}: above a cell tagged written stands "
                f"**Written N.k.** (4 points), and not:\n{above.source}"
            )
        found.append(Written(label[1], int(label[2]), str(cell.id), cell.source))
    return found


def answer(notebook: NotebookNode, question: Written) -> str:
    """Return what a student wrote: by the cell's id, or below the question's label."""
    cells = notebook.cells
    for cell in cells:
        if cell.get("id") == question.cell_id:
            return "" if cell.source == question.stub else str(cell.source)
    for above, cell in pairwise(cells):
        if f"**Written {question.label}.**" in above.source:
            return "" if cell.source == question.stub else str(cell.source)
    return ""


def page(question: Written, texts: Mapping[str, str]) -> str:
    """Return the page with all students' answers to one question."""
    lines = [f"# Question {question.label}, {question.points} points", ""]
    for student, text in sorted(texts.items()):
        quoted = "\n".join(f"> {line}" for line in (text or "–").splitlines())
        lines += [f"## {plain_text(student)}", "", quoted, ""]
    return "\n".join(lines)


def form(
    asked: Sequence[Written], texts: Mapping[str, Mapping[str, str]], old: Path
) -> str:
    """Return the CSV in which points are entered, with those that were entered."""
    known = entered(old)
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["student", "question", "of", "points", "comment"])
    for student in sorted(texts):
        for q in asked:
            points, comment = known.get((student, q.label), ("", ""))
            rows.writerow([student, q.label, q.points, points, comment])
    return out.getvalue()


def entered(path: Path) -> dict[tuple[str, str], tuple[str, str]]:
    """Return points and comments that a person entered, by student and question."""
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8", newline="") as opened:
        return {
            (row["student"], row["question"]): (row["points"], row["comment"] or "")
            for row in csv.DictReader(opened)
        }


def with_points(results: Sequence[Result], path: Path) -> list[Result]:
    """Return results with the points that were entered.

    Raises:
        ValueError: if what stands in the column is no number.
    """
    found = []
    known = entered(path)
    for result in results:
        verdicts = dict(result.verdicts)
        for (student, label), (points, comment) in known.items():
            if student == result.student and points and result.status == SCORED:
                verdicts[label] = Verdict("written", float(points), comment)
        found.append(replace(result, verdicts=verdicts))
    return found
