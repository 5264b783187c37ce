"""The pieces that a sheet draws, and their tags.

Chromium numbers the pieces that belong to the text, one for each word of a listing, and
the tree of the document leads to those numbers. Everything else, such as the number of
the sheet or the colour behind a listing, becomes an artifact, which a screen reader
skips.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from press.paper.tags import Element

# A ligature has a mark within its piece, which names its letters.
MARK = re.compile(rb"^(?:/\w+ <</MCID (\d+) >>BDC|.*B[DM]C|EMC)\n", re.MULTILINE)
WRITES = re.compile(rb"\bTj$", re.MULTILINE)
DRAWS = re.compile(rb"\b(?:Tj|Do|sh|S|[fB]\*?)$", re.MULTILINE)


@dataclass
class Piece:
    """A part of a sheet's drawing.

    Args:
        number: by which the tree refers to it, or None.
        drawing: its operators.
    """

    number: int | None
    drawing: bytes

    @property
    def writes(self) -> bool:
        """Whether it draws letters."""
        return WRITES.search(self.drawing) is not None

    @property
    def draws(self) -> bool:
        """Whether it draws anything visible."""
        return DRAWS.search(self.drawing) is not None

    def as_bytes(self) -> bytes:
        """Return it in the syntax of the file."""
        if self.number is not None:
            return b"/Span <</MCID %d >>BDC\n%bEMC\n" % (self.number, self.drawing)
        if self.draws:
            return b"/Artifact BMC\n%bEMC\n" % self.drawing
        return self.drawing


def pieces(content: bytes) -> Iterator[Piece]:
    """Yield the pieces of a sheet in the order in which they are drawn."""
    number, begin, depth = None, 0, 0
    for mark in MARK.finditer(content):
        opens = mark[0] != b"EMC\n"
        if depth == (0 if opens else 1):
            yield Piece(number, content[begin : mark.start()])
            number = int(mark[1]) if mark[1] else None
            begin = mark.end()
        depth += 1 if opens else -1
    yield Piece(number, content[begin:])


def joined(parts: Iterable[Piece], owners: Mapping[int, Element]) -> list[Piece]:
    """Return the pieces, with one number for successive pieces of one owner.

    Args:
        parts: the pieces of a sheet.
        owners: the owner of each number in the tree; other numbers are dropped.
    """
    # The letters of a formula are drawn right after its box, and have no number.
    formulas = {k for k, owner in owners.items() if owner.kind == "Formula"}
    found: list[Piece] = []
    for part in parts:
        owner = None if part.number is None else owners.get(part.number)
        if owner is None:
            part.number = None
            if found and found[-1].number in formulas:
                found[-1].drawing += part.drawing
            else:
                found.append(part)
            continue
        unseen = b""
        while found and found[-1].number is None and not found[-1].draws:
            unseen = found.pop().drawing + unseen
        before = found[-1].number if found else None
        if before is not None and owners[before] is owner:
            found[-1].drawing += unseen + part.drawing
        else:
            found += [Piece(None, unseen), part]
    return found
