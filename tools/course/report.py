"""Write results: a table, the same as JSON, and a page for each student."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tools.course.questions import Question, Set
from tools.course.results import SCORED, Result, write_whole

SIGNS = {"right": "✓", "wrong": "✗", "untouched": "○"}
SAID = {
    "untouched": "not attempted",
    "missing": "not found in the notebook",
    "error": "the cell does not run",
    "timeout": "no answer in time",
    "crashed": "the program ended",
}
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def shown(points: float | None) -> str:
    """Return points as they stand in a table: nothing where nothing was scored."""
    return "" if points is None else f"{points:g}"


def cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    flat = " ".join(text.split())
    return "'" + flat if flat.startswith(FORMULA) else flat


def table(asked: Set, results: Sequence[Result], written: Sequence[str] = ()) -> str:
    """Return a CSV with a row for each student."""
    labels = [q.label for q in asked.questions]
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    head = ["student", "number", "status", "points", *labels, *written]
    rows.writerow([*head, "file", "notes"])
    for r in results:
        statuses = [r.verdicts[k].status if k in r.verdicts else "" for k in labels]
        by_hand = [
            shown(r.verdicts[k].points) if k in r.verdicts else "" for k in written
        ]
        notes = [
            f"{k}: {v.message}" for k, v in r.verdicts.items() if v.message
        ]  # fmt: skip
        rows.writerow(
            [cell(r.student), r.number, r.status, shown(r.points), *statuses, *by_hand,
             cell(r.file), cell("; ".join([*filter(None, [r.note]), *notes]))]
        )  # fmt: skip
    return out.getvalue()


def as_json(asked: Set, results: Sequence[Result]) -> str:
    """Return all results as JSON."""
    whole = {
        "set": asked.name,
        "points": {q.label: q.points for q in asked.questions},
        "results": [{**asdict(r), "points": r.points} for r in results],
    }
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def feedback(asked: Set, result: Result) -> str:
    """Return a student's page, in Markdown: what is right, and where it is wrong."""
    lines = [f"# {asked.name}: {plain_text(result.student)}", ""]
    if result.status != SCORED:
        lines.append(f"This file was not scored: {result.note or result.status}.")
        return "\n".join([*lines, ""])
    most = sum(q.points for q in asked.questions)
    lines += [f"{shown(result.points)} of {most:g} points.", ""]
    lines += [line_of(q, result) for q in asked.questions]
    lines += [
        f"- **{k}**: {v.points:g} points. {plain_text(v.message)}".rstrip()
        for k, v in result.verdicts.items()
        if v.status == "written"
    ]
    if result.note:
        lines += ["", plain_text(result.note)]
    return "\n".join([*lines, ""])


def line_of(question: Question, result: Result) -> str:
    """Return the line of one question in a student's page."""
    found = result.verdicts[question.label]
    sign = SIGNS.get(found.status, "✗")
    said = " ".join(
        filter(None, [SAID.get(found.status, ""), plain_text(found.message)])
    )
    points = f"{found.points:g} of {question.points:g}"
    return f"- {sign} **{question.label}** `{question.name}`, {points}: {said}".rstrip(
        ": "
    )


def plain_text(text: str) -> str:
    """Return a text in which nothing is Markdown or HTML."""
    return re.sub(r"([\\`*_{}\[\]<>()#+!|])", r"\\\1", " ".join(text.split()))


def page_name(student: str) -> str:
    """Return a file's name for a student, whatever the name holds."""
    return re.sub(r"[^\w.@ -]", "_", student).strip(". ") or "_"


def write_all(
    asked: Set, results: Sequence[Result], folder: Path, written: Sequence[str] = ()
) -> None:
    """Write the table, the JSON and the pages of a set into a folder."""
    write_whole(folder / f"{asked.name}.csv", table(asked, results, written))
    write_whole(folder / f"{asked.name}.json", as_json(asked, results))
    for result in results:
        page = folder / "feedback" / asked.name / f"{page_name(result.student)}.md"
        write_whole(page, feedback(asked, result))
