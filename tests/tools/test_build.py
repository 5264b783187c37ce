"""The build says no where it should, and the buttons follow the one address.

Each test builds a book of two pages that has the configuration of the real one.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

from press.edition import stamp_of
from press.site import mathjax
from press.site.problem import SiteError
from press.site.publishing import Edition
from tests.book.helpers.html_pages import read_page
from tools import build
from tools.build import ROOT, BuildError

TOC = """\
format: jb-book
root: index
chapters:
  - file: chapters/01_one
  - file: pages/bibliography
"""
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'
ADDRESS = "https://github.com/someone/some-book"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    (tmp_path / "pages").mkdir()
    for name in ("_config.yml", "pages/bibliography.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(
        ROOT / "press/sphinx",
        tmp_path / "press/sphinx",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    (tmp_path / "_toc.yml").write_text(TOC, "utf-8")
    (tmp_path / "index.md").write_text("# Tiny\n\nText.\n", "utf-8")
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters/references.bib").write_text(
        "@book{key2008, author={Doe, Jane}, title={On}, publisher={P}, year={2008}}\n",
        "utf-8",
    )
    write_chapter(tmp_path, "# One\n\n[Doe](../pages/bibliography.md#key2008) said so.")
    set_address(tmp_path, "")
    return tmp_path


def write_chapter(book: Path, text: str) -> None:
    notebook = new_notebook(cells=[new_markdown_cell(text)])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, book / "chapters/01_one.ipynb")


def set_address(book: Path, url: str) -> None:
    lines = (book / "_config.yml").read_text("utf-8").splitlines()
    at = lines.index("repository:")
    assert lines[at + 1].startswith("  url:")
    lines[at + 1] = f'  url: "{url}"'
    (book / "_config.yml").write_text("\n".join(lines), "utf-8")


def links_of(book: Path, page: str) -> set[str]:
    return set(read_page(book / "_build/html" / f"{page}.html").links)


def test_a_citation_keeps_its_words_and_leads_to_its_source(book: Path) -> None:
    said = build.build(book)
    assert "Built 5 pages" in said
    assert "make serve" in said
    assert "../pages/bibliography.html#key2008" in links_of(book, "chapters/01_one")
    assert ">Doe</span>" in (book / "_build/html/chapters/01_one.html").read_text(
        "utf-8"
    )
    assert "key2008" in read_page(book / "_build/html/pages/bibliography.html").anchors
    assert (book / "_build/html/.nojekyll").is_file()
    assert (book / "_build/html/_static/mathjax/tex-chtml-full.js").is_file()
    # Without an address no button leads away.
    for page in ("index", "chapters/01_one", "pages/bibliography"):
        assert not [link for link in links_of(book, page) if link.startswith("http")]


def test_with_an_address_every_button_leads_to_its_main_branch(book: Path) -> None:
    set_address(book, ADDRESS)
    build.build(book)
    colab = ADDRESS.replace(
        "https://github.com", "https://colab.research.google.com/github"
    )
    links = links_of(book, "chapters/01_one")
    assert {
        ADDRESS,
        f"{colab}/blob/main/chapters/01_one.ipynb",
    } <= links
    assert [x for x in links if x.startswith(f"{ADDRESS}/issues/new?title=")]
    assert f"{ADDRESS}/edit/main/index.md" in links_of(book, "index")
    assert not [link for link in links if "/edit/" in link]  # of raw JSON
    assert not [link for link in links_of(book, "index") if "colab" in link]


@pytest.mark.exhaustive
def test_notebooks_without_the_address_get_no_button_to_colab(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTOGRAD_NO_COLAB", "1")
    set_address(book, ADDRESS)
    build.build(book)
    links = links_of(book, "chapters/01_one")
    assert ADDRESS in links
    assert not [link for link in links if "colab" in link]
    html = book / "_build/html"
    page = (html / "chapters/01_one.html").read_text("utf-8")
    site = "https://someone.github.io/some-book/"
    for part in (
        f'<link rel="canonical" href="{site}chapters/01_one.html">',
        f'<meta property="og:image" content="{site}_static/card.png">',
    ):
        assert part in page
    assert f"<loc>{site}</loc>" in (html / "sitemap.xml").read_text("utf-8")
    assert f'href="{site}feed.xml"' in page
    assert (html / "feed.xml").is_file()


def test_links_that_lead_nowhere_and_bare_drawings_fail_the_build(
    book: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (book / "bare.svg").write_text(SVG.format("<path d='M0 0'/>"), "utf-8")
    (book / "styled.svg").write_text(
        SVG.format("<style>path { fill: red }</style><path d='M0 0'/>"), "utf-8"
    )
    write_chapter(
        book,
        "# One\n\n[a](../pages/bibliography.md#nobody1900) [b](../index.md#nowhere) "
        "[c](02_none.ipynb)\n\n![](../bare.svg)\n\n![A red path](../styled.svg)\n",
    )
    with pytest.raises(BuildError, match="messages above"):
        build.build(book)
    complaints = capfd.readouterr().err
    for part in ("nobody1900", "nowhere", "02_none", "no description", "<style>"):
        assert part in complaints
    # What failed once fails again, although Sphinx has read the page by now.
    with pytest.raises(BuildError):
        build.build(book)


@pytest.mark.parametrize("page", ["chapters/09_old", "glossary"])
def test_a_page_that_was_taken_out_does_not_stay(
    book: Path, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    monkeypatch.setattr(build, "run_jupyter_book", write_expected_pages)
    monkeypatch.setattr(build, "finish", copy_pages)
    build.build(book)
    left_over = book / build.SPHINX / f"_build/html/{page}.html"
    left_over.write_text("old", "utf-8")
    build.build(book)
    assert not left_over.exists()


def write_expected_pages(root: Path, builder: str, output: Path) -> None:
    for page in build.expected_pages(root):
        path = output / "_build" / builder / f"{page}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("page", "utf-8")


def copy_pages(raw: Path, live: Path, html: Path, edition: Edition) -> None:
    shutil.copytree(raw, html, dirs_exist_ok=True)


def test_a_build_that_writes_nothing_is_an_error(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "run_jupyter_book", lambda *arguments: None)
    with pytest.raises(BuildError, match=r"missing .*chapters/01_one"):
        build.build(book)
    assert not stamp_of(book / "_build/html").exists()


def test_a_wrong_formula_fails_the_build(book: Path) -> None:
    write_chapter(book, "# One\n\nSo $\\nosuchthing$.")
    with pytest.raises(BuildError, match=r"01_one.*nosuchthing"):
        build.build(book)


def test_pages_left_over_are_an_error() -> None:
    build.compare_pages({"a", "b"}, {"a", "b"})
    with pytest.raises(BuildError, match=r"left over \['c'\]"):
        build.compare_pages({"a", "c"}, {"a"})


def test_another_mathjax_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mathjax, "SHA256", "0" * 64)
    with pytest.raises(SiteError, match="not the one"):
        mathjax.place(tmp_path)
