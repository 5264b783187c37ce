"""Drawings in a page: what is too wide for a phone scrolls, and takes the keyboard."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from press.sphinx.book_ext.svg import SVG, inlined, width_of

ALT = "A graph of three nodes."


def drawing(width: str | None) -> str:
    size = "" if width is None else f' width="{width}"'
    return f'<svg xmlns="{SVG}"{size} aria-label="{ALT}"><path d="M0 0h9"/></svg>\n'


def elements(html: str) -> list[ET.Element]:
    """Return the elements, from the outside in."""
    return list(ET.fromstring(html).iter())


# A drawing may shrink to 0.55 of its size, and a phone leaves 320 pixels: it may be
# 581.8 pixels wide, which are 436.4 points.
WIDE = {"582px": 582.0, "582": 582.0, "437pt": 437 * 4 / 3, "999.5pt": 999.5 * 4 / 3}
NARROW = ["581px", "581", "581.8", "436pt", "10pt", "0", "100%", "50em", "", None]


@pytest.mark.parametrize(("width", "pixels"), WIDE.items())
def test_a_wide_drawing_scrolls_and_takes_the_keyboard(
    width: str, pixels: float
) -> None:
    wide, svg, path = elements(inlined(drawing(width), "svg1-", ""))
    assert (wide.tag, svg.tag, path.tag) == ("div", f"{{{SVG}}}svg", f"{{{SVG}}}path")
    assert wide.attrib == {
        "class": "book-wide",
        "tabindex": "0",
        "role": "group",
        "aria-label": "A wide drawing",
    }
    assert svg.get("style") == f"min-width:{0.55 * pixels:.0f}px"
    assert (svg.get("role"), svg.get("aria-label")) == ("img", ALT)


@pytest.mark.parametrize("width", NARROW)
def test_a_drawing_that_fits_a_phone_stays_bare(width: str | None) -> None:
    text = inlined(drawing(width), "svg1-", "")
    svg, _ = elements(text)
    assert text.startswith("<svg ")
    assert text.endswith("</svg>")
    assert (svg.get("style"), svg.get("tabindex")) == (None, None)
    assert (svg.get("role"), svg.get("class")) == ("img", "book-svg")
    assert svg.get("width") == width


@pytest.mark.parametrize(
    ("width", "pixels"),
    [("72pt", 96.0), ("72px", 72.0), ("7.5", 7.5), ("9in", 0.0), ("px", 0.0)],
)
def test_a_width_is_measured_in_pixels(width: str, pixels: float) -> None:
    assert width_of(ET.fromstring(drawing(width))) == pytest.approx(pixels)


def test_the_authors_words_go_before_those_of_the_drawing() -> None:
    for width in ("10pt", "1000pt"):
        text = inlined(drawing(width), "svg1-", " Two\n words ")
        assert 'aria-label="Two words"' in text
        assert ALT not in text


def test_two_drawings_share_no_ids() -> None:
    text = f'<svg xmlns="{SVG}" width="900"><g id="unused"/><path id="p"/>'
    text += '<use href="#p"/><g id="q" clip-path="url(#q)"/></svg>'
    first, second = (inlined(text, prefix, ALT) for prefix in ("svg1-", "svg2-"))
    assert re.findall(r' id="([^"]*)"', first) == ["svg1-p", "svg1-q"]
    assert 'href="#svg1-p"' in first
    assert "url(#svg1-q)" in first
    assert second == first.replace("svg1-", "svg2-")


def test_a_drawing_that_nobody_described_is_refused() -> None:
    with pytest.raises(ValueError, match="no description; write one as alt text"):
        inlined(f'<svg xmlns="{SVG}" width="900" aria-label=" "/>', "svg1-", "")


def test_a_style_sheet_for_the_whole_page_is_refused() -> None:
    text = f'<svg xmlns="{SVG}"><style>{{}}</style></svg>'
    with pytest.raises(ValueError, match="write presentation attributes"):
        inlined(text.format("path {fill: red}"), "svg1-", ALT)
    assert "style" not in inlined(text.format("svg:root {color: #777}"), "svg1-", ALT)
