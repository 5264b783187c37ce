"""The index of the search: the prose of each section, and each definition of the API.

Sphinx's own search knows no sections, and makes its excerpts of menus and folded code:
each search fetches twenty pages for them. Pagefind was tried (1.6). It counts every
word alike, so that it finds *grad is None* in thirty pages, with the answer third; it
finds nothing for *back propagation*, and needs a program for each system. The book is
small enough for one file, which is fetched at the first search.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from textwrap import shorten

from bs4 import BeautifulSoup, Tag

NOT_PROSE = (
    ".cell_input, .cell_output, details.hide > summary, details .highlight, mjx-math, "
    ".headerlink, script, style, svg, .book-stepper, table.genindextable, "
    'details:has(> summary:-soup-contains("Solution"))'
)
WITHOUT = ("CHANGELOG", "genindex", "search", "404")
SHORT = 120  # characters of the description of a name
KINDS = {
    "pages/api": "api",
    "pages/api_beyond": "api",
    "pages/api_pages": "api",
    "pages/operations": "api",
    "pages/notation": "api",
    "pages/beside_pytorch": "api",
    "pages/bibliography": "news",
    "pages/instructors": "news",
    "pages/glossary": "term",
    "pages/questions": "question",
}
FURTHER = "chapters/exercises_"  # its headings are those of chapters, which count more
NUMBER = re.compile(r"^\d+(\.\d+)*\.\s*")


def search_data(pages: Mapping[str, str]) -> str:
    """Return a script with all entries: address, page, title, kind and text of each."""
    entries = [
        entry
        for name, text in pages.items()
        if (page := name.removesuffix(".html")) not in WITHOUT
        for entry in entries_of(page, text)
    ]
    listed = json.dumps(entries, ensure_ascii=False, separators=(",", ":"))
    return f"window.bookSearchData={listed};"


def entries_of(page: str, text: str) -> Iterator[list[str]]:
    """Yield the entries of a page."""
    article = BeautifulSoup(text, "html.parser").find("article")
    if not isinstance(article, Tag):
        return
    for element in article.select(NOT_PROSE):
        element.decompose()
    heading = article.find("h1")
    title = plain(heading) if isinstance(heading, Tag) else page
    kind = KINDS.get(page, "page")
    if page.startswith("chapters/"):
        kind = "end" if page.startswith(FURTHER) else "chapter"
    address = f"{page}.html"
    for term in article.select("dt.sig[id]"):
        about = term.find_next_sibling("dd")
        first = about.find("p") if isinstance(about, Tag) else None
        said = plain(first) if isinstance(first, Tag) else ""
        said = shorten(said, SHORT, placeholder=" …")
        yield [f"{address}#{term['id']}", title, str(term["id"]), "api", said]
    for element in article.select("dl.py"):
        element.decompose()
    # From the innermost on, so that a section has its own text only.
    found = []
    for section in reversed(article.select("section[id]")):
        head = section.find(re.compile("^h[1-6]$"))
        name = plain(head) if isinstance(head, Tag) else title
        if isinstance(head, Tag):
            head.decompose()
        found.append([f"{address}#{section['id']}", title, name, kind, plain(section)])
        section.decompose()
    yield from reversed(found)


def plain(element: Tag) -> str:
    """Return the text of an element on one line, a section's number left out."""
    return NUMBER.sub("", " ".join(element.get_text(" ").split())).replace(" .", ".")
