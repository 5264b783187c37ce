"""The PDF of the book, tried on three of its pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from bs4 import BeautifulSoup
from pypdf import PdfReader

from tests.book.helpers.built_book import built_book
from tests.browser.helpers.browser import reading
from tools.build import ROOT
from tools.paper import pdf
from tools.paper.contents import Page, pages

CHAPTERS = ["chapters/05_order", "chapters/06_seeing"]
NAMES = [*CHAPTERS, "bibliography"]
FORMULA = "b=a⋅a,s=b+a,c=s⋅b."  # of chapter 05, without blanks
SHOWN = "article div.cell:not(.tag_hide-input, .tag_setup) pre"
CURVES = 200  # of a page with a graph; one of text alone has a few lines


@pytest.fixture(scope="module")
def content() -> Iterator[bytes]:
    built_book()
    with reading():  # where there is no browser, the test is skipped or fails
        pass
    yield pdf.book(ROOT, NAMES)


@pytest.fixture(scope="module")
def reader(content: bytes) -> PdfReader:
    return PdfReader(BytesIO(content))


@pytest.fixture(scope="module")
def listed() -> dict[str, Page]:
    return {page.name: page for page in pages(ROOT) if page.name in NAMES}


@pytest.fixture(scope="module")
def starts(reader: PdfReader, listed: dict[str, Page]) -> dict[str, int]:
    """The first sheet of each page, by its bookmark."""
    found = {one["/Title"]: sheet_of(reader, one) for one in flat(reader.outline)}
    return {name: found[page.title] for name, page in listed.items()}


def flat(outline: Any) -> Iterator[Any]:
    for one in outline:
        if isinstance(one, list):
            yield from flat(one)
        else:
            yield one


def sheet_of(reader: PdfReader, bookmark: Any) -> int:
    number = reader.get_destination_page_number(bookmark)
    assert number is not None
    return number


@pytest.fixture(scope="module")
def texts(reader: PdfReader) -> list[str]:
    """The text of each sheet."""
    return [page.extract_text() for page in reader.pages]


@pytest.fixture(scope="module")
def said(texts: list[str], starts: dict[str, int]) -> dict[str, str]:
    """The text of each page without any blank: lines are broken where sheets end."""
    ends = [*sorted(starts.values()), len(texts)]
    return {
        name: without_blanks("".join(texts[start : ends[ends.index(start) + 1]]))
        for name, start in starts.items()
    }


def without_blanks(text: str) -> str:
    return re.sub(r"\s", "", text)


def links(reader: PdfReader, first: int, last: int) -> Iterator[Any]:
    for sheet in reader.pages[first:last]:
        for one in sheet.get("/Annots", ()):
            yield one.get_object()


def test_bookmarks_name_parts_chapters_and_sections(reader: PdfReader) -> None:
    part, chapters, appendices, others = reader.outline
    assert part["/Title"] == "Part II · Many variables, one graph"
    assert [one["/Title"] for one in chapters if not isinstance(one, list)] == [
        "5. Why order matters",
        "6. Seeing a graph at work",
    ]
    sections = [one["/Title"] for one in chapters[1]]
    assert sections[0] == "5.1. Without an order"
    assert sections[-1] == "Solutions"
    assert appendices["/Title"] == "Appendices"
    assert others[0]["/Title"] == "Bibliography"


def test_a_page_begins_on_its_sheet_and_numbers_run_through(
    texts: list[str], reader: PdfReader, starts: dict[str, int], listed: dict[str, Page]
) -> None:
    before = min(starts.values())
    contents = without_blanks("".join(texts[:before]))
    assert reader.page_labels[0] == "i"
    for name, start in starts.items():
        title, number = without_blanks(listed[name].title), str(start - before + 1)
        assert title in without_blanks(texts[start])[: 2 * len(title)]
        assert f"{title}{number}" in contents
        assert reader.page_labels[start] == number
        assert number in texts[start].splitlines()


def test_formulas_and_drawings_are_there(
    reader: PdfReader, starts: dict[str, int], said: dict[str, str]
) -> None:
    assert FORMULA in said["chapters/05_order"]
    for name in CHAPTERS:
        sheets = reader.pages[starts[name] : starts[name] + 12]
        curves = [len(re.findall(rb" c\n", drawn(sheet))) for sheet in sheets]
        assert max(curves) > CURVES, curves


def drawn(sheet: Any) -> bytes:
    return bytes(sheet.get_contents().get_data())


def test_steppers_are_finished(said: dict[str, str]) -> None:
    found = said["chapters/05_order"]
    for part in ("grad13", "grad7", "Finished.Intheend"):
        assert part in found


@pytest.mark.parametrize("name", CHAPTERS)
def test_no_line_of_code_is_cut(said: dict[str, str], name: str) -> None:
    html = (built_book() / f"{name}.html").read_text("utf-8")
    blocks = BeautifulSoup(html, "html.parser").select(SHOWN)
    lines = [line for block in blocks for line in block.get_text().splitlines()]
    longest = sorted(lines, key=len)[-8:]
    assert len(longest[0]) > 60
    for line in longest:
        assert without_blanks(line)[-25:] in said[name], line


@pytest.mark.parametrize("name", CHAPTERS)
def test_solutions_come_after_all_exercises(said: dict[str, str], name: str) -> None:
    found = said[name]
    end = found.rindex("Solutions")
    for k in (1, 2, 3):
        exercise = f"Exercise{int(name[9:11])}.{k}"
        assert found.index(f"{exercise}.") < end < found.rindex(exercise)


def test_links_lead_to_places_in_the_file(
    reader: PdfReader, texts: list[str], starts: dict[str, int]
) -> None:
    first, last = starts["chapters/05_order"], starts["bibliography"]
    reached = set()
    for link in links(reader, first, last):
        if "/Dest" in link:
            reached.add(reader.get_page_number(link["/Dest"][0].get_object()))
    assert starts["chapters/06_seeing"] in reached
    (cited,) = [i for i in range(last, len(texts)) if "Kahn" in texts[i]]
    assert cited in reached


def test_no_link_leads_to_this_machine(content: bytes, reader: PdfReader) -> None:
    addresses = [
        str(link["/A"].get("/URI", link["/A"]))
        for link in links(reader, 0, len(reader.pages))
        if "/A" in link
    ]
    good = re.compile(r"https?://(?!127|localhost|book\.invalid)")
    assert len(addresses) > 10
    assert not [url for url in addresses if not good.match(url)]
    for trace in (str(ROOT), "127.0.0.1", "book.invalid"):
        assert trace.encode() not in content


def test_it_says_what_it_is(reader: PdfReader) -> None:
    assert reader.metadata
    assert reader.metadata.title == "Autograd, Bottom Up"
    assert reader.metadata.author == "The authors of Autograd, Bottom Up"
    assert reader.trailer["/Root"]["/Lang"] == "en"
    assert not any(value and str(ROOT) in value for value in reader.metadata.values())
