"""What a reader keeps offline is the whole book."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from press.site.offline import DIGITS, LIST, NOT_KEPT
from tests.book.helpers.built_book import built_book
from tests.book.helpers.html_pages import read_page
from tools.build import ROOT, expected_pages

IN_A_SHEET = re.compile(r"url\(\s*[\"']?(?!data:|#)([^\"')]+)")


@pytest.fixture(scope="module")
def html() -> Path:
    html = built_book()
    if not (html / LIST).is_file():
        pytest.skip("the book was built without live pages")
    return html


@pytest.fixture(scope="module")
def listed(html: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((html / LIST).read_text("utf-8"))
    return found


def within(html: Path, here: Path, address: str) -> str | None:
    """Return the file that an address of a page or a sheet leads to, if it is ours."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc or not parts.path:
        return None
    return (here.parent / unquote(parts.path)).resolve().relative_to(html).as_posix()


def test_all_pages_and_what_they_link_to_and_load_are_in_it(
    html: Path, listed: dict[str, Any]
) -> None:
    pages = [f"{name}.html" for name in sorted(expected_pages(ROOT))]
    wanted = {(name, name) for name in pages}
    for name in pages:
        for address in read_page(html / name).addresses:
            wanted.add((name, within(html, html / name, address) or name))
    for sheet in html.glob("_static/*.css"):
        for address in IN_A_SHEET.findall(sheet.read_text("utf-8")):
            wanted.add((sheet.name, within(html, sheet, address) or pages[0]))
    missing = {pair for pair in wanted if pair[1] not in listed["book"]}
    # Those for machines: the feed is linked where the book has an address.
    assert {pair for pair in missing if pair[1] not in NOT_KEPT} == set()


def test_python_is_in_it_whole(html: Path, listed: dict[str, Any]) -> None:
    paths = (path for path in html.glob("live/**/*") if path.is_file())
    live = (path.relative_to(html).as_posix() for path in paths)
    known = listed["book"].keys() | listed["python"].keys() | {LIST}
    assert [name for name in live if name not in known] == []


def test_each_file_has_its_size_and_digest(html: Path, listed: dict[str, Any]) -> None:
    for name, (size, digest) in (listed["book"] | listed["python"]).items():
        content = (html / name).read_bytes()
        assert len(content) == size, name
        assert hashlib.sha256(content).hexdigest()[:DIGITS] == digest, name
