"""Reads the tree of a PDF, as what reads it aloud does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pypdf import PdfReader

# A ligature has a mark within its piece, which names its letters.
MARK = re.compile(rb"^(?:/\w+ <</MCID (\d+) >>BDC|.*B[DM]C|EMC)\n", re.MULTILINE)


@dataclass
class Tagged:
    """A PDF with a tree.

    Args:
        reader: the PDF.
    """

    reader: PdfReader

    def __post_init__(self) -> None:
        self.root: Any = self.reader.trailer["/Root"]["/StructTreeRoot"]
        self.sheets = {
            sheet.indirect_reference.idnum: i
            for i, sheet in enumerate(self.reader.pages)
            if sheet.indirect_reference
        }
        self.drawn = [dict(pieces(drawing(sheet))) for sheet in self.reader.pages]

    def parents(self) -> dict[int, Any]:
        """Return what each key leads to."""
        row = self.root["/ParentTree"]["/Nums"]
        return {int(row[i]): row[i + 1].get_object() for i in range(0, len(row), 2)}

    def elements(self, within: Any = None, kind: str = "") -> Iterator[Any]:
        """Yield elements in the order of reading, perhaps of one kind."""
        for one in kids(self.root["/K"] if within is None else within):
            if not isinstance(one, int) and "/S" in one:
                if not kind or one["/S"] == kind:
                    yield one
                yield from self.elements(one, kind)

    def marks(self, element: Any) -> Iterator[tuple[int, int]]:
        """Yield sheet and number of what an element draws, with all below it."""
        for one in kids(element):
            if not isinstance(one, int) and "/S" in one:
                yield from self.marks(one)
            else:
                yield from self.own_mark(element, one)

    def own_marks(self, element: Any) -> Iterator[tuple[int, int]]:
        """Yield sheet and number of what an element draws itself."""
        for one in kids(element):
            yield from self.own_mark(element, one)

    def own_mark(self, element: Any, one: Any) -> Iterator[tuple[int, int]]:
        """Yield sheet and number of one of its kids, if that is a mark."""
        if isinstance(one, int):
            yield self.sheets[element.raw_get("/Pg").idnum], int(one)
        elif "/MCID" in one and "/Stm" not in one:  # not in a drawing within a sheet
            yield self.sheets[one.raw_get("/Pg").idnum], int(one["/MCID"])

    def text(self, element: Any) -> str:
        """Return the text of an element."""
        return "".join(self.read(*mark) for mark in self.marks(element))

    def read(self, number: int, mark: int) -> str:
        """Return the text of a mark on a sheet, by drawing nothing else."""
        sheet: Any = self.reader.pages[number]
        whole = drawing(sheet)
        sheet["/Contents"].get_object().set_data(self.drawn[number][mark])
        try:
            return str(sheet.extract_text())
        finally:
            sheet["/Contents"].get_object().set_data(whole)


def kids(element: Any) -> list[Any]:
    """Return what an element consists of."""
    found = element.get("/K", [])
    return [one.get_object() for one in (found if isinstance(found, list) else [found])]


def drawing(sheet: Any) -> bytes:
    """Return what a sheet draws."""
    return bytes(sheet["/Contents"].get_object().get_data())


def pieces(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the numbered pieces of a drawing."""
    number, begin, depth = None, 0, 0
    for mark in MARK.finditer(content):
        opens = mark[0] != b"EMC\n"
        if depth == (0 if opens else 1):
            if number is not None:
                yield number, content[begin : mark.start()]
            number = int(mark[1]) if mark[1] else None
            begin = mark.end()
        depth += 1 if opens else -1
