"""Listings for e-readers, in which the rest of a long line is indented."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

PRE = re.compile(r"(<pre\b[^>]*>)(.*?)</pre>", re.DOTALL)
PIECE = re.compile(r'<span(?: class="([^"]*)")?>|(</span>)|<br ?/?>|<[^>]*>|([^<]+)')
BARE = re.compile(r'<span class="([^"]*)">([^<]*)</span>')
CLASS = re.compile(r"\.([a-zA-Z][\w-]*)")
INDENT, DEEPEST = 4, 5  # of the classes i1 to i5


def classes_of(sheet: str) -> set[str]:
    """Return the classes that a style sheet names."""
    return set(CLASS.findall(sheet))


def with_listings(page: str, classes: Collection[str]) -> str:
    """Return a page in which each line of code is a block of its own.

    Of the highlighter's classes, only those of the style sheet are kept.
    """

    def bare(span: re.Match[str]) -> str:
        return span[0] if set(span[1].split()) & set(classes) else span[2]

    def with_blocks(pre: re.Match[str]) -> str:
        return f"{pre[1]}{''.join(blocks(runs(pre[2], classes)))}</pre>"

    return PRE.sub(with_blocks, BARE.sub(bare, page))


def runs(code: str, classes: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the pieces of a listing with their classes; a line's end ends a piece.

    >>> list(runs('<span class="k">if</span> x:\\n', {"k"}))
    [('if', 'k'), (' x:\\n', '')]
    """
    within: list[str] = []
    for piece in PIECE.finditer(code):
        name, closes, text = piece.groups()
        if closes:
            within.pop()
        elif piece[0].startswith("<span"):
            known = [word for word in (name or "").split() if word in classes]
            within.append(" ".join(known))
        elif piece[0].startswith("<br"):
            yield "\n", ""
        elif text:
            for part in text.splitlines(keepends=True):
                yield part, within[-1] if within else ""


def blocks(pieces: Iterator[tuple[str, str]]) -> list[str]:
    """Return the lines of a listing without empty ones at its end."""
    lines: list[tuple[str, str]] = [("", "")]  # the text, and the text with its marks
    for text, name in pieces:
        plain, marked = lines[-1]
        mark = f'<span class="{name}">{text}</span>' if name else text
        lines[-1] = (plain + text, marked + mark)
        if text.endswith("\n"):
            lines.append(("", ""))
    while len(lines) > 1 and not lines[-1][0].strip():
        lines.pop()
    return [f'<span class="line{set_in(plain)}">{mark}</span>' for plain, mark in lines]


def set_in(line: str) -> str:
    """Return the class that indents the rest of a long line further than its beginning.

    >>> set_in("if x:"), set_in("        y = 1")
    ('', ' i2')
    """
    level = min((len(line) - len(line.lstrip(" "))) // INDENT, DEEPEST)
    return f" i{level}" if level else ""
