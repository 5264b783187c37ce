"""Make the book an EPUB: `python -m press.paper.epub` writes _build/*.epub.

It is made from the finished pages in _build/html, so build the book first. It leaves
out pages that only work in a browser.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from html import escape
from pathlib import Path
from posixpath import join, normpath
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import yaml

from notebooks.notebook import ROOT
from press.edition import edition_of, stamp_of
from press.paper.container import Book, Entry, contents, document, package, zipped
from press.paper.contents import book_parts
from press.paper.cover import cover
from press.paper.drawings import HREF
from press.paper.reflow import Page, file_of, reflowed
from press.site.publishing import CARD_ALT, EPUB

HTML = ROOT / "_build" / "html"
OUTPUT = ROOT / "_build" / EPUB
SHEET = Path(__file__).with_name("epub.css")
WITHOUT_SECTIONS = ("pages/glossary", "CHANGELOG")
"""Pages whose sections are too many, or too small, for the table of contents."""
IMAGE = re.compile(r'<img [^>]*src="(images/[^"]+)"[^>]*/>')
HERE = """\
<h2>How this e-book differs from the site</h2>
<p>What moves there stands still here. A graph to step through is shown finished, with \
the words of its steps below it. What is folded there, a link leads to: solutions, \
answers to the questions and code that draws figures are at the end of each chapter, \
and another link leads back. To run and change the code, open the site or the \
notebooks.</p>"""


class EpubError(Exception):
    """The EPUB could not be made, for the reason given."""


def main(argv: list[str] | None = None) -> int:
    """Make the EPUB; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m press.paper.epub", description=__doc__
    )
    parser.parse_args(argv)
    if not stamp_of(HTML).exists():
        print("There is no complete book. Run: make book", file=sys.stderr)
        return 1
    try:
        made = epub()
    except EpubError as error:
        print(error, file=sys.stderr)
        return 1
    OUTPUT.write_bytes(made)
    print(f"{OUTPUT.relative_to(ROOT).as_posix()}: {len(made) / 1e6:.1f} MB")
    return 0


def epub(only: Sequence[str] = ()) -> bytes:
    """Return the EPUB of the built book.

    Args:
        only: the pages to take, by name; all by default.

    Raises:
        EpubError: if a page cannot be read or a link leads nowhere.
    """
    chosen = [
        (caption, [name for name in names if not only or name in only])
        for caption, names in book_parts(ROOT)
    ]
    sheet = SHEET.read_text("utf-8")
    pages = {
        name: reflowed(name, (HTML / f"{name}.html").read_text("utf-8"), sheet)
        for _, names in chosen
        for name in names
    }
    book = book_of(ROOT)
    images = {
        file: drawing.svg.encode()
        for page in pages.values()
        for file, drawing in page.drawings.items()
        if not drawing.is_inline
    }
    texts = {
        "cover.xhtml": document(
            book.title,
            f'<div class="cover"><img src="cover.png" alt="{escape(CARD_ALT)}"/></div>',
        ),
        "title.xhtml": document(book.title, title_page(book)),
        "nav.xhtml": contents(lines(chosen, pages), next(iter(pages.values())).file),
    }
    ids = {name: page.ids for name, page in pages.items()}
    for page in pages.values():
        link(page, ids)
        texts[page.file] = page_file(page)
    files = {
        **{name: text.encode() for name, text in texts.items()},
        **images,
        "cover.png": cover(),
        "epub.css": sheet.encode(),
    }
    for name, content in files.items():
        if name.endswith((".xhtml", ".svg")):
            require_xml(name, content)
    return zipped(files, package(book, files, list(texts)))


def book_of(root: Path) -> Book:
    """Return the metadata of the book; its day is that of the last commit."""
    config = yaml.safe_load((root / "_config.yml").read_text("utf-8"))
    edition = edition_of(root)
    return Book(
        title=config["title"],
        author=config["author"],
        rights=config["html"]["extra_footer"],
        version=edition.version,
        day=edition.day or date.today(),
    )


def title_page(book: Book) -> str:
    """Return the title page, which also lists the differences from the site."""
    day = f"{book.day.day} {book.day:%B %Y}"
    return (
        '<div class="titles">\n'
        f"<h1>{escape(book.title)}</h1>\n<p>{escape(book.author)}</p>\n"
        f"<p>Edition {escape(book.version)}, {day}</p>\n"
        f"<p>{escape(book.rights)}</p>\n</div>\n{HERE}"
    )


def lines(
    chosen: Sequence[tuple[str, Sequence[str]]], pages: dict[str, Page]
) -> Iterator[Entry]:
    """Yield the lines of the table of contents."""
    for caption, names in chosen:
        entries = tuple(line(pages[name]) for name in names)
        if caption and entries:
            yield Entry(caption, below=entries)
        else:
            yield from entries


def line(page: Page) -> Entry:
    """Return a page's line of the table of contents, with those of its sections."""
    if page.name in WITHOUT_SECTIONS:
        return Entry(page.title, page.file)
    below = [Entry(title, f"{page.file}#{anchor}") for anchor, title in page.sections]
    return Entry(page.title, page.file, tuple(below))


def link(page: Page, ids: dict[str, set[str]]) -> None:
    """Let links to pages lead into the EPUB; remove those to pages that it lacks.

    Args:
        page: a page.
        ids: the anchors of all pages, by name.

    Raises:
        EpubError: if a link leads to an anchor that is not there.
    """
    for a in page.body.find_all("a"):
        address = str(a.get("href", ""))
        if urlsplit(address).scheme:
            continue
        target = new_address(page, address, ids)
        if target is None:
            a.unwrap()
        else:
            a["href"] = target


def new_address(page: Page, address: str, ids: dict[str, set[str]]) -> str | None:
    """Return a link's address in the EPUB, or None if its page isn't there.

    Raises:
        EpubError: if the page is there and the anchor is not.
    """
    parts = urlsplit(address)
    anchor = unquote(parts.fragment)
    name = page.name
    if parts.path:
        path = normpath(join(page.name, "..", unquote(parts.path)))
        name = path.removesuffix(".html")
    if name not in ids:
        return None
    if anchor and anchor not in ids[name]:
        raise EpubError(f"{page.name}: {address} leads nowhere")
    file = file_of(name) if parts.path else ""
    return f"{file}#{anchor}" if anchor else file


def page_file(page: Page) -> str:
    """Return a page as a file of the EPUB."""

    def inline(image: re.Match[str]) -> str:
        drawing = page.drawings[image[1]]
        if not drawing.is_inline:
            return image[0]
        return HREF.sub(linked, drawing.svg)

    def linked(address: re.Match[str]) -> str:
        name = normpath(join(page.name, "..", address[2])).removesuffix(".html")
        return f'{address[1]}xlink:href="{file_of(name)}"'

    return document(
        page.title, IMAGE.sub(inline, page.body.decode(formatter="minimal"))
    )


def require_xml(name: str, content: bytes) -> None:
    """Parse a file as e-readers do.

    Raises:
        EpubError: if it isn't well-formed XML.
    """
    try:
        ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        raise EpubError(f"{name}: {error}") from None


if __name__ == "__main__":
    raise SystemExit(main())
