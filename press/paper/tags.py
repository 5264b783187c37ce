"""The tags of a page as a tree of those elements that mean something to a reader.

Chromium makes an element of each box of the page, most of them `NonStruct`. Their
content moves up: into a paragraph if it would stand between paragraphs, and for an item
of a list into the body that PDF 1.7 requires.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

FORMULA = "Formula: "
"""How what is said of a formula begins: for Chromium it is an image."""

GROUPS = {"Part", "Div", "BlockQuote"}
HEADINGS = {f"H{k}" for k in range(1, 7)}
BLOCKS = {*GROUPS, *HEADINGS, "P", "L", "LI", "LBody", "Table", "TR", "TH", "TD"}
IMAGES = {"Figure", "Formula"}
MAY_BE_EMPTY = {"TH", "TD"}
MEANS_NOTHING = {"NonStruct", "Art"}
SAID = {"/Scope", "/ListNumbering", "/RowSpan", "/ColSpan"}
"""Attributes to keep. Chromium names the heads of each cell too: their scope does."""


class Mark(NamedTuple):
    """A numbered piece of a sheet's drawing."""

    sheet: int
    number: int


class Touch(NamedTuple):
    """The place of a link, by its key."""

    key: int


@dataclass(eq=False)
class Element:
    """A part of the text: a heading, a list, an image.

    Args:
        kind: its name in PDF.
        kids: its children.
        alt: the description of an image.
        attributes: such as the scope of the head of a column, by their owner.
    """

    kind: str
    kids: list[Kid] = field(default_factory=list)
    alt: str = ""
    attributes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def all(self) -> Iterator[Element]:
        """Yield it and all its descendants."""
        yield self
        for kid in self.kids:
            if isinstance(kid, Element):
                yield from kid.all()


Kid = Element | Mark | Touch


@dataclass(frozen=True)
class Tags:
    """The tags of a page.

    Args:
        sheets: the number of each sheet in the book, by that of its object.
        links: the key of each link, by the number of its object.
        written: the marks that contain letters.
    """

    sheets: Mapping[int, int]
    links: Mapping[int, int]
    written: Collection[Mark]

    def page(self, root: Any) -> Element:
        """Return the tree of the page.

        Args:
            root: its top element, a document.
        """
        return Element("Part", grouped(self.below(root, True, False)))

    def below(self, node: Any, stands_alone: bool, is_image: bool) -> list[Kid]:
        """Return the children of an element.

        Args:
            node: the element.
            stands_alone: whether its content stands between paragraphs.
            is_image: whether it is part of an image.
        """
        found: list[Kid] = []
        for one in listed(node.get("/K")):
            kid = one.get_object()
            if isinstance(kid, int):
                found += self.mark(node, kid, is_image)
            elif kid.get("/Type") == "/MCR":
                where = kid if "/Pg" in kid else node
                found += self.mark(where, kid["/MCID"], is_image)
            elif kid.get("/Type") == "/OBJR":
                found.append(Touch(self.links[kid.raw_get("/Obj").idnum]))
            else:
                found += self.element(kid, stands_alone, is_image)
        return found

    def mark(self, node: Any, number: int, is_image: bool) -> list[Kid]:
        """Return a mark, unless it only colours the background of text."""
        mark = Mark(self.sheets[node.raw_get("/Pg").idnum], int(number))
        return [mark] if is_image or mark in self.written else []

    def element(self, node: Any, stands_alone: bool, is_image: bool) -> list[Kid]:
        """Return an element, or the children that take its place."""
        kind = str(node["/S"])[1:]
        if kind in MEANS_NOTHING:
            kids = self.below(node, stands_alone, is_image)
            is_box = any(
                hasattr(one.get_object(), "keys") for one in listed(node.get("/K"))
            )
            return grouped(kids) if stands_alone and is_box else kids
        kids = self.below(node, kind in GROUPS, is_image or kind in IMAGES)
        if not kids and kind not in MAY_BE_EMPTY:
            return []
        if kind in GROUPS:
            kids = grouped(kids)
        elif kind == "LI":
            kids = item(kids)
        alt = str(node.get("/Alt", ""))
        if alt.startswith(FORMULA):
            kind, alt = "Formula", alt.removeprefix(FORMULA)
        return [Element(kind, kids, alt, attributes(node))]


def is_block(kid: Kid) -> bool:
    """Return whether a child stands between paragraphs, not in one."""
    return isinstance(kid, Element) and kid.kind in BLOCKS


def grouped(kids: list[Kid]) -> list[Kid]:
    """Return children with all text in paragraphs; images may stand between them."""
    found: list[Kid] = []
    for block, some in groupby(kids, is_block):
        run = list(some)
        images = all(isinstance(kid, Element) and kid.kind in IMAGES for kid in run)
        found += run if block or images else [Element("P", run)]
    return found


def item(kids: list[Kid]) -> list[Kid]:
    """Return the children of an item of a list as its label and its body."""
    label = [kid for kid in kids if isinstance(kid, Element) and kid.kind == "Lbl"]
    rest = [kid for kid in kids if kid not in label]
    return [*label, Element("LBody", rest)] if rest else [*label]


def attributes(node: Any) -> dict[str, dict[str, Any]]:
    """Return the attributes that matter, by their owners."""
    found: dict[str, dict[str, Any]] = {}
    for one in listed(node.get("/A")):
        said = one.get_object()
        for name, value in said.items():
            if name in SAID and value != 1:
                found.setdefault(str(said["/O"]), {})[name] = value
    return found


def listed(kids: Any) -> list[Any]:
    """Return the children of an element; a single one may stand without a list."""
    if kids is None:
        return []
    return list(kids) if isinstance(kids, list) else [kids]
