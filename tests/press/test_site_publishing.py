"""What pages say of themselves, and the files for machines."""

from __future__ import annotations

import struct
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pytest

from notebooks.notebook import chapter_paths
from press.site import social_card
from press.site.publishing import (
    EPUB,
    LENGTH,
    MOVED,
    PDF,
    SHORTEST,
    Edition,
    description,
    for_machines,
    shortened,
    tags,
    with_edition,
    written_descriptions,
)
from tools.build import ROOT, expected_pages

NEWS = "# Changelog\n\n## 0.2.0 (2027-01-02)\n\n- Less < more.\n\n## 0.1.0\n\n- All.\n"
HERE = Edition("1.2.3", date(2026, 11, 5), "https://a.github.io/b/", NEWS)
NOWHERE = Edition("1.2.3")
PAGES = {"index.html": "", "chapters/01.html": "", "search.html": ""}
PAGE = """<article><p>Short.</p><p><strong>Time:</strong> 30 minutes, of which most is
 for the exercises and little for the text.</p><p>The first paragraph, with "quotes",
 of such a length that it says what the page is about.</p></article>"""


def test_a_page_is_described_by_its_first_paragraph_of_some_length() -> None:
    about = description(PAGE)
    assert about.startswith('The first paragraph, with "quotes", of such a length')
    lines = "\n".join(tags("a.html", "A &amp; B", PAGE, NOWHERE))
    assert "&quot;quotes&quot;" in lines
    assert 'property="og:title" content="A &amp; B"' in lines
    assert description("<article></article>")


def test_each_chapter_has_a_description_of_its_own() -> None:
    pages = [f"chapters/{path.stem}" for path in chapter_paths()]
    about = [written_descriptions()[page] for page in ("index", *pages)]
    assert len(set(about)) == len(about) == len(pages) + 1
    assert all(SHORTEST <= len(text) <= LENGTH for text in about)
    lines = "\n".join(tags(f"{pages[1]}.html", "T", PAGE, NOWHERE))
    assert written_descriptions()[pages[1]] in lines


def test_a_description_ends_with_a_sentence_or_a_word() -> None:
    assert shortened("Word. " * 50).endswith("Word.")
    assert shortened("word " * 50).endswith("word …")
    assert len(shortened("word " * 50)) <= 160


def test_addresses_are_there_once_there_is_one() -> None:
    before = "\n".join(tags("index.html", "T", PAGE, NOWHERE))
    assert "http" not in before
    after = "\n".join(tags("index.html", "T", PAGE, HERE))
    assert '<link rel="canonical" href="https://a.github.io/b/">' in after
    assert 'content="https://a.github.io/b/_static/card.png"' in after
    assert "noindex" in "\n".join(tags("search.html", "T", PAGE, HERE))
    assert set(for_machines(PAGES, NOWHERE)) == {"404.html", "robots.txt"}


def test_the_files_for_machines_can_be_read_and_name_the_pages() -> None:
    files = for_machines(PAGES, HERE)
    urls = ElementTree.fromstring(files["sitemap.xml"])
    assert [url[0].text for url in urls] == [
        "https://a.github.io/b/chapters/01.html",
        "https://a.github.io/b/",
    ]
    assert "Sitemap: https://a.github.io/b/sitemap.xml" in files["robots.txt"]
    atom = "{http://www.w3.org/2005/Atom}"
    entries = ElementTree.fromstring(files["feed.xml"]).findall(f"{atom}entry")
    assert [entry.findtext(f"{atom}updated") for entry in entries] == [
        "2027-01-02T00:00:00Z",
        "2026-11-05T00:00:00Z",
    ]
    assert entries[0].findtext(f"{atom}summary") == "- Less < more."


def test_the_page_for_what_is_not_found_needs_no_other_file() -> None:
    page = for_machines(PAGES, HERE)["404.html"]
    assert 'href="/b/index.html"' in page
    assert "src=" not in page
    assert "<link" not in page
    assert 'href="/index.html"' in for_machines(PAGES, NOWHERE)["404.html"]


@pytest.mark.parametrize(
    ("old", "to"),
    [
        ("glossary", "pages/glossary.html"),
        ("chapters/26_looking_back", "25_looking_back.html"),
    ],
)
def test_an_old_address_leads_to_the_page_that_moved(old: str, to: str) -> None:
    page = for_machines({f"{MOVED[old]}.html": ""}, NOWHERE)[f"{old}.html"]
    assert f'replace("{to}" + location.search + location.hash)' in page
    assert f'content="0; url={to}"' in page
    assert f"{old}.html" not in for_machines(PAGES, NOWHERE)


def test_each_page_that_moved_is_where_its_old_address_leads() -> None:
    there = expected_pages(ROOT)
    assert set(MOVED.values()) <= there
    assert not there & MOVED.keys()


def test_the_footer_says_which_edition_it_is() -> None:
    footer = '<div class="extra_footer">\n  Text: CC.\n</div>'
    said = with_edition(footer, "../", HERE)
    assert "Text: CC. Edition 1.2.3, 5 November 2026." in said
    assert 'href="../pages/using.html#how-to-cite"' in said
    assert "Edition 1.2.3. " in with_edition(footer, "../", NOWHERE)


def test_the_footer_links_to_pdf_and_epub_where_the_book_is_published() -> None:
    footer = '<div class="extra_footer">\n  Text.\n</div>'
    for name in (PDF, EPUB):
        assert f'<a href="{HERE.site}{name}">' in with_edition(footer, "../", HERE)
        assert name not in with_edition(footer, "../", NOWHERE)


def test_how_to_cite_names_this_edition() -> None:
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    version = citation.partition("\nversion: ")[2].split()[0]
    assert f"version = {{{version}}}" in (ROOT / "pages" / "using.md").read_text(
        "utf-8"
    )


def test_the_card_has_the_size_that_cards_have(tmp_path: Path) -> None:
    social_card.write(tmp_path / "card.png")
    content = (tmp_path / "card.png").read_bytes()
    assert struct.unpack(">II", content[16:24]) == (1200, 630)
    assert len(content) < 300_000
