"""The PDF of the book, tried on three of its pages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag
from pypdf import PdfReader
from pypdf.generic import NullObject

from notebooks.notebook import EXERCISE, ROOT, read
from press.paper import pdf
from press.paper.contents import Page, pages
from tests.book.helpers.built_book import built_book
from tests.browser.helpers.browser import reading
from tests.browser.helpers.pdf_tags import Tagged, kids

CHAPTERS = ["chapters/03_value", "chapters/04_order"]
NAMES = [*CHAPTERS, "pages/bibliography"]
TITLE = "Autograd, Bottom Up"
FORMULA = "b=a⋅a,s=b+a,c=s⋅b."  # of chapter 04, without blanks
PRINTED = ":not(.book-icon > details *)"  # what only imports or draws stays on screens
SHOWN = f"article div.cell:not(.tag_hide-input, .tag_setup) pre{PRINTED}"
CURVES = 100  # of a page with a graph; one of text alone has a few lines


def labels(name: str) -> list[str]:
    """The numbers of the exercises on a chapter's page, in code and in words."""
    cells = read(ROOT / f"{name}.ipynb").cells
    return [
        ".".join(found) for cell in cells for found in EXERCISE.findall(cell.source)
    ]


def article(name: str) -> Tag:
    """The text of a built page."""
    html = (built_book() / f"{name}.html").read_text("utf-8")
    found = BeautifulSoup(html, "html.parser").article
    assert found
    return found


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
def tagged(content: bytes) -> Tagged:
    return Tagged(PdfReader(BytesIO(content)))


@pytest.fixture(scope="module")
def parts(tagged: Tagged) -> dict[str, Any]:
    """The part of the tree that belongs to each page."""
    return dict(zip(NAMES, tagged.elements(kind="/Art"), strict=True))


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


def test_bookmarks_name_parts_chapters_and_sections(
    reader: PdfReader, listed: dict[str, Page]
) -> None:
    title, contents, part, chapters, appendices, others = reader.outline
    assert [title["/Title"], contents["/Title"]] == [TITLE, "Contents"]
    assert part["/Title"] == "Part II · Many variables, one graph"
    assert [one["/Title"] for one in chapters if not isinstance(one, list)] == [
        listed[name].title for name in CHAPTERS
    ]
    sections = [one["/Title"] for one in chapters[1] if not isinstance(one, list)]
    first = article(CHAPTERS[0]).select_one("h2")
    assert first
    assert sections[0] == first.get_text().strip("# ")
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
    assert FORMULA in said["chapters/04_order"]
    for name in CHAPTERS:
        sheets = reader.pages[starts[name] : starts[name] + 12]
        curves = [len(re.findall(rb" c\n", drawn(sheet))) for sheet in sheets]
        assert max(curves) > CURVES, curves


def drawn(sheet: Any) -> bytes:
    return bytes(sheet.get_contents().get_data())


def test_steppers_are_finished(said: dict[str, str]) -> None:
    found = said["chapters/03_value"]
    for part in ("grad24", "grad37", "is24foraand37forb"):
        assert part in found


@pytest.mark.parametrize("name", CHAPTERS)
def test_no_line_of_code_is_cut(said: dict[str, str], name: str) -> None:
    html = (built_book() / f"{name}.html").read_text("utf-8")
    blocks = BeautifulSoup(html, "html.parser").select(SHOWN)
    lines = [line for block in blocks for line in block.get_text().splitlines()]
    lines = [line for line in lines if not line.startswith("○")]  # said by checks
    longest = sorted(lines, key=len)[-8:]
    assert len(longest[0]) > 50
    for line in longest:
        assert without_blanks(line)[-25:] in said[name], line


@pytest.mark.parametrize("name", CHAPTERS)
def test_solutions_come_after_all_exercises(said: dict[str, str], name: str) -> None:
    found = said[name]
    end = found.rindex("Solutions")
    for label in labels(name):
        exercise = f"Exercise{label}"
        assert found.index(f"{exercise}.") < end < found.rindex(exercise)


def test_links_lead_to_places_in_the_file(
    reader: PdfReader, texts: list[str], starts: dict[str, int]
) -> None:
    first, last = starts["chapters/04_order"], starts["pages/bibliography"]
    reached = set()
    for link in links(reader, first, last):
        if "/Dest" in link:
            reached.add(sheet_of(reader, reader.named_destinations[link["/Dest"]]))
    assert starts["chapters/03_value"] in reached
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
    assert reader.metadata.title == TITLE
    assert reader.metadata.author == "The authors of Autograd, Bottom Up"
    assert reader.trailer["/Root"]["/Lang"] == "en"
    assert not any(value and str(ROOT) in value for value in reader.metadata.values())


def test_the_tree_names_all_that_is_numbered_and_nothing_else(tagged: Tagged) -> None:
    assert tagged.reader.trailer["/Root"]["/MarkInfo"]["/Marked"]
    parents = tagged.parents()
    below = {id(one): set(tagged.own_marks(one)) for one in tagged.elements()}
    for number, sheet in enumerate(tagged.reader.pages):
        row = parents[sheet["/StructParents"]]
        owners = {k: one for k, one in enumerate(row) if not is_null(one)}
        drawn = {k for k in tagged.drawn[number] if k is not None}
        assert drawn == owners.keys()
        for k, owner in owners.items():
            assert (number, k) in below[id(owner.get_object())]


def test_every_link_is_in_the_tree_by_its_key(tagged: Tagged) -> None:
    parents, found = tagged.parents(), 0
    for sheet in tagged.reader.pages:
        assert sheet["/Tabs"] == "/S"
        for one in sheet.get("/Annots", ()):
            owner = parents[one.get_object()["/StructParent"]]
            touched = [
                kid.raw_get("/Obj")
                for kid in kids(owner)
                if not isinstance(kid, int) and "/Obj" in kid
            ]
            assert owner["/S"] == "/Link"
            assert one in touched
            found += 1
    assert found > 20


@pytest.mark.parametrize("name", NAMES)
def test_headings_are_those_of_the_page(
    tagged: Tagged, parts: dict[str, Any], name: str
) -> None:
    page = article(name)
    for link in page.select(".headerlink"):
        link.decompose()
    there = [
        (f"H{int(one.name[1]) + 1}", without_blanks(one.get_text()))
        for one in page.select("h1, h2, h3, h4")
    ]
    here = [
        (one["/S"][1:], without_blanks(unicodedata.normalize("NFKC", tagged.text(one))))
        for one in tagged.elements(parts[name])
        if re.fullmatch(r"/H\d", one["/S"])
    ]
    if name != CHAPTERS[1]:  # a part begins
        assert here.pop(0)[0] == "H1"
    assert here[: len(there)] == there
    # Solutions stand at the end.
    assert [text for _, text in here[len(there) :]] == (
        ["Solutions", *(f"Exercise{label}" for label in labels(name))]
        if name in CHAPTERS
        else []
    )


@pytest.mark.parametrize("name", CHAPTERS)
def test_figures_say_what_they_show(
    tagged: Tagged, parts: dict[str, Any], name: str
) -> None:
    html = BeautifulSoup(
        (built_book() / f"{name}.html").read_text("utf-8"), "html.parser"
    )
    there = [
        str(one.get("alt") or one.get("aria-label"))
        for one in html.select("article :is(img, svg[role=img])")
    ]
    here = [str(one["/Alt"]) for one in tagged.elements(parts[name], "/Figure")]
    assert len(there) > 1
    assert set(there) <= set(here)


def test_formulas_are_said_in_words(tagged: Tagged, parts: dict[str, Any]) -> None:
    said = [
        str(one["/Alt"])
        for one in tagged.elements(parts["chapters/04_order"], "/Figure")
    ]
    for formula in ("a^4", "b = a ⋅ a, s = b + a, c = s ⋅ b.", "c = a^4 + a^3"):
        assert f"Formula: {formula}" in said


@pytest.mark.exhaustive
def test_text_code_lists_and_tables_are_read_in_order(
    tagged: Tagged, parts: dict[str, Any]
) -> None:
    part = parts["chapters/04_order"]
    said = without_blanks(tagged.text(part))
    places = [
        said.index(words)
        for words in ("passesagradient", "defnaive(v,grads):", "formulas={", "6.75")
    ]
    assert places == sorted(places)
    lists = [*tagged.elements(part, "/L")]
    assert len(lists) == len(article("chapters/04_order").select("ul, ol"))
    assert {one["/S"] for part in lists for one in kids(part)} == {"/LI"}
    tables = [
        [[*tagged.elements(row)] for row in tagged.elements(table, "/TR")]
        for table in tagged.elements(part, "/Table")
    ]
    there = article("chapters/04_order").select("table")
    assert len(there) > 2
    assert [len(table) for table in tables] == [len(one.select("tr")) for one in there]
    for head, *rows in tables:
        cells = [one for one in head if one["/S"] == "/TH"]
        assert {one["/A"][0]["/Scope"] for one in cells} == {"/Column"}
        for row in rows:
            assert sum(one["/S"] in {"/TH", "/TD"} for one in row) == len(cells)


def is_null(one: Any) -> bool:
    return isinstance(one.get_object(), NullObject | None)
