"""The shape of a chapter, as a function that returns what is missing from it.

It holds every chapter to its shape as far as a program can see it: how long it takes
and what it needs, a picture, a short summary, exercises, and further reading.
The last page of the book looks back: it has headings of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from nbformat import NotebookNode

from notebooks.exercises import LABEL, exercises
from notebooks.further import blocks, link_at, numbers_said
from notebooks.notebook import code_cells
from tests.book.helpers.contents import CONTENTS

OPENING = ("**Time:**", "**You need:**")
CLOSING = ("Summary", "Exercises", "Further reading")
LOOKING_BACK = ("What all engines share", "What was left out", "What you can do now")
SUMMARY_LINES = 5
FEWEST_EXERCISES = 3

HEADING = re.compile(r"^## +(.+?) *$", re.MULTILINE)


def missing_pieces(
    notebook: NotebookNode, number: int, further: Sequence[str] = ()
) -> list[str]:
    """Return what chapter `number` lacks of a chapter's shape.

    Args:
        notebook: the chapter's page.
        number: the chapter.
        further: the numbers of its exercises on the page of its part.
    """
    text = "\n\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    missing = missing_anywhere(notebook)
    headings = HEADING.findall(text)
    if headings[-1:] == ["Next"]:  # of chapters that are not edited yet
        headings.pop()
    if headings[-len(CLOSING) :] != list(CLOSING):
        missing.append(f"the last headings are not {', '.join(CLOSING)}")
    points = re.findall(r"(?m)^- ", section(text, "Summary"))
    if len(points) != SUMMARY_LINES:
        missing.append(f"the summary has {len(points)} points, not {SUMMARY_LINES}")
    labels = in_order([*further, *asked(notebook)])
    wanted = [f"{number}.{k}" for k in range(1, len(labels) + 1)]
    if labels != wanted:
        missing.append(f"the exercises are numbered {labels}, not {wanted}")
    if (said := said_below_exercises(notebook)) != in_order(further):
        missing.append(f"the line below Exercises says {said}, not {list(further)}")
    if len(labels) < FEWEST_EXERCISES:
        missing.append(f"there are {len(labels)} exercises of {FEWEST_EXERCISES}")
    if "../pages/bibliography.md#" not in section(text, "Further reading"):
        missing.append("further reading cites nothing, ../pages/bibliography.md#key")
    return missing


def said_below_exercises(notebook: NotebookNode) -> list[str]:
    """Return the exercises of which the line below the heading says where they are."""
    at = link_at(notebook)
    if not at or not notebook.cells[at - 1].source.endswith("## Exercises"):
        return []
    return numbers_said(notebook.cells[at].source)


def missing_anywhere(notebook: NotebookNode) -> list[str]:
    """Return what a notebook lacks of what each has, the last page too."""
    first = next(c.source for c in notebook.cells if c.cell_type == "markdown")
    missing = []
    if not re.match(r"# \S", first):
        missing.append("the first cell does not begin with a title, `# …`")
    for mark in OPENING:
        if not re.search(rf"{re.escape(mark)} \S", first):
            missing.append(f"the first cell has no line {mark} …")
    if not any(
        "image/svg+xml" in output.get("data", {})
        for cell in code_cells(notebook)
        for output in cell.outputs
    ):
        missing.append("no cell shows a picture")
    return missing


def missing_from_further(notebook: NotebookNode) -> list[str]:
    """Return what a part's page of further exercises lacks."""
    missing = []
    if not re.match(r"# \S", notebook.cells[0].source):
        missing.append("the first cell does not begin with a title, `# …`")
    for number, block in blocks(notebook).items():
        labels = [exercise.label for exercise in exercises(block)]
        if f"]({number:02}_" not in block.cells[0].source:
            missing.append(f"the heading of chapter {number:02} lacks a link to it")
        if not asked(block):
            missing.append(f"the block of chapter {number:02} has no exercise")
        if labels != in_order(labels):
            missing.append(f"the exercises of chapter {number:02} are not in order")
        wrong = [label for label in asked(block) if not label.startswith(f"{number}.")]
        if wrong:
            missing.append(f"exercises {wrong} are not of chapter {number:02}")
    there = list(blocks(notebook))
    if there != [c.number for c in CONTENTS if c.number in there]:
        missing.append("the chapters are not in order")
    if not blocks(notebook):
        missing.append("no heading begins with `## Chapter NN: `")
    return missing


def asked(notebook: NotebookNode) -> list[str]:
    """Return the numbers of all exercises, of those in words too."""
    cells = [c for c in notebook.cells if c.cell_type == "markdown"]
    return [label for cell in cells for label in LABEL.findall(cell.source)]


def in_order(labels: Iterable[str]) -> list[str]:
    """Return numbers of exercises of one chapter in their order: 5.9, then 5.10."""
    return sorted(labels, key=lambda label: int(label.partition(".")[2]))


def missing_at_the_end(notebook: NotebookNode) -> list[str]:
    """Return what the last page of the book lacks."""
    text = "\n\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    missing = missing_anywhere(notebook)
    if HEADING.findall(text)[-len(LOOKING_BACK) :] != list(LOOKING_BACK):
        missing.append(f"the last headings are not {', '.join(LOOKING_BACK)}")
    if "../pages/bibliography.md#" not in section(text, "What was left out"):
        missing.append("what was left out cites nothing, ../pages/bibliography.md#key")
    return missing


def section(text: str, heading: str) -> str:
    """Return the text below a heading, up to the next one; empty if there is none."""
    pieces = HEADING.split(text)
    named = dict(zip(pieces[1::2], pieces[2::2], strict=True))
    return named.get(heading, "")
