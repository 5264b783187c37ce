"""What goes on paper, and what is said where it cannot be printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from press.paper import pdf
from press.paper.contents import pages
from tests.book.helpers.built_book import built_book
from tests.book.helpers.contents import CONTENTS
from tools.build import ROOT


def test_all_chapters_are_there_in_order_with_their_titles() -> None:
    built_book()
    listed = pages(ROOT)
    chapters = [page.name for page in listed if re.match(r"chapters/\d", page.name)]
    assert chapters == [f"chapters/{chapter.notebook}" for chapter in CONTENTS]
    by_name = {page.name: page for page in listed}
    fifth = by_name["chapters/04_order"]
    assert (fifth.title, fifth.part) == (
        "4. The gradient is wrong",
        "Part II · Many variables, one graph",
    )
    assert listed[0].name == "index"
    assert "pages/progress" not in by_name
    assert by_name["pages/glossary"].part == "Appendices"


def test_without_a_book_or_with_a_wrong_name_it_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="Run: make book"):
        pdf.book(tmp_path)
    built_book()
    with pytest.raises(ValueError, match="no page for paper is called chapters/99"):
        pdf.book(ROOT, ["chapters/99"])


def test_without_chromium_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    built_book()
    monkeypatch.setenv("AUTOGRAD_CHROMIUM", str(tmp_path / "none"))
    assert pdf.main(["pages/notation", "--output", str(tmp_path / "book.pdf")]) == 1
    assert "install Chromium or Chrome" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
