"""How far the colours of a drawing stand out from the page, in each theme.

The contrast is that of WCAG 2.2: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass

from autograd_lib.book.plot import PAPER
from tools.build import ROOT

RGB = tuple[float, ...]
MIXED = re.compile(r"color-mix\(in srgb,(#[0-9a-f]{6}) (\d+)%,currentColor\)")
LETTERS = re.compile(r"#DejaVu")
XLINK = "{http://www.w3.org/1999/xlink}href"


@dataclass(frozen=True)
class Theme:
    """The colours of the page and of its text."""

    paper: RGB
    ink: RGB

    def contrast(self, colour: str, opacity: float = 1.0) -> float:
        """Return the contrast between a colour of a style and the page."""
        return contrast(blend(self.seen(colour), self.paper, opacity), self.paper)

    def seen(self, colour: str) -> RGB:
        """Return what a colour of a style comes to."""
        if colour in ("currentColor", PAPER):
            return self.paper if colour == PAPER else self.ink
        if mixed := MIXED.fullmatch(colour):
            return blend(rgb(mixed[1]), self.ink, int(mixed[2]) / 100)
        return rgb(colour)


def themes() -> dict[str, Theme]:
    """Return the themes of the book, as its style sheet has them."""
    css = (ROOT / "press/sphinx/static/book.css").read_text("utf-8")
    found = {}
    for name in ("light", "dark"):
        rules = css.partition(f'[data-theme="{name}"] {{')[2].partition("}")[0]
        colours = dict(re.findall(r"--pst-color-([\w-]+): (#\w+)", rules))
        found[name] = Theme(rgb(colours["background"]), rgb(colours["text-base"]))
    return found


def rgb(colour: str) -> RGB:
    """Return `#rgb` or `#rrggbb` as numbers from 0 to 1."""
    digits = colour.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    return tuple(int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4))


def blend(above: RGB, below: RGB, share: float) -> RGB:
    """Return so much of one colour and the rest of another."""
    return tuple(share * a + (1 - share) * b for a, b in zip(above, below, strict=True))


def contrast(one: RGB, other: RGB) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: RGB) -> float:
    """Return the relative luminance of a colour."""
    linear = [
        v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in colour
    ]
    return sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def coloured_lines(svg: str) -> Iterator[tuple[str, float]]:
    """Yield colour and opacity of each line of words in a figure of Matplotlib's."""
    for group in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}g"):
        if any(LETTERS.match(part.get(XLINK, "")) for part in group):
            # The last of two declarations holds.
            style = dict(
                declaration.strip().split(": ", 1)
                for declaration in group.get("style", "").split(";")
                if declaration.strip()
            )
            opacity = float(style.get("opacity", 1)) * float(
                style.get("fill-opacity", 1)
            )
            yield style.get("fill", "currentColor"), opacity
