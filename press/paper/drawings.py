"""Make drawings separate files, for e-readers.

On a page a drawing takes the colour of the text around it. Here each drawing is an
image, which e-readers can enlarge and describe by its `alt`. It has a white background,
since a dark theme of the e-reader may treat the page in any way.
"""

from __future__ import annotations

import re
from html import unescape
from typing import NamedTuple
from urllib.parse import unquote

PICTURE = re.compile(
    r"<img alt=\"(?P<alt>[^\"]*)\" src='(?P<url>data:image/svg[^']*)'[^>]*>"
)
SVG = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
LABEL = re.compile(r'\saria-label="([^"]*)"')
FOR_PAGES = re.compile(r'\s(?:class|role|aria-label|style)="[^"]*"')
FOR_NOTEBOOKS = re.compile(r"<style>svg:root[^<]*</style>")
VIEW = re.compile(r'viewBox="([\d.-]+)[ ,]+([\d.-]+)[ ,]+([\d.-]+)[ ,]+([\d.-]+)"')
STEPPED = re.compile(r'<g data-part="([ne])\d+">(.*?)</g>', re.DOTALL)
PART = re.compile(r'\sdata-\w+="\w+"')
GREY, DARKER = "#888888", "#595959"
"""The grey of plots, which has to do in both themes, and one for white alone."""
VALUE, GRADIENT = "#1c648f", "#a84700"  # as in the stepper, on white
HREF = re.compile(r'(<a\b[^>]*?\s)href="([^"]*)"')


class Drawing(NamedTuple):
    """A drawing: a file, or part of the page if it has links."""

    svg: str
    is_inline: bool


def taken_out(page: str, folder: str) -> tuple[str, dict[str, Drawing]]:
    """Return a page with images in place of drawings, and the drawings by name.

    A drawing with links is an image too, until the page is written.

    Args:
        page: a finished page.
        folder: the beginning of the names of its drawings.
    """
    drawings: dict[str, Drawing] = {}

    def put(svg: str, alt: str) -> str:
        name = f"{folder}-{len(drawings) + 1}.svg"
        drawings[name] = Drawing(alone(svg), "<a " in svg)
        return f'<img class="figure" src="{name}" alt="{alt}"/>'

    def stepper(found: re.Match[str]) -> str:
        svg = unquote(unescape(found["url"])).partition(",")[2]
        return put(stepped(svg), found["alt"])

    def drawn(found: re.Match[str]) -> str:
        label = LABEL.search(found[0])
        return put(found[0], label[1]) if label else ""

    # Drawings in data addresses hold the same tags as inline ones.
    return SVG.sub(drawn, PICTURE.sub(stepper, page)), drawings


def stepped(svg: str) -> str:
    """Return the finished drawing of a stepper with values and gradients in colour."""

    def coloured(group: re.Match[str]) -> str:
        before, *texts = group[0].split("<text ")
        texts[-1] = f'fill="{GRADIENT}" {texts[-1]}'
        if group[1] == "n":
            texts[-2] = f'fill="{VALUE}" {texts[-2]}'
        return "<text ".join([before, *texts])

    return PART.sub("", STEPPED.sub(coloured, svg))


def alone(svg: str) -> str:
    """Return a drawing that works without its page: black on white."""
    head, body = svg.split(">", 1)
    head = FOR_PAGES.sub("", head)
    body = FOR_NOTEBOOKS.sub("", body).replace(GREY, DARKER)
    if "xmlns:xlink" not in head:
        head += ' xmlns:xlink="http://www.w3.org/1999/xlink"'
    x, y, w, h = VIEW.search(head).groups()  # type: ignore[union-attr]
    paper = f'<rect x="{x}" y="{y}" width="{w}" height="{h}" fill="#fff"/>'
    return f"{head}>{paper}{body}"
