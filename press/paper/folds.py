"""Move folded parts of a page to the end of its chapter, for e-readers.

Many e-readers show folds open, which would give each answer away below its question.
So a fold becomes a link to its content at the end of the chapter, and a link there
leads back.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from bs4 import BeautifulSoup, Tag

NEW = BeautifulSoup("", "html.parser")
EXERCISE = re.compile(r"Exercise \d+\.\d+")
ASKING = re.compile(r"^(exercises|chapter-\d\d-.*)$")
"""The section of a chapter's exercises, and those of a page of further ones."""
ANSWERS = "I have decided"
SOLUTIONS, DECIDED, OTHERS = "solutions", "answers", "folded"
TITLES = {
    SOLUTIONS: "Solutions",
    DECIDED: "Answers to the questions",
    OTHERS: "Code and details",
}


class Fold(NamedTuple):
    """A fold: its kind, its title, and its place."""

    kind: str
    words: str
    place: str
    details: Tag


def to_the_end(body: Tag) -> None:
    """Move the folded parts of a chapter to its end."""
    found = [fold_of(details) for details in body.find_all("details")]
    for kind, title in TITLES.items():
        folds = [fold for fold in found if fold.kind == kind]
        if not folds:
            continue
        section = made("section", id=kind)
        section.append(made("h2", title))
        for number, fold in enumerate(folds, 1):
            section.append(moved(fold, f"{kind}-{number}"))
        body.append(section)


def fold_of(details: Tag) -> Fold:
    """Return a description of a fold, and remove its title."""
    summary = details.find("summary")
    words = ""
    if isinstance(summary, Tag):
        # One of a cell's two titles shows while it is folded.
        words = plain(summary.select_one(".collapsed") or summary)
        summary.decompose()
    exercise = details.find_previous(begins_an_exercise)
    is_cell = "hide" in details.get_attribute_list("class")
    if words.startswith(ANSWERS) or is_answer(details):
        return Fold(DECIDED, words, place_of(details), details)
    if exercise and not is_cell and details.find_parent("section", id=ASKING):
        name = plain(exercise).rstrip(".")
        return Fold(SOLUTIONS, words, name, details)
    words = words.removeprefix("Show ")
    return Fold(OTHERS, words[:1].upper() + words[1:], place_of(details), details)


def is_answer(details: Tag) -> bool:
    """Return whether a fold answers a question to the reader."""
    classes = details.get_attribute_list("class")
    around = details.parent.get_attribute_list("class") if details.parent else []
    return "answer" in classes or "tag_predicted" in around


def begins_an_exercise(tag: Tag) -> bool:
    """Return whether an element begins an exercise with its number."""
    return tag.name == "strong" and bool(EXERCISE.match(tag.get_text()))


def place_of(details: Tag) -> str:
    """Return the heading under which a fold stands."""
    heading = details.find_previous(["h2", "h1"])
    return plain(heading) if isinstance(heading, Tag) else ""


def moved(fold: Fold, anchor: str) -> Tag:
    """Return a fold as a part of the last section, and leave a link in its place."""
    link = made("p", **{"class": "fold"})
    link.append(made("a", fold.words, id=f"from-{anchor}", href=f"#{anchor}"))
    fold.details.replace_with(link)
    part = made("section", id=anchor)
    part.append(made("h3", headline(fold)))
    fold.details.name = "div"
    fold.details.attrs.clear()
    part.append(fold.details)
    back = made("p", **{"class": "fold"})
    back.append(made("a", f"Back to {short(fold.place)}", href=f"#from-{anchor}"))
    part.append(back)
    return part


def headline(fold: Fold) -> str:
    """Return the heading of a fold's content."""
    if fold.kind == DECIDED:
        return fold.place
    if fold.kind == SOLUTIONS:
        return f"{fold.place}: {fold.words[:1].lower()}{fold.words[1:]}"
    return fold.words


def short(place: str) -> str:
    """Return the number of a section or exercise, or the heading if it has none.

    >>> short("5.3. The passes"), short("Exercise 4.1"), short("Start here")
    ('5.3', 'exercise 4.1', 'Start here')
    """
    number = re.match(r"(\d+(?:\.\d+)*)\. ", place)
    if number:
        return number[1]
    return place.replace("Exercise", "exercise") if EXERCISE.match(place) else place


def open_here(body: Tag) -> None:
    """Open the folds of a page that isn't a chapter, where they are."""
    for details in body.find_all("details"):
        summary = details.find("summary")
        if isinstance(summary, Tag):
            shown = summary.select_one(".collapsed")
            words = plain(shown or summary)
            summary.replace_with(made("p", words, **{"class": "opened"}))
        details.unwrap()


def in_one_line(body: Tag) -> None:
    """Put successive links to folded code into one line."""
    for link in body.select(f'.fold > a[href^="#{OTHERS}-"]'):
        line = link.parent
        before = line.find_previous_sibling() if isinstance(line, Tag) else None
        if not isinstance(line, Tag) or not isinstance(before, Tag):
            continue
        between = list(before.next_siblings)[: list(before.next_siblings).index(line)]
        follows = before.select_one(f':scope > a[href^="#{OTHERS}-"]')
        if follows and not "".join(str(piece) for piece in between).strip():
            before.append(" ")
            before.append(link.extract())
            line.decompose()


def rows_as_blocks(body: Tag) -> None:
    """Turn tables with folded code into lists, since code needs the width."""
    for table in body.find_all("table"):
        if not table.find("details"):
            continue
        names = [plain(cell) for cell in table.select("thead th")]
        block = made("div")
        for row in table.select("tbody tr"):
            first, *others = row.find_all("td")
            block.append(renamed(first))
            for name, cell in zip(names[1:], others, strict=True):
                entry = renamed(cell)
                entry.insert(0, made("b", f"{name}: "))
                for paragraph in entry.find_all("p"):
                    paragraph.unwrap()
                block.append(entry)
        table.replace_with(block)


def renamed(cell: Tag) -> Tag:
    """Return the content of a cell as a block."""
    cell.name = "div"
    cell.attrs.clear()
    cell["class"] = "row"
    return cell


def made(tag: str, text: str = "", **attributes: str) -> Tag:
    """Return a new element."""
    new = NEW.new_tag(tag, attrs=attributes)
    if text:
        new.string = text
    return new


def plain(tag: Tag) -> str:
    """Return the text of an element on one line."""
    return " ".join(tag.get_text("").split())
