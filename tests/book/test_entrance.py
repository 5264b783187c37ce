"""What the first page says about the book is so, and its road leads everywhere."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from notebooks.notebook import code_cells, read
from tests.book.helpers.built_book import built_book
from tests.book.helpers.contents import CONTENTS
from tools.build import ROOT

INDEX = read(ROOT / "index.ipynb")
TEXT = "\n".join(cell.source for cell in INDEX.cells if cell.cell_type == "markdown")
SVG = "{http://www.w3.org/2000/svg}"


def chapters():
    return [read(ROOT / "chapters" / f"{one.notebook}.ipynb") for one in CONTENTS]


def test_it_says_how_many_chapters_there_are_and_how_long_they_take():
    minutes = [
        int(re.search(r"\*\*Time:\*\* (\d+) minutes", nb.cells[0].source)[1])
        for nb in chapters()
    ]
    said = f"{len(CONTENTS)} chapters, about {round(sum(minutes) / 60)} hours"
    assert said in TEXT


def test_it_quotes_what_the_gpt_of_its_chapter_writes():
    quoted = " ".join(re.search(r"(?m)^> (.+)$", TEXT)[1].split())
    gpt = next(nb for nb in chapters() if nb.cells[0].source.startswith("# A GPT"))
    texts = [o.get("text", "") for c in code_cells(gpt) for o in c.outputs]
    assert quoted in " ".join(" ".join(texts).split())


def test_it_answers_six_questions():
    section = TEXT.partition("## If you use PyTorch")[2].partition("\n## ")[0]
    assert len(re.findall(r"(?m)^- \[[^\]]+\?\]\([^)]+#[^)]+\)$", section)) == 6


def test_the_road_leads_to_every_chapter_by_its_name():
    road = ET.parse(ROOT / "press/sphinx/static/journey.svg").getroot()
    links = [
        (link.get("href"), link.get("aria-label"), link.find(f"{SVG}title").text)
        for link in road.iter(f"{SVG}a")
    ]
    expected = []
    for one, notebook in zip(CONTENTS, chapters(), strict=True):
        title = notebook.cells[0].source.splitlines()[0].removeprefix("# ")
        name = f"{one.number:02}: {title.replace('`', '')}"
        expected.append((f"chapters/{one.notebook}.html", name, name))
    assert links == expected


def test_links_in_a_drawing_are_not_hidden_by_it():
    page = (built_book() / "index.html").read_text("utf-8")
    drawing = re.search(r'<svg[^>]*aria-label="The road[^>]*>', page)[0]
    assert 'role="group"' in drawing
    assert 'href="chapters/25_looking_back.html"' in page
