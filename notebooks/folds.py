"""What a page folds, and what stands in the open around it.

A page is a row of pieces: open prose, open code, open outputs, figures, and folds. A
fold is an *answer* to a question, *more* of a matter (a listing, a proof), or belongs
to an exercise (a solution, a hint). Code behind an icon is no piece.

`unanswered` and `given_away` judge answers by their numbers: those in the fold that
the code above it does not contain. An answer without such numbers is not judged, nor
is one that nbval ignores: its numbers are this run's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nbformat import NotebookNode

from notebooks.notebook import BEHIND_AN_ICON, DECIDED, PREDICTED, tags

MOST = 6
"""The most folds of a page, solutions and hints apart."""
DETAILS = re.compile(
    r"<details(?P<marks>[^>]*)>\s*<summary>(?P<name>.*?)</summary>(?P<within>.*?)"
    r"</details>",
    re.DOTALL,
)
OF_EXERCISE = re.compile(
    r"^(A )?(solution|model answer|hint)|^An answer", re.IGNORECASE
)
PICTURES = ("image/svg+xml", "image/png", "text/html")
NUMBER = re.compile(r"(?<![\w.,])[-\u2212]?\d+(?:,\d{3})*(?:\.\d+)?(?![\w])")
WORDS = """\
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
fifteen sixteen seventeen eighteen nineteen twenty"""
SAID = {word: str(number) for number, word in enumerate(WORDS.split())}
WORD = re.compile(rf"\b({'|'.join(SAID)})\b", re.IGNORECASE)
SCREEN = 150
"""How many words of prose stand in a window of 1280 by 800 below a fold."""
SMALL = {"0", "1", "2"}
"""Numbers that stand everywhere, and so tell nothing."""


@dataclass(frozen=True)
class Piece:
    """A piece of a page.

    Args:
        kind: prose, code, output, figure, answer, more or exercise.
        text: what it says; of a fold, all that it holds.
        cell: the position of its cell.
        name: of a fold, the words on it.
    """

    kind: str
    text: str
    cell: int
    name: str = ""


def pieces(notebook: NotebookNode) -> list[Piece]:
    """Return the pieces of a page, in order."""
    found: list[Piece] = []
    for position, cell in enumerate(notebook.cells):
        marks = {*tags(cell)}
        if cell.cell_type == "code" and "setup" not in marks:
            found += of_code(cell, marks, position)
        elif cell.cell_type == "markdown":
            found += of_text(cell.source, position, "solution" in marks)
    return found


def of_code(cell: NotebookNode, marks: set[str], position: int) -> Iterator[Piece]:
    """Yield the pieces of a code cell."""
    name = cell.metadata.get("mystnb", {}).get("code_prompt_show", "")
    printed = "\n".join(map(text_of, cell.outputs))
    drawn = any({*PICTURES} & {*one.get("data", {})} for one in cell.outputs)
    if PREDICTED in marks or name == DECIDED:
        said = "" if "nbval-ignore-output" in marks else printed
        yield Piece("answer", said, position, name)
        return
    if "hide-cell" in marks:
        yield Piece("more", f"{cell.source}\n{printed}", position, name)
        return
    if "hide-input" in marks:
        yield Piece("more", cell.source, position, name)
    elif not marks & BEHIND_AN_ICON:
        yield Piece("code", cell.source, position)
    if drawn:
        yield Piece("figure", printed, position)
    elif cell.outputs:
        yield Piece("output", printed, position)


def text_of(output: NotebookNode) -> str:
    """Return the text of an output."""
    data = output.get("data", {})
    plain = data.get("text/plain", "")
    return f"{output.get('text', '')}{plain}{output.get('evalue', '')}"


def of_text(source: str, position: int, solution: bool) -> Iterator[Piece]:
    """Yield the pieces of a Markdown cell."""
    end = 0
    for found in DETAILS.finditer(source):
        yield from prose(source[end : found.start()], position)
        end, name = found.end(), found["name"].strip()
        if solution or OF_EXERCISE.match(name):
            kind = "exercise"
        elif "answer" in found["marks"] or name.startswith(DECIDED):
            kind = "answer"
        else:
            kind = "more"
        yield Piece(kind, found["within"], position, name)
    yield from prose(source[end:], position)


def prose(text: str, position: int) -> Iterator[Piece]:
    """Yield open text, unless it is empty."""
    if text.strip():
        yield Piece("prose", text, position)


def folds(page: list[Piece]) -> list[Piece]:
    """Return the folds of a page, without those of its exercises."""
    return [piece for piece in page if piece.kind in ("answer", "more")]


def before_the_figure(page: list[Piece]) -> list[Piece]:
    """Return the folds of kind *more* between the first question and its figure."""
    kinds = [piece.kind for piece in page]
    asked = [p.kind == "prose" and "?" in p.text for p in page]
    if True not in asked or "figure" not in kinds[asked.index(True) :]:
        return []
    start = asked.index(True)
    return [p for p in page[start : kinds.index("figure", start)] if p.kind == "more"]


def numbers(text: str) -> set[str]:
    """Return the numbers in a text, those in words too.

    >>> sorted(numbers("Seven of 12 are -0.50 or 2,000."))
    ['-0.5', '12', '2000', '7']
    """
    said = {SAID[word.lower()] for word in WORD.findall(text)}
    return said | {plain(number) for number in NUMBER.findall(text)}


def plain(number: str) -> str:
    """Return a number in one spelling."""
    value = number.replace(",", "").replace("\u2212", "-")
    return f"{float(value):.12g}"


def keys(page: list[Piece], at: int) -> set[str]:
    """Return the numbers of an answer that the page's code above it does not hold."""
    code = [piece for piece in page[:at] if piece.kind == "code"]
    return numbers(page[at].text) - stated(code) - SMALL


def stated(row: list[Piece]) -> set[str]:
    """Return the numbers in pieces."""
    return {number for piece in row for number in numbers(piece.text)}


def unanswered(page: list[Piece]) -> list[Piece]:
    """Return the answers of which no number comes into the open further down.

    Of an answer's numbers, those count that do not stand above it, if there are some.
    """
    found = []
    for at, piece in enumerate(page):
        if piece.kind == "answer" and (new := keys(page, at)):
            fresh = new - stated(in_the_open(page[:at])) or new
            if not fresh & stated(in_the_open(page[at + 1 :])):
                found.append(piece)
    return found


def given_away(page: list[Piece]) -> list[Piece]:
    """Return the answers that the text beside or above them tells already.

    Beside is the prose below the fold, down to the next cell or figure, but no further
    than a screen; one number is enough there. Above is its section, which must hold all
    of them.
    """
    found = []
    for at, piece in enumerate(page):
        if piece.kind != "answer" or not (new := keys(page, at)):
            continue
        above = in_the_open(section(page, at))
        if new & numbers(beside(page, at)) or new <= stated(above):
            found.append(piece)
    return found


def in_the_open(row: list[Piece]) -> list[Piece]:
    """Return the pieces that a reader sees without opening anything."""
    return [p for p in row if p.kind in ("prose", "output", "figure", "code")]


def section(page: list[Piece], at: int) -> list[Piece]:
    """Return the pieces above a fold, from the last heading on."""
    start = at
    while start and not re.search(r"(?m)^#{1,3} ", page[start - 1].text):
        start -= 1
    return page[max(start - 1, 0) : at]


def beside(page: list[Piece], at: int) -> str:
    """Return the prose that a reader of a closed fold has before the eyes."""
    text = ""
    for piece in page[at + 1 :]:
        if piece.kind in ("code", "output", "figure", "answer"):
            break
        if piece.kind == "prose":
            text += f"\n{piece.text}"
    return " ".join(re.findall(r"\S+", text)[:SCREEN])
