"""The site's description of itself for search engines, link previews and readers.

Some of it needs the site's address, which follows from the repository's address in
`_config.yml`. Without that it is left out.
"""

from __future__ import annotations

import html
import json
import posixpath
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from bs4 import BeautifulSoup

HERE = Path(__file__).parent
TITLE = "Autograd, Bottom Up"
CARD = "_static/card.png"
PDF = "autograd-bottom-up.pdf"
EPUB = "autograd-bottom-up.epub"
CARD_ALT = "Autograd, Bottom Up: from a float that remembers to a GPT. A small graph."
BEGINNING = 20_000  # characters in which the first long paragraph is looked for
LENGTH = 160
SHORTEST = 60
HIDDEN = ("search", "404", "genindex")
NUMBERS = 3  # the numbering of the chapters: one more, if they are numbered anew
MOVED = {
    "chapters/04_value": "chapters/03_value",
    "chapters/05_order": "chapters/04_order",
    "chapters/07_scalar_network": "chapters/05_scalar_network",
    "chapters/08_vjp": "chapters/06_vjp",
    "chapters/09_dependency": "chapters/07_dependency",
    "chapters/11_tracing": "chapters/08_tracing",
    "chapters/12_tensor": "chapters/09_tensor",
    "chapters/13_operations": "chapters/10_operations",
    "chapters/14_trust": "chapters/11_trust",
    "chapters/15_edges": "chapters/12_edges",
    "chapters/16_leaves": "chapters/13_leaves",
    "chapters/17_in_place": "chapters/14_in_place",
    "chapters/25_pytorch": "chapters/15_pytorch",
    "chapters/18_modules": "chapters/16_modules",
    "chapters/19_convolution": "chapters/17_convolution",
    "chapters/20_gpt": "chapters/18_gpt",
    "chapters/22_forward_mode": "chapters/19_forward_mode",
    "chapters/21_second_order": "chapters/20_second_order",
    "chapters/23_checkpointing": "chapters/21_checkpointing",
    "chapters/24_compile": "chapters/22_compile",
    "chapters/26_machine_code": "chapters/23_machine_code",
    "chapters/27_many_machines": "chapters/24_many_machines",
    "chapters/28_looking_back": "chapters/25_looking_back",
    "api": "pages/api",
    "beside_pytorch": "pages/beside_pytorch",
    "bibliography": "pages/bibliography",
    "chapters/03_many_inputs": "chapters/02_float_var",
    "chapters/06_seeing": "chapters/04_order",
    "chapters/10_function": "chapters/07_dependency",
    "chapters/26_looking_back": "chapters/25_looking_back",
    "glossary": "pages/glossary",
    "how_fast": "pages/how_fast",
    "instructors": "pages/instructors",
    "notation": "pages/notation",
    "operations": "pages/operations",
    "progress": "pages/progress",
    "questions": "pages/questions",
    "roads": "pages/roads",
    "troubleshooting": "pages/troubleshooting",
    "using": "pages/using",
}
"""The address of each page that moved, by its old address."""
FOOTER = re.compile(r'(<div class="extra_footer">\s*)(.*?)(\s*</div>)', re.DOTALL)


@dataclass(frozen=True)
class Edition:
    """An edition of the book: its version, its date and its address.

    Args:
        version: of the package.
        day: of the last change, or None if it isn't known.
        site: the address of the pages, with a final slash; empty if it isn't known.
        news: the changelog, in Markdown.
    """

    version: str
    day: date | None = None
    site: str = ""
    news: str = ""


@cache
def written_descriptions() -> dict[str, str]:
    """Return the written descriptions of pages, by their addresses."""
    given = tomllib.loads((HERE / "descriptions.toml").read_text("utf-8"))
    folders = {key: given.pop(key) for key in ("pages", "chapters")}
    return given | {
        f"{folder}/{name}": text
        for folder, texts in folders.items()
        for name, text in texts.items()
    }


def description(page: str, name: str = "") -> str:
    """Return the description of a page: the written one, or its first long paragraph.

    Args:
        page: as HTML.
        name: its file.
    """
    if text := written_descriptions().get(name.removesuffix(".html")):
        return text
    beginning = page[page.find("<article") :][:BEGINNING]
    for paragraph in BeautifulSoup(beginning, "html.parser").find_all("p"):
        for formula in paragraph.select("mjx-math"):
            formula.decompose()
        text = " ".join(paragraph.get_text("").split())
        if len(text) >= SHORTEST and not text.startswith("Time:"):
            return shortened(text)
    return f"{TITLE}: a book about automatic differentiation that runs."


def shortened(text: str) -> str:
    """Return the beginning of a text, to the end of a sentence or of a word."""
    if len(text) <= LENGTH:
        return text
    text = text[: LENGTH - 2]
    whole = max(text.rfind(mark) for mark in (". ", "? ", ": "))
    return text[: whole + 1] if whole >= SHORTEST else f"{text[: text.rfind(' ')]} …"


def tags(name: str, title: str, text: str, edition: Edition) -> list[str]:
    """Return the tags of a page's head for search engines and link previews.

    Args:
        name: the page's file.
        title: its title, as HTML.
        text: the page.
        edition: of the book.
    """
    about = html.escape(description(text, name))
    lines = [
        f'<meta name="description" content="{about}">',
        f'<meta property="og:title" content="{title}">',
        f'<meta property="og:description" content="{about}">',
        f'<meta property="og:site_name" content="{TITLE}">',
        '<meta property="og:type" content="article">',
        '<meta name="twitter:card" content="summary_large_image">',
    ]
    if name.removesuffix(".html") in HIDDEN:
        lines.append('<meta name="robots" content="noindex">')
    if edition.site:
        where = edition.site + name.removesuffix("index.html")
        lines += [
            f'<link rel="canonical" href="{where}">',
            f'<meta property="og:url" content="{where}">',
            f'<meta property="og:image" content="{edition.site}{CARD}">',
            f'<meta property="og:image:alt" content="{CARD_ALT}">',
            f'<link rel="alternate" type="application/atom+xml" title="Changes" '
            f'href="{edition.site}feed.xml">',
        ]
    return lines


def with_edition(text: str, root: str, edition: Edition) -> str:
    """Return a page whose footer names the edition and links to its citation."""
    said = f"Edition {edition.version}"
    if edition.day:
        said += f", {edition.day.day} {edition.day:%B %Y}"
    using = f"{root}pages/using.html"
    link = f'<a href="{using}#how-to-cite">How to cite</a>.'
    link += f' <a href="{using}#keep-the-whole-book-offline">Keep it offline</a>.'
    if edition.site:  # the workflow puts them there; a book built at home may have none
        link += f' The book as a <a href="{edition.site}{PDF}">PDF</a>'
        link += f' and as an <a href="{edition.site}{EPUB}">EPUB</a>.'
    return FOOTER.sub(rf"\1\2 {said}. {link}\3", text, count=1)


def for_machines(pages: Mapping[str, str], edition: Edition) -> dict[str, str]:
    """Return the files for machines, by name.

    Args:
        pages: all pages.
        edition: of the book.
    """
    made = {"404.html": not_found(edition)}
    for old, new in MOVED.items():
        if f"{new}.html" in pages:
            made[f"{old}.html"] = leading_on(old, new)
    robots = "User-agent: *\nAllow: /\n"
    if edition.site:
        robots += f"Sitemap: {edition.site}sitemap.xml\n"
        made["sitemap.xml"] = sitemap(pages, edition)
        made["feed.xml"] = feed(edition)
    return made | {"robots.txt": robots}


def sitemap(pages: Mapping[str, str], edition: Edition) -> str:
    """Return the list of pages for search engines."""
    day = f"<lastmod>{edition.day}</lastmod>" if edition.day else ""
    lines = "\n".join(
        f"<url><loc>{edition.site}{name.removesuffix('index.html')}</loc>{day}</url>"
        for name in sorted(pages)
        if name.removesuffix(".html") not in HIDDEN
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        f"{lines}\n</urlset>\n"
    )


def feed(edition: Edition) -> str:
    """Return an Atom feed with an entry for each version of the changelog."""
    parts = re.split(r"(?m)^## (.+)$", edition.news)[1:]
    moment = f"{edition.day or date(1970, 1, 1)}T00:00:00Z"
    entries = []
    for heading, body in zip(parts[::2], parts[1::2], strict=True):
        found = re.search(r"\d{4}-\d{2}-\d{2}", heading)
        anchor = re.sub(r"\W+", "-", heading.lower()).strip("-")
        where = f"{edition.site}CHANGELOG.html#{anchor}"
        when = f"{found[0]}T00:00:00Z" if found else moment
        entries.append(
            f"<entry><title>{escape(heading)}</title><id>{where}</id>"
            f'<link href="{where}"/><updated>{when}</updated>'
            f"<summary>{escape(body.strip())}</summary></entry>"
        )
    lines = "\n".join(entries)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<feed xmlns="http://www.w3.org/2005/Atom">\n'
        f"<title>{TITLE}: changes</title><id>{edition.site}</id>"
        f"<updated>{moment}</updated><author><name>{TITLE}</name></author>\n"
        f'<link href="{edition.site}"/>'
        f'<link rel="self" href="{edition.site}feed.xml"/>\n'
        f"{lines}\n</feed>\n"
    )


def with_moves(text: str) -> str:
    """Return a page whose script knows the new names of chapters, by their old ones.

    So what a browser keeps of a reader's work follows a chapter that was renumbered.
    """
    pairs = [(Path(old).name, Path(new).name) for old, new in MOVED.items()]
    names = {new: old for old, new in reversed(pairs) if old[2:] == new[2:]}
    moved = {old: new for new, old in names.items()}
    said = html.escape(json.dumps({"numbers": NUMBERS, "moved": moved}))
    return text.replace('data-moved=""', f'data-moved="{said}"')


def leading_on(old: str, new: str) -> str:
    """Return a page for an old address, which leads to the same place on the new one.

    Without a script it leads to the beginning: a refresh drops the anchor.
    """
    to = f"{posixpath.relpath(new, posixpath.dirname(old))}.html"
    return f"""\
<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="robots" content="noindex">
<title>{TITLE}</title>
<script>location.replace("{to}" + location.search + location.hash)</script>
<noscript><meta http-equiv="refresh" content="0; url={to}"></noscript>
<p>This page is now <a href="{to}">here</a>.</p>
</html>
"""


def not_found(edition: Edition) -> str:
    """Return the page for addresses that lead nowhere; it needs no other file.

    A host shows it at any depth, so its links begin at the root of the host.
    """
    root = urlsplit(edition.site).path or "/"
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>No such page — {TITLE}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{
  max-width: 36rem;
  margin: 15vh auto;
  padding: 0 1.2rem;
  font: 1.1rem/1.6 system-ui, sans-serif;
}}
h1 {{ font: 600 2rem/1.2 Charter, "Source Serif 4", serif; }}
input, button {{ font: inherit; padding: 0.3rem 0.6rem; }}
</style>
</head>
<body>
<main>
<h1>There is no such page</h1>
<p>A chapter may have been renamed. <a href="{root}index.html">The book begins here</a>,
and <a href="{root}genindex.html">the index</a> lists what is in it.</p>
<form action="{root}search.html" role="search">
<input type="search" name="q" aria-label="Search this book"> <button>Search</button>
</form>
</main>
</body>
</html>
"""
