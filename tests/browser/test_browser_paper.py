"""A page on paper, from the browser's own dialogue: nothing cut, nothing unfinished."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import ViewportSize

from notebooks.notebook import ROOT
from notebooks.order import chapters
from tests.browser.helpers.browser import Reader, Visit
from tests.browser.helpers.browser import reader as reader
from tests.browser.helpers.page_checks import assert_none

PAGES = [
    "index",
    "chapters/00_start_here",
    "chapters/04_order",
    "chapters/14_in_place",
    "chapters/15_pytorch",
    "pages/beside_pytorch",
]
# A4 within margins of 20 mm, in pixels.
SHEET: ViewportSize = {"width": 643, "height": 934}

# Which boxes scroll is found out by a script of its own, in its own time.
ARTICLE = """
document.querySelector("article").outerHTML.replaceAll(' tabindex="0"', "")
"""
BEFORE = "dispatchEvent(new Event('beforeprint'))"
AFTER = "dispatchEvent(new Event('afterprint'))"
# What would not be on the sheet: it is wider than the sheet, or than its own box.
CUT_OFF = """
[...document.querySelectorAll("article *:not(mjx-container *, svg *)")]
    .filter(e => e.checkVisibility({visibilityProperty: true}))
    .filter(e => {
        const right = e.getBoundingClientRect().right;
        const clips = getComputedStyle(e).overflowX !== "visible";
        return right > document.documentElement.clientWidth + 3
            || (clips && e.clientWidth > 3 && e.scrollWidth > e.clientWidth + 1);
    }).map(e => e.outerHTML.slice(0, 120))
"""
TO_PRESS = """
[...document.querySelectorAll("button, input, select, progress, nav, header, footer")]
    .filter(e => e.checkVisibility() && e.getBoundingClientRect().width > 1)
    .map(e => e.outerHTML.slice(0, 120))
"""
FOLDED = """
[...document.querySelectorAll("article details")]
    .filter(e => e.checkVisibility() && !e.open).map(e => e.innerText.slice(0, 60))
"""
UNFINISHED = """
[...document.querySelectorAll(".stepper-graph")].filter(graph =>
    graph.textContent.includes("?") || graph.querySelector("[data-state=waits]")
).map(graph => graph.textContent.slice(0, 200))
"""
PALE = """
["article p", "article h1", "article pre", "article svg text"].filter(selector => {
    const e = document.querySelector(selector);
    const c = e && getComputedStyle(e)[selector.includes("svg") ? "fill" : "color"];
    return e && !c.match(/[\\d.]+/g).slice(0, 3).map(Number).every(v => v < 140);
})
"""
EXERCISES = "[...document.querySelectorAll('article p > strong:first-child')].map({})"
NAMES = EXERCISES.format("e => e.innerText.replace(/[.]$/, '')")
SOLUTIONS = """
(() => {
    const end = document.querySelector("article #solutions");
    const all = [...document.querySelectorAll("article details:not(.hide)")];
    return {
        names: [...end?.querySelectorAll("h3") ?? []].map(e => e.innerText),
        elsewhere: all.filter(e => !end?.contains(e)
            && e.querySelector("summary").textContent === "Solution").length,
        isLast: !end || !end.nextElementSibling,
    };
})()
"""


@dataclass
class Sheet:
    """A page as it goes to the printer, and how it was before."""

    visit: Visit
    before: str


@pytest.fixture(scope="module", params=PAGES)
def sheet(request: pytest.FixtureRequest, reader: Reader) -> Iterator[Sheet]:
    with reader.visit(request.param, "dark", still=True) as visit:
        visit.page.set_viewport_size(SHEET)
        before = visit.run(ARTICLE)
        visit.page.emulate_media(media="print")
        visit.run(BEFORE)
        yield Sheet(visit, before)


def test_a_dark_page_is_printed_dark_on_white(sheet: Sheet) -> None:
    back = "getComputedStyle(document.body).backgroundColor"
    assert sheet.visit.run(back) == "rgb(255, 255, 255)"
    assert_none(sheet.visit.run(PALE))


def test_nothing_is_cut(sheet: Sheet) -> None:
    assert_none(sheet.visit.run(CUT_OFF))


def test_nothing_is_left_to_be_pressed_or_opened(sheet: Sheet) -> None:
    assert_none(sheet.visit.run(TO_PRESS))
    assert_none(sheet.visit.run(FOLDED))
    assert "attempted yet" not in sheet.visit.page.inner_text("article")


def test_steppers_are_finished(sheet: Sheet) -> None:
    assert_none(sheet.visit.run(UNFINISHED))
    shown = sheet.visit.page.locator(".autograd-stepper details li")
    if sheet.visit.page.locator(".autograd-stepper").count():
        assert shown.last.is_visible()


def test_solutions_stand_at_the_end_under_the_names_of_exercises(sheet: Sheet) -> None:
    found = sheet.visit.run(SOLUTIONS)
    assert not found["elsewhere"]
    assert found["isLast"]
    asked = [name for name in sheet.visit.run(NAMES) if name.startswith("Exercise")]
    assert found["names"] == asked


def test_the_title_has_its_number(sheet: Sheet) -> None:
    title = sheet.visit.page.locator("article h1")
    assert title.is_visible()
    name = sheet.visit.name.removeprefix("chapters/")
    if name in chapters(ROOT)[1:]:
        assert title.inner_text().startswith(f"{chapters(ROOT).index(name)}. ")


def test_afterwards_the_page_is_as_it_was(sheet: Sheet) -> None:
    sheet.visit.run(AFTER)
    sheet.visit.page.emulate_media(media="screen")
    assert sheet.visit.run(ARTICLE) == sheet.before
    assert sheet.visit.run("document.documentElement.dataset.theme") == "dark"
    assert sheet.visit.problems == []
    sheet.visit.run(BEFORE)  # for tests that come after


def test_a_stepper_comes_back_to_the_step_it_was_at(reader: Reader) -> None:
    with reader.visit("chapters/04_order") as visit:
        slider = visit.page.locator(".stepper-panel [type=range]").first
        slider.fill("2")
        visit.run(BEFORE)
        assert slider.input_value() == slider.get_attribute("max")
        visit.run(AFTER)
        assert slider.input_value() == "2"
