"""Make the site from the pages that Sphinx wrote.

Sphinx and the theme make pages that load ten style sheets, nine scripts, an icon font
and MathJax. Here formulas become part of the page, and everything that pages share
becomes one style sheet and one script. Files that no page asks for aren't published.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path

from press.site import licences, mathjax, social_card
from press.site.drawings import lighter
from press.site.fonts import boxes_face, text_face, with_fonts, with_text_face
from press.site.formulas import FONTS, with_formulas
from press.site.heads import Files, with_head
from press.site.listings import plainer
from press.site.problem import SiteError
from press.site.publishing import CARD, Edition, for_machines, with_moves
from press.site.scripts import script
from press.site.search import QUESTIONS, STEMMER, search_data, with_addresses
from press.site.styles import (
    THEMES,
    for_the_system,
    possible_names,
    read,
    style_sheet,
)
from press.site.theme import gone
from press.site.valid import valid

STATIC = "_static"
NOT_PUBLISHED = (".buildinfo", "searchindex.js")
LOADED = re.compile(r'\b(?:src|href)="(?:\.\./)*_static/([^"?#]+)')
PROGRAMS = ("**/*.js", "**/*.mjs")


def finish(raw: Path, live: Path, html: Path, edition: Edition) -> None:
    """Write the site.

    Args:
        raw: the folder that Sphinx wrote.
        live: the files of live pages, which name classes too; it may be missing.
        html: the folder of the site; its contents are replaced.
        edition: of the book.

    Raises:
        SiteError: if a page isn't one of ours or has a formula that cannot be rendered,
            or if the theme lacks a name that the book needs.
    """
    shutil.rmtree(html, ignore_errors=True)
    colours = (raw / STATIC / "pygments.css").read_text("utf-8")
    pages = {
        path.relative_to(raw).as_posix(): plainer(
            lighter(valid(path.read_text("utf-8"))), colours
        )
        for path in sorted(raw.rglob("*.html"))
        if path.relative_to(raw).parts[0] != STATIC
    }
    if (questions := f"{QUESTIONS}.html") in pages:
        pages[questions] = with_addresses(pages[questions])
    missing = gone(pages.values(), read(raw / STATIC, THEMES))
    if missing:
        raise SiteError(
            f"the theme has no {', '.join(missing)}: see press/site/theme.py"
        )
    pages, formulas = with_formulas(pages)
    bundle = script(raw / STATIC)
    stemmer = (raw / STATIC / STEMMER).read_text("utf-8")
    programs = [
        path.read_text("utf-8") for kind in PROGRAMS for path in live.glob(kind)
    ]
    static = html / STATIC
    formulas = with_fonts(formulas, static / FONTS)
    sheet = style_sheet(
        raw / STATIC, formulas, possible_names([*pages.values(), bundle, *programs])
    )
    sheet = with_text_face(sheet, static / FONTS)
    files = Files(
        face=f"{STATIC}/{text_face(sheet)}",
        boxes=f"{STATIC}/{boxes_face(sheet)}",
        style=put(html, "site.css", sheet),
        without_script=put(html, "without-script.css", for_the_system(sheet)),
        script=put(html, "site.js", bundle),
        search=put(html, "search-data.js", search_data(pages, stemmer)),
    )
    pages = {
        name: with_head(name, with_moves(text), files, edition)
        for name, text in pages.items()
    }
    social_card.write(html / CARD)
    for name, text in (pages | for_machines(pages, edition)).items():
        target = html / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8", newline="\n")
    copy_others(raw, html, pages)
    mathjax.place(static / "mathjax")
    licences.place(static)


def put(html: Path, name: str, text: str) -> str:
    """Write a file that all pages share; return its name with a digest of its text."""
    (html / STATIC / name).write_text(text, "utf-8", newline="\n")
    return f"{STATIC}/{name}?v={hashlib.sha256(text.encode()).hexdigest()[:8]}"


def copy_others(raw: Path, html: Path, pages: dict[str, str]) -> None:
    """Copy what pages load from `_static`, and all other files that aren't pages."""
    wanted = [
        path
        for path in raw.rglob("*")
        if path.is_file()
        and path.suffix != ".html"
        and path.relative_to(raw).parts[0] not in (STATIC, *NOT_PUBLISHED)
    ]
    loaded = {name for text in pages.values() for name in LOADED.findall(text)}
    wanted += [path for name in loaded if (path := raw / STATIC / name).is_file()]
    for path in wanted:
        target = html / path.relative_to(raw)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
