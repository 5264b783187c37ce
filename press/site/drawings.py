"""Make drawings in pages smaller: as exact as a screen, with few elements.

Matplotlib writes coordinates to a millionth of a point, and nested groups.
"""

from __future__ import annotations

import base64
import io
import re

from PIL import Image

from press.site.letters import with_letters_joined
from press.site.paths import compact

SVG = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
COORDINATES = re.compile(r'(?<=\s)(d|points|x|y|x1|x2|y1|y2|width|height)="([^"]*)"')
NUMBER = re.compile(r"-?\d*\.\d+(?:e-?\d+)?")
PATH = re.compile(r'(?<= d=")[^"]*')
GROUP = re.compile(r"<(/?)g\b([^>]*)>")
BESIDE = re.compile(r" ?([A-Za-z]) ?")
PIXELS = re.compile(r"(?<=data:image/png;base64,)\s*[\w+/=\s]+")
LARGE = 20_000  # bytes; a smaller picture in a drawing isn't worth the work
COLOURS = 128  # of one colour map; none is off by more than 6 of 255
MARK = re.compile(r'(<use [^>]*\bx=")([\d.-]+)(" y=")([\d.-]+)')
BETWEEN = re.compile(r">\s+<")


def lighter(page: str) -> str:
    """Return a page whose drawings look the same and take fewer bytes."""
    return SVG.sub(_lighter, page)


def _lighter(svg: re.Match[str]) -> str:
    text = svg[0]
    if "<text" not in text:  # Matplotlib's
        text = _without_bare_groups(with_letters_joined(BETWEEN.sub("><", text)))
        text = PATH.sub(lambda path: compact(path[0], digits=2), text)
    text = PIXELS.sub(_fewer_colours, COORDINATES.sub(_rounded, text))
    # A plot may have hundreds of marks, and none has to meet a line.
    return MARK.sub(lambda m: f"{m[1]}{shorter(m[2], 1)}{m[3]}{shorter(m[4], 1)}", text)


def _without_bare_groups(svg: str) -> str:
    """Return a drawing without groups that have no effect."""
    bare: list[bool] = []  # for each open group

    def kept(tag: re.Match[str]) -> str:
        if tag[2].endswith("/"):
            return ""  # empty
        if not tag[1]:
            bare.append(not tag[2])
        says_nothing = bare.pop() if tag[1] else bare[-1]
        return "" if says_nothing else tag[0]

    return GROUP.sub(kept, svg)


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
    if attribute[1] == "d":  # a letter needs no space next to it
        text = BESIDE.sub(r"\1", text)
    return f'{attribute[1]}="{text}"'


def shorter(number: str, digits: int = 2) -> str:
    """Return a number in the fewest characters.

    >>> [shorter(number) for number in ("12.3456", "-0.004", "0.5", "7.0")]
    ['12.35', '0', '.5', '7']
    """
    text = f"{float(number):.{digits}f}".rstrip("0").rstrip(".")
    return re.sub(r"^(-?)0\.", r"\1.", text) if text not in ("-0", "0") else "0"
