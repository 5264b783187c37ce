"""SVG that takes the colour of the text around it, and says what it shows."""

import xml.etree.ElementTree as ET

import pytest

from autograd_lib.book.picture import Picture, themed

SVG = """<?xml version="1.0"?>
<!DOCTYPE svg>
<svg width="9" role="x" fill="black" xmlns="http://www.w3.org/2000/svg">
<metadata>secret date</metadata>
<!-- a comment -->
<path stroke="black" fill="#000000" style="stroke: #000000; fill:black"/>
<path stroke="#d55e00" fill="blackboard"/>


<text>paint it: black, ="black"</text>
</svg>"""


def test_black_becomes_the_colour_of_the_text_around():
    paths = [e for e in ET.fromstring(themed(SVG, "a")) if e.tag.endswith("path")]
    assert paths[0].attrib == {
        "stroke": "currentColor",
        "fill": "currentColor",
        "style": "stroke: currentColor; fill:currentColor",
    }


def test_other_colours_and_text_stay_as_they_are():
    svg = themed(SVG, "a")
    assert '<path stroke="#d55e00" fill="blackboard"/>' in svg
    assert '<text>paint it: black, ="black"</text>' in svg


def test_prologue_comments_metadata_and_empty_lines_are_left_out():
    svg = themed(SVG, "a")
    assert svg.startswith("<svg ")
    assert "comment" not in svg
    assert "secret" not in svg
    assert "\n\n" not in svg


def test_the_root_is_an_image_with_a_description_and_legible_alone():
    svg = themed(SVG, 'x < y & "z"\n and more')
    root = ET.fromstring(svg)
    assert root.get("role") == "img"
    assert root.get("aria-label") == 'x < y & "z" and more'
    assert root.get("fill") == "currentColor"
    assert root.get("width") == "9"
    assert "<style>svg:root{color:#777}</style>" in svg


def test_text_without_a_drawing_is_an_error():
    with pytest.raises(ValueError, match="themed: no <svg> element"):
        themed("digraph {}", "a")


def test_a_notebook_gets_the_drawing_and_a_terminal_the_text():
    picture = Picture(SVG, "a", "digraph {}")
    assert picture._repr_svg_() == themed(SVG, "a")
    assert repr(picture) == "digraph {}"
    assert not hasattr(picture, "_repr_png_")
