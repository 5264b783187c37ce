"""What the search looks through: the prose of each section with the names in its code,
each question, and each definition of the API.

Sphinx's own search knows no sections, and makes its excerpts of menus and folded code:
each search fetches twenty pages for them. The book is small enough for one file, which
is fetched at the first search, with the program that ranks places.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import shorten

from bs4 import BeautifulSoup, Tag
from docutils.nodes import make_id

from press.site.scripts import COMMENT

MARK = re.compile(r" (?=[.,;:?](?:\s|$))")
RANKING = Path(__file__).with_name("ranking.js")
STEMMER = "language_data.js"  # of Sphinx: Porter's, for English
SOLUTION = 'details:has(> summary:-soup-contains("Solution"))'
NOT_PROSE = (
    ".cell_input, .cell_output, details.hide > summary, details .highlight, mjx-math, "
    "script, style, svg, .book-stepper, table.genindextable"
)
CODE = ".cell:not(.tag_setup) .cell_input pre, details pre"
NOT_NAMES = ".c1, .k, .kn, .ow, .kc, .s1, .s2, .sd, .nb, .bp"
NAME = re.compile(r"[^\W\d]\w{3,}")
QUESTION = re.compile(r"<p>(?=<strong>(.*?)</strong>\n)")
WITHOUT = ("CHANGELOG", "genindex", "search", "404")
SHORT = 120  # characters of the description of a name
QUESTIONS = "pages/questions"
KINDS = {
    "pages/api": "api",
    "pages/api_beyond": "api",
    "pages/api_pages": "api",
    "pages/operations": "api",
    "pages/notation": "page",
    "pages/beside_pytorch": "page",
    "pages/bibliography": "news",
    "pages/instructors": "page",
    "pages/glossary": "term",
    QUESTIONS: "question",
}
FURTHER = "chapters/exercises_"  # its headings are those of chapters, which count more
END = {"Exercises", "Summary", "Further reading"}  # they repeat their chapter
NUMBER = re.compile(r"^\d+(\.\d+)*\.\s*")


def search_data(pages: Mapping[str, str], stemmer: str) -> str:
    """Return a script that ranks places for a query, with all places.

    A place has an address, a page, a title, a kind, a text, and the names in its code.
    """
    entries = [
        entry
        for name, text in pages.items()
        if (page := name.removesuffix(".html")) not in WITHOUT
        for entry in entries_of(page, text)
    ]
    listed = json.dumps(entries, ensure_ascii=False, separators=(",", ":"))
    program = COMMENT.sub("", f"{stemmer}\n{RANKING.read_text('utf-8')}")
    return f"{program}\nwindow.bookSearch=bookRanking({listed});"


def with_addresses(text: str) -> str:
    """Return the page of questions with an address for each of them."""
    return QUESTION.sub(
        lambda found: f'<p id="{make_id(re.sub("<.*?>", "", found[1]))}">', text
    )


def entries_of(page: str, text: str) -> Iterator[list[str]]:
    """Yield the entries of a page."""
    article = BeautifulSoup(text, "html.parser").find("article")
    if not isinstance(article, Tag):
        return
    remove(article, f"{SOLUTION}, .headerlink")
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
    remove(article, "dl.py")
    if page == QUESTIONS:
        for asked in article.select("p[id]:has(> strong)"):
            question = asked.find("strong")
            name = plain(question.extract()) if isinstance(question, Tag) else ""
            yield [f"{address}#{asked['id']}", title, name, kind, plain(asked)]
            asked.decompose()
    yield from sections(article, address, title, kind)


def sections(article: Tag, address: str, title: str, kind: str) -> Iterator[list[str]]:
    """Yield the entries of a page's sections, each with its own text only."""
    found = []
    for section in reversed(article.select("section[id]")):  # from the innermost on
        code = names(section)
        remove(section, NOT_PROSE)
        head = section.find(re.compile("^h[1-6]$"))
        name = plain(head) if isinstance(head, Tag) else title
        if isinstance(head, Tag):
            head.decompose()
        text = plain(section)
        more = " ".join(name for name in code if name not in text)
        if text or more:
            of = "end" if name in END else kind
            found.append([f"{address}#{section['id']}", title, name, of, text, more])
        section.decompose()
    yield from reversed(found)


def names(section: Tag) -> list[str]:
    """Return the names in a section's code, each once."""
    listed: dict[str, None] = {}
    for code in section.select(CODE):
        remove(code, NOT_NAMES)
        listed |= dict.fromkeys(NAME.findall(code.get_text()))
    return list(listed)


def remove(element: Tag, selector: str) -> None:
    """Remove everything in an element that the selector finds."""
    for part in element.select(selector):
        part.decompose()


def plain(element: Tag) -> str:
    """Return the text of an element on one line, a section's number left out."""
    text = " ".join(element.get_text(" ").split())
    return MARK.sub("", NUMBER.sub("", text))
