"""The pages for paper, in the order of the table of contents."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from bs4 import BeautifulSoup
from sphinx_external_toc.parsing import parse_toc_yaml

ONLY_IN_A_BROWSER = {"pages/progress"}
"""Pages that a browser fills with what it kept of its reader."""


@dataclass(frozen=True)
class Page:
    """A page of the book.

    Args:
        name: its file below `_build/html`, without suffix.
        title: its first heading, with the number if it has one.
        part: its part, empty for pages before or between the parts.
    """

    name: str
    title: str
    part: str


def pages(root: Path) -> list[Page]:
    """Return the pages of the built book in `root` that are for paper, in order.

    Raises:
        FileNotFoundError: if the book in `root` has not been built.
    """
    html = root / "_build" / "html"
    return [
        Page(name, title_of((html / f"{name}.html").read_text("utf-8")), part)
        for part, names in book_parts(root)
        for name in names
    ]


def book_parts(root: Path) -> list[tuple[str, list[str]]]:
    """Return the parts of the book: the caption of each and the names of its pages."""
    toc = parse_toc_yaml(root / "_toc.yml").root
    listed = [("", [toc.docname])] + [
        (tree.caption or "", [str(item) for item in tree.items])
        for tree in toc.subtrees
    ]
    return [
        (caption, [name for name in names if name not in ONLY_IN_A_BROWSER])
        for caption, names in listed
    ]


def title_of(text: str) -> str:
    """Return the first heading of a page as plain text."""
    # Reading a whole page to find its first line would take a second for each.
    begins = text.index("<h1", text.index("<article"))
    heading = BeautifulSoup(text[begins : text.index("</h1>", begins)], "html.parser")
    for link in heading.select(".headerlink"):
        link.decompose()
    return re.sub(r"\s+", " ", heading.get_text("")).strip()
