"""Join the letters of each line of text in Matplotlib's drawings to one shape.

Matplotlib draws a letter once and places copies of it. A browser makes three elements
of a copy, and lays them out one by one. Here the letters of a line are joined. Their
outlines are relative, so that a letter is the same text everywhere, which compresses
well.
"""

from __future__ import annotations

import re

from press.site.paths import compact

LETTER = re.compile(
    r'<path (?:d="([^"]*)" )?transform="scale\(0\.015625\)" id="([^"]*)" />'
)
EMPTY = "<defs></defs>"
LINE = re.compile(r'<g ([^>]*)transform="([^"]*)">((?:<use xlink:href="#[^>]*>)+)</g>')
PLACED = re.compile(
    r'href="#([^"]*)"(?: transform="translate\((\S+) (\S+)\)(?: scale\((\S+)\))?")?'
)
FINE = 4
"""Steps in a hundredth of a letter's size. Matplotlib's letters have sixteen times
more, of which nothing is seen."""


def with_letters_joined(svg: str) -> str:
    """Return a drawing of Matplotlib's with each line of words as one path."""
    outlines: dict[str, str] = {}

    def take(letter: re.Match[str]) -> str:
        outlines[letter[2]] = letter[1] or ""  # a space
        return ""

    def joined(line: re.Match[str]) -> str:
        letters = PLACED.findall(line[3])
        if not outlines.keys() >= {name for name, *_ in letters}:
            return line[0]  # marks
        shape = "".join(
            compact(
                outlines[name],
                digits=0,
                scale=float(scale or 1) * FINE / 64,
                x=round(float(x or 0) * FINE),
                y=round(float(y or 0) * FINE),
            )
            for name, x, y, scale in letters
        )
        return (
            f'<path class="book-words" {line[1]}'
            f'transform="{line[2]} scale({1 / FINE})" d="{shape}" />'
        )

    return LINE.sub(joined, LETTER.sub(take, svg).replace(EMPTY, ""))
