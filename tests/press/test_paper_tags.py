"""What Chromium tags, made into what a screen reader can use."""

from __future__ import annotations

from typing import Any

from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    IndirectObject,
    NameObject,
    NumberObject,
    TextStringObject,
)

from press.paper.marks import joined, pieces
from press.paper.tags import Element, Mark, Tags

SHEET = IndirectObject(7, 0, None)
WORD = b"BT\n<%d> Tj\nET\n"
BEHIND = b"0 0 9 9 re\nf\n"


def numbered(number: int, drawing: bytes) -> bytes:
    return b"/NonStruct <</MCID %d >>BDC\n%bEMC\n" % (number, drawing)


def element(kind: str, *kids: Any, alt: str = "", sheet: bool = True) -> Any:
    made = DictionaryObject(
        {
            NameObject("/S"): NameObject(f"/{kind}"),
            NameObject("/K"): ArrayObject(
                [NumberObject(kid) if isinstance(kid, int) else kid for kid in kids]
            ),
        }
    )
    if sheet:
        made[NameObject("/Pg")] = SHEET
    if alt:
        made[NameObject("/Alt")] = TextStringObject(alt)
    return made


def shown(part: Element | Mark | Any) -> Any:
    """A tree as nested tuples: kind, kids; marks by their numbers."""
    if isinstance(part, Element):
        return (part.kind, *map(shown, part.kids))
    return part.number


def read(*kids: Any, written: int = 9) -> Any:
    tags = Tags({7: 0}, {}, {Mark(0, number) for number in range(written)})
    return shown(tags.page(element("Document", *kids)))


def test_what_means_nothing_moves_up_and_text_stands_in_paragraphs() -> None:
    word, other = element("NonStruct", 0), element("NonStruct", 1)
    box = element("NonStruct", word, element("Code", other))
    assert read(box) == ("Part", ("P", 0, ("Code", 1)))
    assert read(element("P", word, element("NonStruct", other))) == (
        "Part",
        ("P", 0, 1),
    )
    two = element("NonStruct", element("NonStruct", word), element("NonStruct", other))
    assert read(two) == ("Part", ("P", 0), ("P", 1))


def test_what_has_no_letters_is_left_out_but_for_images_and_cells() -> None:
    image = element("Figure", 5, alt="A graph.")
    cell = element("TD", 6)
    kids = element("P", element("NonStruct", 7)), image, element("TR", cell)
    assert read(*kids, written=0) == ("Part", ("Figure", 5), ("TR", ("TD",)))


def test_a_formula_is_one_and_says_its_words() -> None:
    image = element("Figure", 5, alt="Formula: a^2")
    tags = Tags({7: 0}, {}, ())
    (formula,) = tags.page(element("Document", image)).kids
    assert isinstance(formula, Element)
    assert (formula.kind, formula.alt) == ("Formula", "a^2")


def test_an_item_has_a_label_and_a_body() -> None:
    item = element("LI", element("Lbl", 0), element("NonStruct", 1), element("P", 2))
    assert read(element("L", item)) == (
        "Part",
        ("L", ("LI", ("Lbl", 0), ("LBody", 1, ("P", 2)))),
    )


def test_what_belongs_together_gets_one_number_and_the_rest_none() -> None:
    code, text = Element("Code"), Element("P")
    content = b"".join(
        [
            BEHIND + b"q\n",
            numbered(0, WORD % 0) + b"Q\n" + numbered(1, WORD % 1),
            numbered(2, BEHIND),
            numbered(3, WORD % 3),
        ]
    )
    left = joined(pieces(content), {0: code, 1: code, 3: text})
    assert b"".join(piece.as_bytes() for piece in left) == (
        b"/Artifact BMC\n" + BEHIND + b"q\nEMC\n"
        b"/Span <</MCID 0 >>BDC\n" + WORD % 0 + b"Q\n" + WORD % 1 + b"EMC\n"
        b"/Artifact BMC\n" + BEHIND + b"EMC\n"
        b"/Span <</MCID 3 >>BDC\n" + WORD % 3 + b"EMC\n"
    )


def test_what_is_seen_between_two_pieces_keeps_them_apart() -> None:
    text = Element("P")
    content = numbered(0, WORD % 0) + BEHIND + numbered(1, WORD % 1)
    left = joined(pieces(content), {0: text, 1: text})
    assert [piece.number for piece in left if piece.drawing] == [0, None, 1]


def test_a_formula_has_the_letters_that_are_drawn_after_its_box() -> None:
    content = numbered(0, BEHIND) + WORD % 7 + numbered(1, WORD % 1)
    left = joined(pieces(content), {0: Element("Formula"), 1: Element("P")})
    assert [(one.number, one.drawing) for one in left if one.drawing] == [
        (0, BEHIND + WORD % 7),
        (1, WORD % 1),
    ]


def test_a_ligature_stays_within_its_piece() -> None:
    ligature = b"BT\n/Span<</ActualText (fi) >> BDC\n<1> Tj\nEMC\n<2> Tj\nET\n"
    first, second, last = pieces(numbered(4, ligature))
    assert (first.drawing, second.drawing, last.drawing) == (b"", ligature, b"")
    assert second.number == 4
