"""The head of a page, and the scripts at its end."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from press.site.problem import SiteError
from press.site.publishing import Edition, tags, with_edition

HEAD = re.compile(r"<head>(.*?)</head>", re.DOTALL)
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
TWICE = re.compile(r"^(.+?) \S+ \1$")  # the book, as a page of itself
LINK = re.compile(r'<link rel="(?:icon|index|search|next|prev)"[^>]*>')
# Tags that the book's extension puts into the head of a page.
OWN = re.compile(r"<(script|style) data-own\b.*?</\1>", re.DOTALL)
AT_THE_END = re.compile(r'\s*<script src="[^"]*_static/scripts/[^"]*"></script>')
ROOT = re.compile(r'data-content_root="([^"]*)"')
# The theme has the logo twice, for light and dark pages; one is enough.
MARK = re.compile(
    r'(<img src="[^"]*" class="logo__image) only-light("[^>]*>)\s*<script>.*?</script>',
    re.DOTALL,
)

# It holds the logo of the book, outside of any landmark.
SIDEBAR = '<div class="bd-sidebar-primary bd-sidebar">'
LANDMARK = f'{SIDEBAR[:-1]} role="navigation" aria-label="Book">'

# The theme's title and contents for paper, without the chapter's number.
ON_PAPER = re.compile(
    r'<div id="jb-print-docs-body".*?(?=<div id="searchbox">)', re.DOTALL
)

# A header without words is useless.
NO_HEADER = re.compile(r'<th class="head">(?:<p></p>)?</th>')
EMPTY_CELL = '<td class="head"></td>'

FORMULA = "<mjx-container"
# The italic face is part of the sheet, and decoded when a word needs it: too late for
# that word, which would stay in another face, as none takes another's place later.
ITALIC = """document.fonts.load('italic 1em "Bottom Up Serif"')"""

# Before anything is painted.
FIRST = Path(__file__).with_name("first.js").read_text("utf-8").strip()


@dataclass(frozen=True)
class Files:
    """Names of the files that all pages load, below the root of the site."""

    face: str
    boxes: str  # the font that gives the boxes of formulas their heights
    style: str
    without_script: str
    script: str
    search: str


def with_head(page: str, text: str, files: Files, edition: Edition) -> str:
    """Return a page that loads these files only.

    Args:
        page: its name.
        text: the page as Sphinx wrote it.
        files: those that it loads.
        edition: of the book.
    """
    root = _one(ROOT, page, text)[1]
    old = _one(HEAD, page, text)
    title = TWICE.sub(r"\1", _one(TITLE, page, old[1])[1])
    head = [
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>",
        *tags(page, title, text, edition),
        f"<script>\n{FIRST}\n</script>",
        _preloaded(f"{root}{files.face}"),
        *([_preloaded(f"{root}{files.boxes}")] if FORMULA in text else []),
        f'<link rel="stylesheet" href="{root}{files.style}">',
        f"<script>{ITALIC}</script>",
        f'<noscript><link rel="stylesheet" href="{root}{files.without_script}">'
        "</noscript>",
        f'<script defer src="{root}{files.script}" data-search="{files.search}">'
        "</script>",
        *(own[0] for own in OWN.finditer(old[1])),
        *LINK.findall(old[1]),
    ]
    lines = "\n".join(head)
    text = f"{text[: old.start()]}<head>\n{lines}\n</head>{text[old.end() :]}"
    text = MARK.sub(r"\1\2", AT_THE_END.sub("", text)).replace(SIDEBAR, LANDMARK, 1)
    text = ON_PAPER.sub("", NO_HEADER.sub(EMPTY_CELL, text))
    return with_edition(text, root, edition)


def _preloaded(font: str) -> str:
    """Return the link to a font that is to be there before the page is laid out."""
    kind = PurePosixPath(font.partition("?")[0]).suffix[1:]
    link = f'<link rel="preload" href="{font}" as="font" type="font/{kind}"'
    return f"{link} crossorigin>"


def _one(pattern: re.Pattern[str], page: str, text: str) -> re.Match[str]:
    found = pattern.search(text)
    if not found:
        raise SiteError(f"{page} is no page of this theme: it lacks {pattern.pattern}")
    return found
