"""Make drawings part of the page, so that they follow its theme.

A browser shows `<img src="graph.svg">` as a document of its own, which knows nothing
of the page's text colour. Inline, `currentColor` is that colour.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
XLINK_HREF = f"{{{XLINK}}}href"
ElementTree.register_namespace("", SVG)
ElementTree.register_namespace("xlink", XLINK)

ALONE = re.compile(r"\s*svg:root\s*\{[^{}]*\}\s*")
LINK = re.compile(r"(?<=^#).+")
URL = re.compile(r"(?<=url\(#)[^)]+")
LENGTH = re.compile(r"([\d.]+)(pt|px)?")

PIXELS = {"pt": 96 / 72, "px": 1.0, None: 1.0}
SMALLEST = 0.55  # of its natural size; 12 points are then still 9 pixels
PHONE = 320  # what a narrow phone leaves for a drawing, in pixels

logger = logging.getLogger(__name__)


class InlineSvg(SphinxPostTransform):
    """Replace every image that is an SVG file of the book by the drawing itself."""

    default_priority = 5
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Replace the images of one page."""
        images = [
            image
            for image in self.document.findall(nodes.image)
            if image["uri"].endswith(".svg") and "://" not in image["uri"]
        ]
        for number, image in enumerate(images, 1):
            path = Path(self.app.srcdir, image["uri"])
            try:
                text = inlined(
                    path.read_text("utf-8"), f"svg{number}-", image.get("alt", "")
                )
            except ValueError as problem:
                logger.warning("%s: %s", path.name, problem, location=image)
                continue
            image.replace_self(nodes.raw("", text, format="html"))


def inlined(text: str, prefix: str, alt: str) -> str:
    """Return an SVG document as an element that can stand in a page.

    Args:
        text: the document.
        prefix: makes its ids unique among the drawings of a page.
        alt: the author's description, which takes precedence over the drawing's own.

    Raises:
        ValueError: if nothing describes the drawing, or if it has a style sheet that
            would apply to the page around it.
    """
    root = ElementTree.fromstring(text)
    label = " ".join((alt or root.get("aria-label", "")).split())
    if not label:
        raise ValueError("the drawing has no description; write one as alt text")
    # The contents of an image are hidden from screen readers, but links must not be.
    has_links = root.find(f".//{{{SVG}}}a") is not None
    root.set("role", "group" if has_links else "img")
    root.set("aria-label", label)
    root.set("class", "book-svg")
    _drop_styles(root)
    _own_ids(root, prefix)
    root.tail = None
    least = SMALLEST * width_of(root)
    if least <= PHONE:
        return ElementTree.tostring(root, encoding="unicode")
    root.set("style", f"min-width:{least:.0f}px")
    drawing = ElementTree.tostring(root, encoding="unicode")
    # A box that scrolls must be reachable by keyboard.
    return (
        '<div class="book-wide" tabindex="0" role="group" aria-label="A wide drawing">'
        f"{drawing}</div>"
    )


def width_of(root: ElementTree.Element) -> float:
    """Return a drawing's natural width in pixels, 0 if it has none."""
    match = LENGTH.fullmatch(root.get("width", ""))
    return float(match[1]) * PIXELS[match[2]] if match else 0.0


def _drop_styles(root: ElementTree.Element) -> None:
    """Remove the style rules of a standalone drawing, and refuse any other rules."""
    for parent in list(root.iter()):
        for style in parent.findall(f"{{{SVG}}}style"):
            if not ALONE.fullmatch(style.text or ""):
                raise ValueError(
                    "a <style> in a drawing applies to the whole page; "
                    "write presentation attributes"
                )
            parent.remove(style)


def _own_ids(root: ElementTree.Element, prefix: str) -> None:
    """Put `prefix` before the ids that the drawing refers to and drop the others."""
    used: set[str] = set()

    def renamed(match: re.Match[str]) -> str:
        used.add(match[0])
        return prefix + match[0]

    for element in root.iter():
        for key, value in element.attrib.items():
            pattern = LINK if key in ("href", XLINK_HREF) else URL
            element.set(key, pattern.sub(renamed, value))
    for element in root.iter():
        name = element.attrib.pop("id", None)
        if name in used:
            element.set("id", f"{prefix}{name}")
