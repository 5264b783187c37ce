"""Steppers for every reader: both themes, a phone, a screen reader, no scripts."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import unquote

import pytest
from playwright.sync_api import Locator, Page

from autograd_lib.stepper.page import Stepper, assets
from tests.browser.helpers.browser import PHONE, Reader, Theme
from tests.browser.helpers.page_checks import (
    AXE,
    CUT_OFF,
    FAINT,
    FINDINGS,
    FINDINGS_BUT_CONTRAST,
    PALE,
    UNDESCRIBED,
    assert_none,
)
from tests.browser.helpers.stepper_pages import (
    RUN_AGAIN,
    finished,
    graph,
    press,
)
from tests.browser.test_browser_stepper import model as model
from tests.browser.test_browser_stepper import page as page
from tests.browser.test_browser_stepper import reader as reader
from tests.browser.test_browser_stepper import stepper as stepper

# Whether the middle of a part is inside the frame that its drawing scrolls in, once all
# is where it will be painted.
IN_FRAME = """async part => {
    await new Promise(requestAnimationFrame);
    const [box, frame] = [part, part.closest(".stepper-graph")]
        .map(e => e.getBoundingClientRect());
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    return x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
}"""


def test_every_stop_of_the_tab_key_can_be_seen(stepper: Locator, page: Page) -> None:
    stepper.locator(".stepper-graph").focus()
    stops = []
    for _ in range(8):
        page.keyboard.press("Tab")
        stops.append(page.evaluate("document.activeElement.tagName"))
        style = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert style != "none", stops
    assert stops == [*["INPUT"] * 2, *["BUTTON"] * 4, "INPUT", "SUMMARY"]


def test_the_code_is_loaded_once_by_all_that_share_it(page: Page) -> None:
    name, code = assets()
    page.evaluate("name => { window.first = window[name]; }", name)
    page.locator("article > div").nth(0).evaluate(RUN_AGAIN, code)
    assert page.evaluate("name => window.first === window[name]", name)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("move", ["Home", "PageUp", "End"])
def test_it_is_legible_and_accessible(reader: Reader, theme: Theme, move: str) -> None:
    with reader.visit("outputs", theme) as visit:
        for slider in visit.page.get_by_role("slider").all():
            slider.press("PageUp")
            slider.press(move)
        visit.run(AXE)
        for check in (CUT_OFF, PALE, FAINT, UNDESCRIBED, FINDINGS):
            assert_none(visit.run(check))
        visit.page.set_viewport_size(PHONE)
        assert visit.run("document.documentElement.scrollWidth") <= PHONE["width"]
        for check in (CUT_OFF, UNDESCRIBED, FINDINGS_BUT_CONTRAST):
            assert_none(visit.run(check))
        assert_none(visit.problems)


def test_on_a_phone_the_text_is_large_and_the_parts_at_work_in_view(
    page: Page, stepper: Locator, model: Stepper
) -> None:
    page.set_viewport_size(PHONE)
    sizes = stepper.locator("svg text").evaluate_all(
        "texts => texts.map(t => t.getScreenCTM().a * parseFloat(t.getAttribute("
        "'font-size')))"
    )
    assert min(sizes) > 9.5
    drawn = stepper.locator("svg").bounding_box()
    assert drawn
    assert drawn["width"] > PHONE["width"]  # its frame scrolls
    scrolled = page.evaluate("scrollY")
    for done in model.trace.steps:
        if done.node:
            now = stepper.locator('[data-state="now"]')
            assert now.evaluate(IN_FRAME), done.node
        press(stepper, "Next")
    assert stepper.locator(f'[data-part="n{len(model.trace.nodes) - 1}"]').evaluate(
        IN_FRAME
    )
    assert page.evaluate("scrollY") >= scrolled


def test_without_scripts_it_is_the_finished_drawing_and_the_steps_in_words(
    reader: Reader, model: Stepper
) -> None:
    context = reader.browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{reader.address}outputs.html")
    stepper = page.locator(".autograd-stepper").first
    assert stepper.locator("button, input").count() == 0
    assert model.picture
    image = stepper.get_by_role("img", name=model.picture.alt)
    assert image.evaluate("e => e.naturalWidth") > 600
    drawn = re.findall(r"<text[^>]*>([^<]*)", unquote(image.get_attribute("src") or ""))
    for value, gradient in finished(graph()).values():
        assert f"{value}|{gradient}" in "|".join(unescape(text) for text in drawn)
    stepper.locator("summary").click()
    words = stepper.locator("li").all_inner_texts()
    trace = model.trace
    assert words == [f"{s.title}. {trace.text(s.sentence)}" for s in trace.steps]
    context.close()
