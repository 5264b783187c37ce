"""The tree of the whole book, which screen readers follow instead of the drawing.

Each sheet and each link has a key, by which a reader finds its place in the tree. PDF
calls the list of keys the parent tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    BooleanObject,
    DictionaryObject,
    IndirectObject,
    NameObject,
    NullObject,
    NumberObject,
    TextStringObject,
)

from press.paper.marks import Piece, joined, pieces
from press.paper.tags import Element, Mark, Tags

ROLES = {"Strong": "Span", "Em": "Span"}
"""Kinds that PDF 1.7 does not know, and what to take them for."""


@dataclass
class Structure:
    """The tree of the book during binding.

    Args:
        writer: of the book.
    """

    writer: PdfWriter
    top: Element = field(default_factory=lambda: Element("Document"))
    keys: int = 0
    """How many sheets and links have one."""

    def add(self, reader: PdfReader, begin: int) -> None:
        """Add the tree of a page whose sheets are already in the book.

        Args:
            reader: the page.
            begin: the number of its first sheet.
        """
        sheets: dict[int, int] = {}
        links: dict[int, int] = {}
        drawn: dict[int, list[Piece]] = {}
        for number, sheet in enumerate(reader.pages, begin):
            mine = self.writer.pages[number]
            self.give_key(mine, "/StructParents")
            sheets[number_of(sheet)] = number
            both = zip(sheet.get("/Annots", ()), mine.get("/Annots", ()), strict=True)
            for there, here in both:
                key = self.give_key(here.get_object(), "/StructParent")
                links[there.idnum] = key
            drawn[number] = list(pieces(content_of(mine).get_data()))
        written = {
            Mark(number, piece.number)
            for number, parts in drawn.items()
            for piece in parts
            if piece.number is not None and piece.writes
        }
        tree: Any = reader.root_object["/StructTreeRoot"]
        part = Tags(sheets, links, written).page(tree["/K"])
        self.top.kids.append(part)
        self.draw(part, drawn)

    def give_key(self, thing: DictionaryObject, name: str) -> int:
        """Give a sheet or a link a key, and return the key."""
        thing[NameObject(name)] = NumberObject(self.keys)
        self.keys += 1
        return self.keys - 1

    def draw(self, part: Element, drawn: Mapping[int, list[Piece]]) -> None:
        """Number the pieces of sheets that the tree of their page refers to."""
        owners: dict[int, dict[int, Element]] = {number: {} for number in drawn}
        for element in part.all():
            for kid in element.kids:
                if isinstance(kid, Mark):
                    owners[kid.sheet][kid.number] = element
        kept = set()
        for number, parts in drawn.items():
            left = joined(parts, owners[number])
            kept |= {Mark(number, one.number) for one in left if one.number is not None}
            content = b"".join(piece.as_bytes() for piece in left)
            content_of(self.writer.pages[number]).set_data(content)
        for element in part.all():
            element.kids = [
                kid for kid in element.kids if not isinstance(kid, Mark) or kid in kept
            ]

    def write(self) -> None:
        """Write the tree into the book, when its sheets and links are complete."""
        root = DictionaryObject({NameObject("/Type"): NameObject("/StructTreeRoot")})
        known_as = self.writer._add_object(root)
        ink = Ink(self.writer)
        root[NameObject("/K")] = ink.element(self.top, known_as)
        root[NameObject("/RoleMap")] = DictionaryObject(
            {
                NameObject(f"/{kind}"): NameObject(f"/{role}")
                for kind, role in ROLES.items()
            }
        )
        root[NameObject("/ParentTreeNextKey")] = NumberObject(self.keys)
        root[NameObject("/ParentTree")] = self.writer._add_object(ink.parent_tree())
        catalog = self.writer.root_object
        catalog[NameObject("/StructTreeRoot")] = known_as
        catalog[NameObject("/MarkInfo")] = DictionaryObject(
            {NameObject("/Marked"): BooleanObject(True)}
        )
        self.writer.pdf_header = "%PDF-1.7"


class Ink:
    """Writes elements into the book.

    Args:
        writer: of the book.
    """

    def __init__(self, writer: PdfWriter) -> None:
        self.writer = writer
        self.sheets = [sheet.indirect_reference for sheet in writer.pages]
        self.links: dict[int, tuple[Any, Any]] = {}
        self.marks: list[dict[int, IndirectObject]] = []
        self.parents: dict[int, Any] = {}
        sheet: Any
        for sheet in writer.pages:
            self.marks.append({})
            self.parents[sheet["/StructParents"]] = self.marks[-1]
            for link in sheet.get("/Annots", ()):
                key = link.get_object()["/StructParent"]
                self.links[key] = (link, sheet.indirect_reference)

    def element(self, element: Element, above: IndirectObject) -> IndirectObject:
        """Write an element and its descendants; return its reference."""
        kids = ArrayObject()
        written = DictionaryObject({NameObject("/P"): above, NameObject("/K"): kids})
        here = self.writer._add_object(written)
        own = next((kid.sheet for kid in element.kids if isinstance(kid, Mark)), None)
        if own is not None:
            written[NameObject("/Pg")] = self.sheets[own]
        leads = False
        for kid in element.kids:
            if isinstance(kid, Element):
                kids.append(self.element(kid, here))
            elif isinstance(kid, Mark):
                kids.append(self.mark(kid, own, here))
            elif kid.key in self.links:
                leads = True
                kids.append(self.touch(kid.key, here))
        # Without an address of the book, links out of the file lead nowhere.
        dead = element.kind == "Link" and not leads
        written[NameObject("/S")] = NameObject("/Span" if dead else f"/{element.kind}")
        if element.alt:
            written[NameObject("/Alt")] = TextStringObject(element.alt)
        if element.attributes:
            written[NameObject("/A")] = ArrayObject(
                DictionaryObject({NameObject("/O"): NameObject(owner), **said})
                for owner, said in element.attributes.items()
            )
        return here

    def mark(self, mark: Mark, own: int | None, here: IndirectObject) -> Any:
        """Write a mark into the element `here`.

        Args:
            mark: the mark.
            own: the sheet whose marks the element has by number alone.
            here: the element.
        """
        self.marks[mark.sheet][mark.number] = here
        number = NumberObject(mark.number)
        if mark.sheet == own:
            return number
        return DictionaryObject(
            {
                NameObject("/Type"): NameObject("/MCR"),
                NameObject("/Pg"): self.sheets[mark.sheet],
                NameObject("/MCID"): number,
            }
        )

    def touch(self, key: int, here: IndirectObject) -> DictionaryObject:
        """Write the place of a link into the element `here`."""
        link, sheet = self.links[key]
        self.parents[key] = here
        return DictionaryObject(
            {
                NameObject("/Type"): NameObject("/OBJR"),
                NameObject("/Pg"): sheet,
                NameObject("/Obj"): link,
            }
        )

    def parent_tree(self) -> DictionaryObject:
        """Return for each key an element, or the elements of a sheet's marks."""
        found = ArrayObject()
        for key, parent in sorted(self.parents.items()):
            found.append(NumberObject(key))
            if isinstance(parent, IndirectObject):
                found.append(parent)
                continue
            row = (
                parent.get(k, NullObject()) for k in range(max(parent, default=-1) + 1)
            )
            found.append(self.writer._add_object(ArrayObject(row)))
        return DictionaryObject({NameObject("/Nums"): found})


def number_of(sheet: Any) -> int:
    """Return the object number of a sheet."""
    return int(sheet.indirect_reference.idnum)


def content_of(sheet: Any) -> Any:
    """Return the stream with a sheet's drawing; Chromium writes one."""
    return sheet["/Contents"].get_object()
