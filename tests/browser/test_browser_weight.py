"""What a page asks for before any click, and that it shows itself at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Route, sync_playwright

from press.weigh import serving, visit, weight
from tests.book.helpers.built_book import built_book
from tests.browser.helpers.browser import PAGES, launched
from tests.browser.test_browser_pages import REQUESTS, SIZE

SHIFT = 0.01
CHAPTER = "chapters/06_vjp"
# The landing page, what once moved most, and an index in columns; weekly, all pages.
ALWAYS = "index", "chapters/00_start_here", "chapters/13_leaves", "genindex"
SEEN = """
(() => {
    const colour = e => getComputedStyle(e).backgroundColor;
    return {
        page: colour(document.body), header: colour(document.querySelector(
            ".bd-header-article")),
        formulas: document.querySelectorAll(".math > mjx-container").length,
        left: [...document.querySelectorAll(".math")].filter(
            e => e.textContent.includes("\\\\(")).length,
    };
})()
"""

# No part of the page is left to be laid out when it comes into view.
COMPLETE = """
() => !("arriving" in document.documentElement.dataset) &&
    [...document.querySelectorAll(".bd-article section > *")].every(
        e => getComputedStyle(e).contentVisibility === "visible")
"""
ARRIVES = "() => { window.arrives = 'arriving' in document.documentElement.dataset; }"
FAR_BELOW = "which needs no table"  # of the summary, and nowhere above
FOLDED = "Each gradient has the shape of its array"  # in code that draws
IN_VIEW = """
words => {
    const texts = document.createTreeWalker(document.querySelector("article"), 4);
    while (texts.nextNode()) {
        if (!texts.currentNode.data.includes(words)) continue;
        const range = document.createRange();
        range.selectNode(texts.currentNode);
        const { top, bottom, height } = range.getBoundingClientRect();
        return height > 0 && top >= 0 && bottom <= innerHeight;
    }
}
"""
STILL = """
() => {
    const top = document.getElementById("summary").getBoundingClientRect().top;
    const still = top === window.place;
    window.place = top;
    return still && top < 200;
}
"""


@dataclass(frozen=True)
class Host:
    """A browser, and where the book is served compressed."""

    browser: Browser
    address: str


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    with serving(built_book()) as address, sync_playwright() as playwright:
        browser = launched(playwright)
        yield Host(browser, address)
        browser.close()


def test_a_page_is_weighed_as_it_is_sent(host: Host) -> None:
    """Each page is weighed by `test_browser_pages.py`, which has it open."""
    one = weight(host.browser, host.address, CHAPTER, "desktop")
    assert not one.elsewhere
    assert one.requests <= REQUESTS
    assert 20_000 < one.size <= SIZE < one.raw
    assert sum(one.parts.values()) == one.size


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(name, marks=[pytest.mark.exhaustive] * (name not in ALWAYS))
        for name in PAGES
    ],
)
def test_a_page_does_not_move_while_it_loads(host: Host, page: str) -> None:
    for screen in ("desktop", "phone"):
        seen = visit(host.browser, host.address, page, screen, slow=False)
        assert seen["cls"] <= SHIFT, seen["shifts"]


def test_a_page_is_laid_out_as_it_would_be_at_once(host: Host) -> None:
    # An address with an anchor needs every height from the start.
    heights = []
    for anchor in ("", "#summary"):
        page = host.browser.new_page()
        page.add_init_script(f"addEventListener('DOMContentLoaded', {ARRIVES})")
        page.goto(f"{host.address}{CHAPTER}.html{anchor}")
        assert page.evaluate("arrives") == (not anchor)
        page.wait_for_function(COMPLETE)
        heights.append(page.evaluate("document.documentElement.scrollHeight"))
        page.close()
    assert heights[0] == heights[1]


def test_a_click_leads_to_its_place_while_the_page_is_still_arriving(
    host: Host,
) -> None:
    page = host.browser.new_page(reduced_motion="no-preference")
    page.add_init_script(
        f"addEventListener('DOMContentLoaded', () => {{ ({ARRIVES})();"
        " document.querySelector('.bd-toc-nav a[href=\"#summary\"]').click(); })"
    )
    page.goto(f"{host.address}{CHAPTER}.html")
    assert page.evaluate("arrives")
    page.wait_for_function(COMPLETE)
    # The way is scrolled smoothly.
    page.wait_for_function(STILL, polling=300)
    assert page.evaluate("place") >= 0
    page.close()


@pytest.mark.parametrize("way", ["find", "address", "address of folded code"])
def test_text_far_below_is_found_while_the_page_is_still_arriving(
    host: Host, way: str
) -> None:
    # Smoothly, where the way could end at a place that has moved meanwhile.
    page = host.browser.new_page(reduced_motion="no-preference")
    words = FOLDED if way.endswith("code") else FAR_BELOW
    if way == "find":
        page.add_init_script(
            f"addEventListener('DOMContentLoaded', () => {{ ({ARRIVES})();"
            f" window.found = find({words!r}); }})"
        )
        page.goto(f"{host.address}{CHAPTER}.html")
        assert page.evaluate("found")
    else:
        page.add_init_script(f"addEventListener('DOMContentLoaded', {ARRIVES})")
        page.goto(f"{host.address}{CHAPTER}.html#:~:text={quote(words)}")
    assert page.evaluate("arrives")
    page.wait_for_function(COMPLETE)
    page.wait_for_function(IN_VIEW, arg=words)
    page.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_page_can_be_read_without_javascript(host: Host, theme: str) -> None:
    looks = []
    for script in (True, False):
        context = host.browser.new_context(
            java_script_enabled=script, color_scheme="dark" if theme == "dark" else None
        )
        page = context.new_page()
        page.goto(f"{host.address}{CHAPTER}.html")
        looks.append(page.evaluate(SEEN))
        context.close()
    assert looks[0] == looks[1]
    assert looks[0]["formulas"] > 20
    assert looks[0]["left"] == 0
    assert looks[0]["header"] == looks[0]["page"]
    assert (looks[0]["page"] == "rgb(255, 255, 255)") == (theme == "light")


@pytest.mark.parametrize("chosen", ["light", "dark"])
def test_the_first_paint_has_the_theme_that_was_chosen(host: Host, chosen: str) -> None:
    context = host.browser.new_context(
        color_scheme="light" if chosen == "dark" else "dark"
    )
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('mode', '{chosen}')")

    # What is painted first is painted before any script has come.
    def never(route: Route) -> None:
        route.abort()

    page.route("**/*.js*", never)
    page.goto(f"{host.address}{CHAPTER}.html")
    assert page.evaluate("document.documentElement.dataset.theme") == chosen
    context.close()


def test_a_browser_that_keeps_nothing_shows_the_page(host: Host) -> None:
    context = host.browser.new_context()
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', {configurable: true,"
        " get() { throw new DOMException('no', 'SecurityError'); }})"
    )
    page.goto(f"{host.address}{CHAPTER}.html")
    button = page.locator("button.theme-switch-button:visible")
    before = page.evaluate("document.documentElement.dataset.mode")
    button.click()
    assert page.evaluate("document.documentElement.dataset.mode") != before
    assert problems == []
    context.close()
