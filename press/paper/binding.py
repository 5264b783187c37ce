"""Bind printed pages into one file, in which links between pages work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any
from urllib.parse import unquote

from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    Fit,
    FloatObject,
    NameObject,
    NullObject,
    TextStringObject,
)

from press.paper.printing import ADDRESS
from press.paper.structure import Structure

Place = tuple[int, float, float]
"""A sheet, counted from 0, and how far from its left and from its bottom."""


@dataclass
class Binding:
    """The book during binding.

    Args:
        site: the address of the published book, empty if it isn't known.
    """

    site: str = ""
    writer: PdfWriter = field(default_factory=PdfWriter)
    places: dict[str, Place] = field(default_factory=dict)
    """By address below the root: `chapters/04_order.html#exercises`."""
    structure: Structure = field(init=False)

    def __post_init__(self) -> None:
        self.structure = Structure(self.writer)

    def add(self, content: bytes, name: str = "") -> int:
        """Add the sheets of a page and note its anchors; return the number of sheets.

        Args:
            content: a PDF.
            name: of the page; empty for the front matter, which has no anchors.
        """
        reader = PdfReader(BytesIO(content))
        begin = len(self.writer.pages)
        number = {
            sheet.indirect_reference.idnum: begin + i
            for i, sheet in enumerate(reader.pages)
            if sheet.indirect_reference
        }
        if name:
            self.places[f"{name}.html"] = (
                begin,
                0.0,
                float(reader.pages[0].mediabox.top),
            )
        for anchor, there in reader.named_destinations.items():
            at: Any = there
            spot = (number[at.raw_get("/Page").idnum], float(at.left), float(at.top))
            self.places[f"{name}.html#{anchor.lstrip('/')}"] = spot
        for page in reader.pages:
            self.writer.add_page(page)
        self.structure.add(reader, begin)
        # In the whole file, a name of one page could mean a place in another.
        for sheet_number in range(begin, len(self.writer.pages)):
            for link in links(self.writer, sheet_number):
                target = link.pop("/Dest", None)
                if isinstance(target, str):
                    anchor = f"{ADDRESS}{name}.html#{target.lstrip('/')}"
                    link[NameObject("/A")] = address(anchor)
        return len(reader.pages)

    def lead(self) -> None:
        """Let every link to a page of the book lead to a place in the file.

        A link to a page that isn't in the file leads to the site, if there is one.
        """
        for number, sheet in enumerate(self.writer.pages):
            kept = ArrayObject()
            for one in sheet.get("/Annots", ()):
                link = one.get_object()
                url = str(link.get("/A", {}).get("/URI", ""))
                if not url.startswith(ADDRESS):
                    kept.append(one)
                    continue
                below = unquote(url.removeprefix(ADDRESS)) or "index.html"
                place = self.places.get(below) or self.places.get(
                    below.partition("#")[0]
                )
                if place:
                    del link["/A"]
                    link[NameObject("/Dest")] = self.destination(place)
                elif self.site:
                    link[NameObject("/A")] = address(self.site + below)
                if place or self.site:
                    kept.append(one)
            if "/Annots" in sheet:
                self.writer.pages[number][NameObject("/Annots")] = kept

    def destination(self, place: Place) -> ArrayObject:
        """Return a place in the syntax of PDF."""
        sheet, left, top = place
        return ArrayObject(
            [
                self.writer.pages[sheet].indirect_reference,
                NameObject("/XYZ"),
                FloatObject(left),
                FloatObject(top),
                NullObject(),
            ]
        )

    def bookmark(self, title: str, place: Place, within: Any = None) -> Any:
        """Add a bookmark, below another one if one is given, and return it."""
        sheet, left, top = place
        return self.writer.add_outline_item(
            title=title,
            page_number=sheet,
            parent=within,
            fit=Fit.xyz(left=left, top=top),
        )


def links(writer: PdfWriter, sheet: int) -> Iterator[DictionaryObject]:
    """Yield the links of a sheet."""
    for one in writer.pages[sheet].get("/Annots", ()):
        link = one.get_object()
        if link.get("/Subtype") == "/Link":
            yield link


def address(url: str) -> DictionaryObject:
    """Return an address in the syntax of PDF."""
    return DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Action"),
            NameObject("/S"): NameObject("/URI"),
            NameObject("/URI"): TextStringObject(url),
        }
    )
