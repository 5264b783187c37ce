"""Stepping through a graph in a real browser: buttons, slider, keys, play."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, ViewportSize

from autograd_lib.stepper.page import Stepper, step
from tests.browser.helpers.browser import DESKTOP, PHONE, Reader
from tests.browser.helpers.page_checks import assert_none
from tests.browser.helpers.stepper_pages import (
    RUN_AGAIN,
    TEXTS,
    finished,
    graph,
    nodes_of,
    place,
    press,
    reading,
    sentence,
)

VISIBLE = """
(stepper, what) => [...stepper.querySelectorAll(`[data-part^=e] ${what}`)]
    .filter((one) => getComputedStyle(one).visibility === "visible")
    .map((one) => one.closest("[data-part]").dataset.part)
"""


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with reading(tmp_path_factory.mktemp("pages")) as reader:
        yield reader


@pytest.fixture
def page(reader: Reader) -> Iterator[Page]:
    with reader.visit("outputs") as visit:
        visit.page.emulate_media(reduced_motion="reduce")
        yield visit.page
        assert_none(visit.problems)


@pytest.fixture
def stepper(page: Page) -> Locator:
    return page.locator(".autograd-stepper").first


@pytest.fixture(scope="module")
def model() -> Stepper:
    return step(graph())


@pytest.mark.parametrize("which", [0, 1, 2], ids=["first", "second", "table"])
def test_the_last_step_shows_what_backward_computes(
    page: Page, model: Stepper, which: int
) -> None:
    stepper = page.locator(".autograd-stepper").nth(which)
    press(stepper, "Next", len(model.trace.steps) - 1)
    assert nodes_of(stepper) == finished(graph())
    others = [page.locator(".autograd-stepper").nth(i) for i in range(3) if i != which]
    assert [place(other) for other in others] == [0, 0]


def test_every_step_shows_its_lines_its_node_and_its_sentence(
    stepper: Locator, model: Stepper
) -> None:
    seen: dict[str, tuple[str, str]] = {}
    text = model.trace.text
    for i, done in enumerate(model.trace.steps):
        lines = {name: (text(a), text(b)) for name, (a, b) in done.lines.items()}
        seen |= lines
        shown = stepper.evaluate(TEXTS)
        for name, lines in shown.items():
            assert lines == list(seen.get(name, ("?", ""))), (i, name)
        now = stepper.locator('[data-state="now"]')
        assert now.count() == bool(done.node)
        if done.node:
            assert now.get_attribute("data-part") == done.node
        assert sentence(stepper) == f"{done.title}. {text(done.sentence)}"
        press(stepper, "Next")


def test_an_arrow_is_whole_until_its_slope_is_there(
    stepper: Locator, model: Stepper
) -> None:
    edges = {f"e{k}" for k in range(len(model.trace.edges))}
    slopes: set[str] = set()
    for done in model.trace.steps:
        slopes |= edges & done.lines.keys()
        assert set(stepper.evaluate(VISIBLE, "text")) == slopes
        assert set(stepper.evaluate(VISIBLE, ".stepper-gap")) == edges - slopes
        press(stepper, "Next")
    assert slopes == edges


def test_back_returns_through_the_same_steps(stepper: Locator, model: Stepper) -> None:
    there = []
    for _ in model.trace.steps[1:]:
        there.append(stepper.evaluate(TEXTS))
        press(stepper, "Next")
    back = []
    for _ in model.trace.steps[1:]:
        press(stepper, "Back")
        back.append(stepper.evaluate(TEXTS))
    assert back[::-1] == there
    assert len({str(state) for state in there}) == len(there)


def test_the_ends_hold_and_keep_the_focus(stepper: Locator, model: Stepper) -> None:
    last = len(model.trace.steps) - 1
    back, following = (
        stepper.get_by_role("button", name=name) for name in ("Back", "Next")
    )
    assert back.get_attribute("aria-disabled") == "true"
    press(stepper, "Back")
    assert place(stepper) == 0
    press(stepper, "Next", last + 2)
    assert place(stepper) == last
    assert following.get_attribute("aria-disabled") == "true"
    assert following.evaluate("e => e === document.activeElement")
    assert back.get_attribute("aria-disabled") == "false"


def test_the_slider_goes_anywhere_by_keyboard_and_by_pointer(
    stepper: Locator, model: Stepper
) -> None:
    last = len(model.trace.steps) - 1
    slider = stepper.get_by_role("slider", name="Step")
    slider.press("End")
    assert nodes_of(stepper) == finished(graph())
    assert slider.get_attribute("aria-valuetext") == f"{last} of {last}"
    slider.press("ArrowLeft")
    assert place(stepper) == last - 1
    assert sentence(stepper).endswith(
        model.trace.text(model.trace.steps[last - 1].sentence)
    )
    box = slider.bounding_box()
    assert box
    slider.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    assert place(stepper) == round(last / 2)


def test_everything_works_by_keyboard(stepper: Locator, page: Page) -> None:
    stepper.get_by_role("button", name="Next").focus()
    for key, expected in [
        ("Enter", 1),
        ("Space", 2),
        ("ArrowRight", 3),
        ("ArrowLeft", 2),
        ("Control+ArrowRight", 2),
    ]:
        page.keyboard.press(key)
        assert (key, place(stepper)) == (key, expected)
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    assert place(stepper) == 1
    for _ in range(3):  # past the two inputs
        page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.className") == "stepper-graph"
    for key, expected in [("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2)]:
        page.keyboard.press(key)
        assert (key, place(stepper)) == (key, expected)


def test_play_goes_on_by_itself_and_pauses(reader: Reader, model: Stepper) -> None:
    last = len(model.trace.steps) - 1
    with reader.visit("outputs") as visit:
        visit.page.emulate_media(reduced_motion="reduce")
        visit.page.clock.install()
        visit.page.reload()
        stepper = visit.page.locator(".autograd-stepper").first
        live = stepper.locator("[aria-live]")
        press(stepper, "Play")
        assert live.get_attribute("aria-live") == "off"
        visit.page.clock.run_for(2 * 2000)
        assert place(stepper) == 2
        live.evaluate("e => { window.unheard = e.firstChild; }")
        press(stepper, "Pause")
        assert live.evaluate("e => e.firstChild !== window.unheard")
        assert live.get_attribute("aria-live") == "polite"
        visit.page.clock.run_for(5 * 2000)
        assert place(stepper) == 2
        press(stepper, "Play")
        visit.page.clock.run_for(2000)
        press(stepper, "Back")
        visit.page.clock.run_for(5 * 2000)
        assert place(stepper) == 2
        press(stepper, "Play")
        visit.page.clock.run_for((last + 3) * 2000)
        assert place(stepper) == last
        assert live.get_attribute("aria-live") == "polite"
        press(stepper, "Play")
        assert place(stepper) == 0
        assert_none(visit.problems)


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_controls_stay_where_they_are_whatever_is_pressed(
    page: Page, stepper: Locator, screen: ViewportSize
) -> None:
    page.set_viewport_size(screen)
    controls = stepper.locator(".stepper-panel > :is(button, input)")
    before = [one.bounding_box() for one in controls.all()]
    tops, ends = zip(
        *((b["y"], b["y"] + b["height"]) for b in before if b), strict=True
    )
    assert max(ends) - min(tops) < (45 if screen == DESKTOP else 90)  # one row, two
    for name in ("Play", "Predict"):
        press(stepper, name)
    # Pause is a few pixels wider than Play.
    for one, old in zip(controls.all(), before, strict=True):
        assert one.bounding_box() == pytest.approx(old, abs=6)


def test_an_output_that_is_gone_stops_to_play(reader: Reader) -> None:
    with reader.visit("outputs") as visit:
        visit.page.emulate_media(reduced_motion="reduce")
        visit.page.clock.install()
        visit.page.reload()
        stepper = visit.page.locator(".autograd-stepper").first
        press(stepper, "Play")
        gone = stepper.element_handle()
        stepper.evaluate("e => e.remove()")
        visit.page.clock.run_for(3 * 2000)
        assert gone.evaluate("e => /Play/.test(e.innerText)")
        assert gone.evaluate("e => e.querySelector('[type=range]').value") == "0"


def test_an_output_that_is_run_again_starts_anew_and_alone(page: Page) -> None:
    for which in range(3):
        press(page.locator(".autograd-stepper").nth(which), "Next", which + 1)
    output = page.locator("article > div").nth(1)
    output.evaluate(RUN_AGAIN, step(graph())._repr_html_())
    places = [place(page.locator(".autograd-stepper").nth(i)) for i in range(3)]
    assert places == [1, 0, 3]
    again = page.locator(".autograd-stepper").nth(1)
    press(again, "Next")
    assert place(again) == 1
    assert again.get_by_role("slider").count() == 1


def test_an_output_works_alone_in_its_frame(reader: Reader) -> None:
    with reader.visit("frames") as visit:
        for frame in visit.page.frames[1:]:
            stepper = frame.locator(".autograd-stepper")
            press(stepper, "Next")
            assert place(stepper) == 1
        assert_none(visit.problems)
