"""What a sheet draws, piece by piece, and what is tagged of it.

Chromium numbers what belongs to the text, a piece for each word of a listing, and the
tree of the document leads to those numbers. All else, such as the number of the sheet
or the colour behind a listing, becomes an artifact, which a screen reader passes over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from press.paper.tags import Element

# A ligature has a mark of its own within a piece, for what its letters are.
MARK = re.compile(rb"^(?:/\w+ <</MCID (\d+) >>BDC|.*B[DM]C|EMC)\n", re.MULTILINE)
WRITES = re.compile(rb"\bTj$", re.MULTILINE)
DRAWS = re.compile(rb"\b(?:Tj|Do|sh|S|[fB]\*?)$", re.MULTILINE)


@dataclass
class Piece:
    """A part of what a sheet draws.

    Args:
        number: by which the tree leads to it, None where it does not.
        drawing: the operators.
    """

    number: int | None
    drawing: bytes

    @property
    def writes(self) -> bool:
        """Whether there are letters in it."""
        return WRITES.search(self.drawing) is not None

    @property
    def draws(self) -> bool:
        """Whether anything is seen of it."""
        return DRAWS.search(self.drawing) is not None

    def as_bytes(self) -> bytes:
        """Return it as it stands in the file."""
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
    """Return the pieces with one number for what belongs to one owner in a row.

    Args:
        parts: the pieces of a sheet.
        owners: what each number belongs to in the tree; other numbers are given up.
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
