"""Predict mode: a stepper asks for a number before it shows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.helpers import browser
from tests.browser.helpers.browser import Reader
from tests.browser.helpers.page_checks import assert_none
from tests.browser.helpers.stepper_pages import (
    PAGE,
    field,
    nodes_of,
    place,
    press,
    sentence,
    still,
    sum_times_x,
)


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    folder: Path = tmp_path_factory.mktemp("pages")
    text = PAGE % f"<div>{sum_times_x()._repr_html_()}</div>"
    (folder / "small.html").write_text(text, "utf-8")
    with browser.reading(folder) as reader:
        yield reader


@pytest.fixture
def page(reader: Reader) -> Iterator[Page]:
    with reader.visit("small") as visit:
        still(visit.page)
        visit.page.get_by_role("button", name="Predict").click()
        yield visit.page
        assert_none(visit.problems)


@pytest.fixture
def stepper(page: Page) -> Locator:
    return page.locator(".autograd-stepper")


def answers(stepper: Locator, typed: list[str]) -> None:
    """Ask for as many steps, and answer."""
    for text in typed:
        press(stepper, "Next")
        stepper.locator("form input").fill(text)
        stepper.get_by_role("button", name="Check").click()


def test_a_prediction_is_asked_for_and_answered(page: Page, stepper: Locator) -> None:
    answers(stepper, ["5", "15"])
    press(stepper, "Next", 2)
    assert place(stepper) == 3
    asked = stepper.get_by_label("* has gradient 1 and passes it on. What has + then?")
    assert nodes_of(stepper)["n2"] == ["5", ""]
    assert asked.evaluate("e => e === document.activeElement")
    asked.fill("3")
    page.keyboard.press("Enter")
    assert place(stepper) == 4
    assert sentence(stepper).startswith("Right, 3. (3 of 3 right.)")
    page.keyboard.press("Enter")
    stepper.get_by_label("What has x then?").fill("7")
    stepper.get_by_role("button", name="Check").click()
    said = sentence(stepper)
    assert said.startswith("No, it is 8 and not 7. (3 of 4 right.)")
    assert nodes_of(stepper)["n0"] == ["3", "grad 8"]
    press(stepper, "Next")
    assert place(stepper) == 6


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "Type a number."),
        ("abc", "“abc” is not a number."),
        ("1e999", "“1e999” is larger than any float."),
    ],
)
def test_what_is_no_number_gets_a_sentence(
    stepper: Locator, typed: str, sentence: str
) -> None:
    answers(stepper, [typed])
    assert stepper.locator("form [role=status]").inner_text() == sentence
    assert place(stepper) == 0


def test_a_comma_is_read_as_a_point_and_said(stepper: Locator) -> None:
    answers(stepper, ["2,5"])
    expected = "“2,5” is read as 2.5. No, it is 5 and not 2.5. (0 of 1 right.)"
    assert sentence(stepper).startswith(expected)


def test_values_are_to_be_predicted_too(page: Page, stepper: Locator) -> None:
    press(stepper, "Next")
    asked = stepper.get_by_label("+ is made from x = 3 and w = 2. What is it?")
    assert place(stepper) == 0
    assert nodes_of(stepper)["n2"] == ["?", ""]
    assert stepper.locator('[data-state="now"]').get_attribute("data-part") == "n2"
    marked = stepper.locator(".stepper-code [aria-current]")
    assert marked.all_inner_texts() == ["total = x + w"]
    field(stepper, "x =").fill("4")
    assert asked.is_hidden()
    press(stepper, "Next")
    stepper.get_by_label("+ is made from x = 4 and w = 2. What is it?").fill("6")
    page.keyboard.press("Enter")
    assert sentence(stepper).startswith("Right, 6. (1 of 1 right.)")
    assert nodes_of(stepper)["n2"] == ["6", ""]


def test_next_shows_what_a_reader_does_not_want_to_predict(stepper: Locator) -> None:
    press(stepper, "Next", 7)  # two for what is asked, one for the seed
    assert place(stepper) == 4
    assert stepper.locator(".stepper-question").is_hidden()
