"""Roads through the book: lists of sections, read from their page."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from nbformat import NotebookNode

from notebooks.notebook import ROOT, read
from tests.book.helpers.contents import place_of
from tests.book.helpers.growth import Term, early_terms, prose
from tools.budget import budget

STEP = re.compile(r"(?m)^- \[[^\]]*\]\(\.\./chapters/([\w.]+)(?:#([\w-]+))?\)")
BOX = re.compile(r"(?s):::\{admonition\}[^\n]*\n(.*?)\n:::")
OPENING = "*"  # what stands above a chapter's first heading but its title
LATER = 99  # the place of what a road leaves out
HEADING = re.compile(r"(?m)^(#+) +(.+?) *$")


@dataclass(frozen=True)
class Step:
    """A section of a chapter, or the whole, if the section is ""."""

    page: str
    section: str

    @property
    def place(self) -> int:
        """Which chapter of the book it is, from 0."""
        return place_of(self.page.removesuffix(".ipynb"))


@dataclass(frozen=True)
class Road:
    """A road: its title, its steps, what its box says, and the minutes it claims.

    They are with half of the exercises of its pages, or without, if it says so.
    """

    title: str
    steps: tuple[Step, ...]
    box: str
    minutes: int
    exercises: bool = True


def roads() -> list[Road]:
    """Return the roads of the page that are lists of sections."""
    text = (ROOT / "pages" / "roads.md").read_text("utf-8")
    found = []
    for part in re.split(r"(?m)^## ", text)[1:]:
        steps = tuple(Step(page, section or "") for page, section in STEP.findall(part))
        said = re.search(r"(\d+) minutes", part)
        if steps:
            box = "\n".join(BOX.findall(part))
            minutes = int(said[1]) if said else 0
            exercises = "without exercises" not in part
            found.append(Road(part.splitlines()[0], steps, box, minutes, exercises))
    return found


def anchor(title: str) -> str:
    """Return the anchor of a heading, as the pages have it."""
    kept = re.sub(r"[^\w\- ]", "", re.sub(r"[`*$]", "", title).lower())
    return kept.strip().replace(" ", "-")


def cells_of(step: Step) -> NotebookNode:
    """Return a chapter with the cells of a section alone, without exercises.

    Raises:
        LookupError: if there is no such section.
    """
    page = read(ROOT / "chapters" / step.page)
    kept, inside, level = [], step.section in ("", OPENING), 0
    for cell in page.cells:
        if cell.cell_type != "markdown":
            kept += [cell] if inside else []
            continue
        pieces = []
        for piece in re.split(r"(?m)^(?=#+ )", cell.source):
            head = HEADING.match(piece)
            if head is not None and step.section == OPENING:
                inside = inside and len(head[1]) == 1
            elif head is not None and step.section:
                if anchor(head[2]) == step.section:
                    inside, level = True, len(head[1])
                elif inside and len(head[1]) <= level:
                    inside = False
            pieces += [piece] if inside else []
        if pieces:
            cell.source = "".join(pieces)
            kept.append(cell)
    if not kept:
        raise LookupError(f"{step.page} has no section {step.section!r}")
    page.cells = kept
    return page


def minutes(road: Road) -> float:
    """Return how long a road takes, by the rule of `tools.budget`."""
    pages = {step.page for step in road.steps if step.section}
    openings = sum(budget(cells_of(Step(page, OPENING))).minutes for page in pages)
    sections = [budget(cells_of(step)) for step in road.steps]
    left_out = 0 if road.exercises else 2 * sum(one.exercises for one in sections)
    return openings + sum(one.minutes for one in sections) - left_out


def off_the_road(term: Term, step: Step, passed: set[int], box: str) -> bool:
    """Return whether a term comes from a chapter that was left out, and no box."""
    said = any(name.lower() in box.lower() for name in term.names)
    return term.place <= step.place and term.place not in passed and not said


def unknown_terms(road: Road, terms: list[Term]) -> dict[str, list[str]]:
    """Return the terms of each step that neither the road before it nor its box has."""
    passed: set[int] = set()
    found = {}
    for step in road.steps:
        passed.add(step.place)
        text = prose(cells_of(step))
        judged = [
            replace(t, place=LATER if off_the_road(t, step, passed, road.box) else 0)
            for t in terms
        ]
        early = early_terms(text, LATER - 1, judged)
        if early:
            found[f"{step.page} {step.section}"] = early
    return found
