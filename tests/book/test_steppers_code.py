"""A page sends the steppers' code once, whatever the number of its steppers."""

from __future__ import annotations

import json
import re
from html import unescape

import nbformat

from autograd_lib.stepper.page import assets
from notebooks.notebook import ROOT
from press.sphinx.book_ext.steppers import once
from tests.book.helpers.built_book import built_book

GIVES_CODE = re.compile(r"\bgrowing\(|\bstep\([^)]*\bcode=(?!\"\")", re.S)


def test_all_but_the_first_are_dropped():
    assert once("a-b-b-c-b", "-b") == "a-b-c"
    assert once("none", "-b") == "none"


def test_each_page_with_steppers_has_their_code_once_as_it_is_now():
    name, code = assets()
    found = 0
    for path in [
        built_book() / "index.html",
        *(built_book() / "chapters").glob("*.html"),
    ]:
        page = path.read_text("utf-8")
        steppers = page.count('<div class="autograd-stepper')
        assert page.count(f"<script>{name}()</script>") == steppers, path.name
        assert page.count(code) == page.count(f"window.{name} ??=") == bool(steppers)
        found += steppers
    assert found > 5


def test_no_two_steppers_of_a_page_have_one_name():
    found = 0
    for page in (built_book() / "chapters").glob("*.html"):
        text = page.read_text("utf-8")
        names = re.findall(
            r'<div class="autograd-stepper[^>]* aria-label="([^"]+)"', text
        )
        assert len(set(names)) == len(names), page.name
        found += len(names)
    assert found > 5


def test_each_stepper_s_code_names_the_lines_of_its_nodes():
    """A column of code lights up: at least two lines, each for some step.

    A cell that gives a stepper code has such a column on the built page.
    """
    found = 0
    for page in (built_book() / "chapters").glob("*.html"):
        for text in re.findall(r"data-trace='([^']*)'", page.read_text("utf-8")):
            trace = json.loads(unescape(text), parse_constant=float)
            if not trace["code"]:
                continue
            lines, made = trace["code"]
            lit = {line for some in trace.get("written") or made for line in some}
            assert lit == set(range(len(lines))), (page.name, lines)
            assert len(lines) > 1, (page.name, lines)
            found += 1
    cells = [
        cell.source
        for path in (ROOT / "chapters").glob("*.ipynb")
        for cell in nbformat.read(path, 4).cells
        if cell.cell_type == "code"
    ]
    given = [source for source in cells if GIVES_CODE.search(source)]
    assert found >= len(given) > 0
