"""Drawings in pages: coordinates as exact as a screen shows them, and letters once.

Matplotlib writes letters as shapes, in each figure anew, and places to a millionth of a
point. That is a third of what a chapter weighs.
"""

from __future__ import annotations

import base64
import io
import re

from PIL import Image

SVG = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
COORDINATES = re.compile(r'(?<=\s)(d|points|x|y|x1|x2|y1|y2|width|height)="([^"]*)"')
NUMBER = re.compile(r"-?\d*\.\d+(?:e-?\d+)?")
LETTER = re.compile(r'<path ([^>]*)id="svg\d+-(DejaVu[\w-]+)"([^>]*)/>')
USE = re.compile(r'(?<=href=")#svg\d+-(?=DejaVu)')
BESIDE = re.compile(r" ?([A-Za-z]) ?")
PIXELS = re.compile(r"(?<=data:image/png;base64,)\s*[\w+/=\s]+")
LARGE = 20_000  # bytes, from which a picture in a drawing is worth the work
COLOURS = 128  # of one colour map, so that none is off by more than 6 of 255
MARK = re.compile(r'(<use [^>]*\bx=")([\d.-]+)(" y=")([\d.-]+)')
BETWEEN = re.compile(r">\s+<")
ARTICLE = "</article>"


def lighter(page: str) -> str:
    """Return a page whose drawings look the same and weigh less."""
    return shared(SVG.sub(_lighter, page))


def shared(page: str) -> str:
    """Return a page where all drawings have their letters from one place.

    It is no drawing's own: a cell that runs takes its old drawing away.
    """
    letters: dict[str, str] = {}

    def take(letter: re.Match[str]) -> str:
        letters.setdefault(letter[2], f"{letter[1]}{letter[3]}".strip())
        return ""

    page = SVG.sub(lambda svg: USE.sub("#letter-", LETTER.sub(take, svg[0])), page)
    if not letters:
        return page
    paths = "".join(
        f'<path id="letter-{name}" {shape}/>' for name, shape in letters.items()
    )
    hidden = f'<svg class="book-letters" aria-hidden="true"><defs>{paths}</defs></svg>'
    return page.replace(ARTICLE, f"{hidden}\n{ARTICLE}", 1)


def _lighter(svg: re.Match[str]) -> str:
    text = PIXELS.sub(_fewer_colours, COORDINATES.sub(_rounded, svg[0]))
    # Of the marks of a plot there may be hundreds, and none has a line to meet.
    text = MARK.sub(lambda m: f"{m[1]}{shorter(m[2], 1)}{m[3]}{shorter(m[4], 1)}", text)
    return text if "<text" in text else BETWEEN.sub("><", text)


def _fewer_colours(pixels: re.Match[str]) -> str:
    """Return a large picture with fewer colours."""
    content = base64.b64decode(pixels[0])
    if len(content) < LARGE:
        return pixels[0]
    with Image.open(io.BytesIO(content)) as picture:
        if picture.mode == "RGBA" and picture.getchannel("A").getextrema() != (
            255,
            255,
        ):
            return pixels[0]
        colours = picture.convert("RGB").quantize(
            COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
        )
    file = io.BytesIO()
    colours.save(file, "png", optimize=True)
    return base64.b64encode(file.getvalue()).decode()


def _rounded(attribute: re.Match[str]) -> str:
    values = NUMBER.sub(lambda number: shorter(number[0]), attribute[2])
    text = " ".join(values.split())
    if attribute[1] == "d":  # a letter needs no space beside it
        text = BESIDE.sub(r"\1", text)
    return f'{attribute[1]}="{text}"'


def shorter(number: str, digits: int = 2) -> str:
    """Return a number in the fewest signs.

    >>> [shorter(number) for number in ("12.3456", "-0.004", "0.5", "7.0")]
    ['12.35', '0', '.5', '7']
    """
    text = f"{float(number):.{digits}f}".rstrip("0").rstrip(".")
    return re.sub(r"^(-?)0\.", r"\1.", text) if text not in ("-0", "0") else "0"
