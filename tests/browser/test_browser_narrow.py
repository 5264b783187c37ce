"""The narrowest phones: 320 pixels, with all buttons that an address brings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from tests.book.helpers.built_book import built_book
from tests.browser.helpers.browser import NARROWEST, Visit, reading
from tests.browser.helpers.page_checks import assert_none

CHAPTER = "chapters/09_tensor"

# Two more buttons, to Colab and to the repository, as large as the one that is there.
WITH_ADDRESS = """
() => {
    const one = document.querySelector(".dropdown-download-buttons");
    for (const name of ["launch", "source"]) {
        if (document.querySelector(`.dropdown-${name}-buttons`)) continue;
        const other = one.cloneNode(true);
        other.className = `dropdown dropdown-${name}-buttons`;
        one.before(other);
    }
}
"""
BUTTONS = """
[...document.querySelectorAll(".bd-header-article :is(button, a)")]
    .filter(e => e.checkVisibility() && !e.closest(".dropdown-menu"))
    .map(e => [e.ariaLabel ?? e.title, e.getBoundingClientRect().toJSON()])
"""
WIDEST = "document.documentElement.scrollWidth"


@pytest.fixture(scope="module")
def phone() -> Iterator[Visit]:
    built_book()
    with reading() as reader, reader.visit(CHAPTER) as one:
        one.page.set_viewport_size(NARROWEST)
        yield one


def test_all_buttons_of_a_book_with_an_address_can_be_pressed(phone: Visit) -> None:
    phone.page.locator(".live-start").wait_for()
    phone.run(WITH_ADDRESS)
    found = phone.run(BUTTONS)
    names = [name for name, _ in found]
    assert len(names) >= 7, names
    assert phone.run(WIDEST) <= NARROWEST["width"]
    outside = [
        (name, box)
        for name, box in found
        if box["left"] < 0 or box["right"] > NARROWEST["width"] or box["width"] < 24
    ]
    assert_none(outside)
    boxes = sorted((box for _, box in found), key=lambda box: box["left"])
    for left, right in pairwise(boxes):
        assert left["right"] <= right["left"] + 1


def test_the_button_keeps_its_name(phone: Visit) -> None:
    button = phone.page.get_by_role("button", name="Run this page")
    box = button.bounding_box()
    assert box
    assert box["width"] < 80


def test_a_fold_shows_one_name(phone: Visit) -> None:
    shown = phone.run("""
        [...document.querySelectorAll("details.hide > summary")]
            .filter(one => one.checkVisibility())
            .map(one => [...one.children].filter(e => e.checkVisibility()).length)
    """)
    assert len(shown) > 5
    assert set(shown) == {1}


SIDEWAYS = """
[...document.querySelectorAll(".bd-article div.highlight pre")]
    .filter(e => e.checkVisibility())
    .map(e => e.scrollWidth > e.clientWidth + 1)
"""


def test_code_is_wrapped_and_a_button_lets_it_run_on(phone: Visit) -> None:
    phone.page.set_viewport_size({"width": 390, "height": 844})
    wrapped = phone.run(SIDEWAYS)
    assert len(wrapped) > 10
    assert sum(wrapped) * 5 <= len(wrapped)
    switch = phone.page.get_by_role("button", name="Wrap code")
    switch.click()
    assert sum(phone.run(SIDEWAYS)) * 5 > len(wrapped)
    assert switch.get_attribute("aria-pressed") == "false"
    phone.page.reload()
    switch.wait_for()
    assert switch.get_attribute("aria-pressed") == "false"
    switch.click()
    assert phone.run(SIDEWAYS) == wrapped


def test_the_button_of_a_cell_is_not_on_its_code(phone: Visit) -> None:
    phone.page.set_viewport_size(NARROWEST)
    phone.page.locator(".live-here").first.wait_for(state="attached")
    on_code = phone.run("""
        [...document.querySelectorAll(".live-here")].filter(e => e.checkVisibility())
            .filter(e => {
                const code = e.parentElement.querySelector("pre");
                const { bottom } = code.getBoundingClientRect();
                return e.getBoundingClientRect().top < bottom - 1;
            }).length
    """)
    assert on_code == 0
