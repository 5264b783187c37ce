"""The first page, in the first screen of a laptop and of a phone, and its buttons."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import ViewportSize

from tests.browser.helpers.browser import PHONE, Reader
from tests.browser.helpers.browser import reader as reader
from tests.browser.helpers.live_site import BOOT, serving

LAPTOP: ViewportSize = {"width": 1280, "height": 800}
BOXES = """() => Object.fromEntries(Object.entries({
    graph: ".tag_entrance .stepper-graph",
    controls: ".tag_entrance .stepper-panel [type=range]",
    words: "article h1 + p",
    buttons: ".entrance-buttons",
    gpt: "article blockquote",
}).map(([name, query]) => {
    const { left, right, top, bottom } = document.querySelector(query)
        .getBoundingClientRect();
    return [name, { left, right, top, bottom }];
}))"""

# By an observer that began after the page's own, so the page has seen it too.
SEEN = "panel => new Promise(done => new IntersectionObserver(done).observe(panel))"


def boxes(reader: Reader, screen: ViewportSize) -> Any:
    with reader.visit("index", still=True) as visit:
        visit.page.set_viewport_size(screen)
        visit.page.reload()
        assert not visit.problems
        return visit.page.evaluate(BOXES)


def test_a_laptop_s_first_screen_has_a_graph_that_steps(reader: Reader) -> None:
    at = boxes(reader, LAPTOP)
    assert at["graph"]["left"] > at["words"]["right"]
    assert at["graph"]["top"] < at["gpt"]["top"]
    for name in ("controls", "buttons", "gpt"):
        assert at[name]["bottom"] <= LAPTOP["height"], name


def test_a_phone_shows_for_whom_it_is_and_what_it_writes_before_the_graph(
    reader: Reader,
) -> None:
    at = boxes(reader, PHONE)
    for above, below in ("words", "buttons"), ("buttons", "gpt"), ("gpt", "graph"):
        assert at[above]["bottom"] <= at[below]["top"], below


@pytest.mark.parametrize("still", [False, True])
def test_the_graph_plays_once_where_motion_is_welcome(
    reader: Reader, still: bool
) -> None:
    with reader.visit("index", still=still) as visit:
        visit.page.clock.install()
        visit.page.set_viewport_size(LAPTOP)
        visit.page.reload()
        panel = visit.page.locator(".tag_entrance .stepper-panel")
        panel.scroll_into_view_if_needed()
        panel.evaluate(SEEN)
        panel.get_by_role("button", name="Play" if still else "Pause").wait_for()
        visit.page.clock.run_for(60_000)  # longer than all steps take
        at = panel.locator("[type=range]").evaluate("({value, max}) => [value, max]")
        assert at[0] == ("0" if still else at[1])
        assert at[1] != "0"


def test_the_road_has_room_for_a_finger(reader: Reader) -> None:
    with reader.visit("index") as visit:
        links = visit.page.locator("svg a[href^='chapters/']")
        for link in links.all():
            box = link.bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= 24
        links.first.click()
        visit.page.wait_for_url("**/chapters/00_start_here.html")


def test_start_reading_leads_to_the_first_chapter(reader: Reader) -> None:
    with reader.visit("index") as visit:
        visit.page.get_by_role("link", name="Start reading").click()
        visit.page.wait_for_url("**/chapters/00_start_here.html")


def test_the_graph_is_made_again_in_place(reader: Reader) -> None:
    with serving() as site:
        page = reader.browser.new_page(viewport=LAPTOP)
        page.goto(f"{site.address}index.html")
        page.get_by_role("link", name="Run it in this browser").click()
        page.wait_for_selector(".live-bar", timeout=BOOT)
        page.get_by_role("button", name="Run all").click(timeout=BOOT)
        page.wait_for_function(
            "/ha(s|ve) run/.test(document.querySelector('.live-status').textContent)",
            timeout=BOOT,
        )
        assert page.locator("div.tag_entrance .autograd-stepper").count() == 1
        page.close()
