"""The list of the files that a reader can keep, and what its page says of it."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest

from press.site.offline import LIST, NOT_KEPT, PAGE, grouped, write
from press.site.problem import SiteError
from press.site.publishing import Edition

EDITION = Edition("1.2.3")
FILES = {
    PAGE: b'<div id="book-offline" role="group"></div>',
    "chapters/01.html": b"chapter",
    "chapters/02.html": b"chapter",
    "_static/site.css": b"style",
    "_static/mathjax/all.js": b"formulas",
    "_sources/01.ipynb": b"notebook",
    "live/button.js": b"button",
    "live/current.json": b"names",
    "live/code-0a/page.mjs": b"page",
    "live/code-0a/lib/editor.mjs": b"editor",
    "live/code-0a/lib.whl": b"library",
    "live/code-0a/python.zip": b"kernel",
    "live/code-0a/sizes.json": b"sizes",
    "live/pyodide-1/pyodide.mjs": b"python",
    "live/licences/MPL.txt": b"licence",
}


def site(folder: Path, files: dict[str, bytes] = FILES) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def data_attributes(html: Path) -> dict[str, str]:
    page = (html / PAGE).read_text("utf-8")
    return {k: unescape(v) for k, v in re.findall(r'data-(\w+)="([^"]*)"', page)}


def test_the_book_and_its_python_are_told_apart() -> None:
    groups = grouped(FILES)
    assert groups["book"].keys() & groups["python"].keys() == set()
    assert set(groups["python"]) == {
        "_static/mathjax/all.js",
        "live/code-0a/lib/editor.mjs",
        "live/code-0a/lib.whl",
        "live/code-0a/python.zip",
        "live/code-0a/sizes.json",
        "live/pyodide-1/pyodide.mjs",
        "live/licences/MPL.txt",
    }


def test_the_list_has_what_is_there_and_the_page_says_how_much(tmp_path: Path) -> None:
    machines = {name: b"for machines" for name in NOT_KEPT if name != LIST}
    html = site(tmp_path, FILES | machines)
    (note,) = write(html, EDITION)
    listed = json.loads((html / LIST).read_text("utf-8"))
    here = {n: p.read_bytes() for n in FILES if (p := html / n).is_file()}
    assert listed["book"] | listed["python"] == {
        name: list(entry)
        for group in grouped(here).values()
        for name, entry in group.items()
    }
    about = data_attributes(html)
    assert about["edition"] == listed["edition"]
    assert about["version"] == listed["version"] == "1.2.3"
    sent, room = json.loads(about["sizes"])["book"]
    assert sent > 0
    # As the page was before it said so; two equal chapters take the room of one.
    book = grouped(FILES)["book"]
    assert room == sum(size for size, _ in book.values()) - len(b"chapter")
    assert "book 8 files" in note


def test_another_content_is_another_edition_and_the_same_is_the_same(
    tmp_path: Path,
) -> None:
    marks = []
    for number, page in enumerate((b"chapter", b"chapter", b"mended")):
        html = site(tmp_path / str(number), FILES | {"chapters/01.html": page})
        write(html, EDITION)
        marks.append(data_attributes(html)["edition"])
    assert marks[0] == marks[1] != marks[2]


def test_without_live_pages_there_is_no_list(tmp_path: Path) -> None:
    html = site(tmp_path, {PAGE: FILES[PAGE]})
    assert write(html, EDITION) == []
    assert (html / PAGE).read_bytes() == FILES[PAGE]


def test_a_page_without_a_place_for_it_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match="no place for the control"):
        write(site(tmp_path, FILES | {PAGE: b"<p></p>"}), EDITION)
