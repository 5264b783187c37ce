"""Write results: a table, the same as JSON, and a page for each student."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from course.desk import free_response
from course.desk.results import SCORED, Result, write_whole
from course.desk.roster import Who
from course.hold.safe import cell, page_name, plain_text
from course.judge.verdict import Verdict
from course.sets import sections
from course.sets.questions import Question, Set

SIGNS = {"right": "✓", "wrong": "✗", "untouched": "○"}
SAID = {
    "untouched": "not attempted",
    "error": "the cell does not run",
    "timeout": "no answer in time",
    "crashed": "the program ended",
}
CASE = ("the check's input", "what came", "what is right")


def shown(points: float | None) -> str:
    """Return points as text for a table, empty where nothing was scored."""
    return "" if points is None else f"{points:g}"


def table(asked: Set, results: Sequence[Result]) -> str:
    """Return a CSV with a row for each student."""
    labels = [q.label for q in asked.questions]
    in_words = [q.label for q in free_response.questions(asked)]
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    head = ["student", "number", "status", "points", *labels, *in_words]
    rows.writerow([*head, "file", "notes"])
    for r in results:
        statuses = [r.verdicts[k].status if k in r.verdicts else "" for k in labels]
        by_hand = [
            shown(r.verdicts[k].points) if k in r.verdicts else "" for k in in_words
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


def feedback(asked: Set, result: Result, site: str = "") -> str:
    """Return a student's page, in Markdown: what is right, and where it is wrong.

    With the address of the book's site, it links to what explains a failed check.
    """
    lines = [f"# {asked.name}: {plain_text(result.student)}", ""]
    if result.status != SCORED:
        why = plain_text(result.note or result.status)
        lines.append(f"This file was not scored: {why}.")
        return "\n".join([*lines, ""])
    in_words = free_response.questions(asked)
    open_ones = [q.label for q in in_words if q.label not in result.verdicts]
    so_far = f" so far; {', '.join(open_ones)} is not graded yet" if open_ones else ""
    lines += [
        f"{shown(result.points)} of {free_response.most(asked):g} points{so_far}.",
        "",
    ]
    lines += [line_of(q, result, site) for q in asked.questions]
    for q in in_words:
        if v := result.verdicts.get(q.label):
            points = f"{v.points:g} of {q.points} points. {plain_text(v.message)}"
            lines.append(f"- **{q.label}**: {points}".rstrip())
    if result.note:
        lines += ["", plain_text(result.note)]
    return "\n".join([*lines, ""])


def line_of(question: Question, result: Result, site: str) -> str:
    """Return the line of one question in a student's page."""
    found = result.verdicts[question.label]
    sign = SIGNS.get(found.status, "✗")
    said = plain_text(said_of(found))
    points = f"{found.points:g} of {question.points:g}"
    line = f"- {sign} **{question.label}** `{question.name}`, {points}: {said}"
    see = f". {sections.link(found.section, site)}" if found.section else ""
    case = zip(CASE, map(plain_text, found.case), strict=False)
    return "\n".join(
        [line.rstrip(": ") + see, *(f"  - {name}: {value}" for name, value in case)]
    )


def said_of(found: Verdict) -> str:
    """Return the status in words, and the message."""
    return ": ".join(filter(None, [SAID.get(found.status, ""), found.message]))


def called(results: Sequence[Result]) -> dict[Who, str]:
    """Return a display name for each student, with a number where names collide.

    The names differ, those of the pages too, which hold no sign that files may not.
    """
    counts = Counter(page_name(r.student).casefold() for r in results)
    names: dict[Who, str] = {}
    for r in results:
        is_alone = counts[page_name(r.student).casefold()] == 1
        more = r.number or f"no. {len(names) + 1}"
        names.setdefault(r.who, r.student if is_alone else f"{r.student} ({more})")
    return names


def write_all(
    asked: Set, results: Sequence[Result], folder: Path, site: str = ""
) -> None:
    """Write the table, the JSON and the pages of a set into a folder."""
    write_whole(folder / f"{asked.name}.csv", table(asked, results))
    write_whole(folder / f"{asked.name}.json", as_json(asked, results))
    names = called(results)
    for result in results:
        page = folder / "feedback" / asked.name / f"{page_name(names[result.who])}.md"
        write_whole(page, feedback(asked, result, site))
