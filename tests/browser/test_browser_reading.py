"""What a reader does on a page, by keyboard: skip, search, change the theme, unfold."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.helpers.browser import Reader, Visit
from tests.browser.helpers.browser import reader as reader

CHAPTER = "chapters/02_float_var"
WITH_LISTINGS = "chapters/exercises_3"
WITH_FIGURES = "chapters/09_tensor"
WITH_NOTES = "chapters/11_trust"
WITH_IMPORTS_ABOVE_A_HEADING = "chapters/07_dependency"
FOCUSED = "document.activeElement.closest('a, button, input, summary')?.outerHTML"
FOLDS = "div.cell:not(.tag_setup, .book-icon) > details.hide:only-child"
NEIGHBOURS = f"""
[...document.querySelectorAll("{FOLDS}")].flatMap((fold) => {{
    const next = fold.parentElement.nextElementSibling?.firstElementChild;
    return next?.matches("{FOLDS}") ? [[fold, next].map(e =>
        e.getBoundingClientRect().top)] : [];
}})
"""
THEME = "document.documentElement.dataset.theme"
SEARCH_IS_OPEN = "document.activeElement.matches('.search-button__wrapper.show input')"


@pytest.fixture
def chapter(reader: Reader) -> Iterator[Visit]:
    with reader.visit(CHAPTER) as visit:
        yield visit
        assert visit.problems == []


def test_the_first_stop_of_the_tab_key_skips_to_the_text(chapter: Visit) -> None:
    chapter.page.keyboard.press("Tab")
    assert "#main-content" in chapter.run(FOCUSED)
    chapter.page.wait_for_function(
        "document.activeElement.getBoundingClientRect().top >= 0"
    )
    chapter.page.keyboard.press("Enter")
    chapter.page.wait_for_url("**/*#main-content")


def test_every_stop_of_the_tab_key_can_be_seen(chapter: Visit) -> None:
    stops = set()
    for _ in range(40):
        chapter.page.keyboard.press("Tab")
        stops.add(chapter.run(FOCUSED))
        outline = chapter.run(
            "(e => getComputedStyle(e).outlineStyle !== 'none' || "
            "getComputedStyle(e).boxShadow !== 'none')(document.activeElement)"
        )
        assert outline, f"no sign of focus on {chapter.run(FOCUSED)}"
    assert len(stops) > 20


def test_the_search_opens_by_its_key_and_closes(chapter: Visit) -> None:
    chapter.page.keyboard.press("Control+k")
    assert chapter.run(SEARCH_IS_OPEN)
    chapter.page.keyboard.press("Escape")
    assert not chapter.run(SEARCH_IS_OPEN)


def test_the_search_opens_by_its_one_visible_button(chapter: Visit) -> None:
    buttons = chapter.page.locator("button.search-button__button:visible")
    assert buttons.count() == 1
    buttons.focus()
    chapter.page.keyboard.press("Enter")
    assert chapter.run(SEARCH_IS_OPEN)


def test_the_search_finds_a_page_without_network(chapter: Visit) -> None:
    chapter.page.keyboard.press("Control+k")
    chapter.page.keyboard.type("closure")
    chapter.page.keyboard.press("Enter")
    result = chapter.page.locator(f"ul.search a[href*='{CHAPTER}']").first
    result.wait_for()
    result.click()
    chapter.page.wait_for_url(f"**/{CHAPTER}.html**")


def test_the_theme_button_goes_through_the_themes(chapter: Visit) -> None:
    chapter.page.locator("button.theme-switch-button:visible").focus()
    seen = []
    for _ in range(3):
        chapter.page.keyboard.press("Enter")
        seen.append(
            (chapter.run("document.documentElement.dataset.mode"), chapter.run(THEME))
        )
    assert sorted(seen) == [("auto", "light"), ("dark", "dark"), ("light", "light")]


def test_a_chosen_theme_is_kept(chapter: Visit) -> None:
    button = chapter.page.locator("button.theme-switch-button:visible")
    while chapter.run(THEME) != "dark":
        button.click()
    chapter.page.reload()
    assert chapter.run(THEME) == "dark"


def test_what_is_folded_opens_by_keyboard(chapter: Visit) -> None:
    for folded in (
        ".tag_hide-cell:not(.tag_setup) details",
        "article details:not(.hide)",
    ):
        summary = chapter.page.locator(f"{folded} > summary").first
        summary.focus()
        chapter.page.keyboard.press("Enter")
        assert chapter.page.locator(folded).first.get_attribute("open") is not None


def test_folds_without_results_share_a_line_until_one_is_opened(
    reader: Reader,
) -> None:
    with reader.visit(WITH_LISTINGS) as visit:
        pairs = visit.run(NEIGHBOURS)
        assert any(a == b for a, b in pairs), pairs  # where there is room
        visit.run(
            "document.querySelectorAll('details').forEach(e => { e.open = true; })"
        )
        assert all(a < b for a, b in visit.run(NEIGHBOURS))


@pytest.mark.parametrize("width", [1280, 390])
def test_an_icon_opens_the_code_of_a_figure(reader: Reader, width: int) -> None:
    with reader.visit(WITH_FIGURES) as visit:
        visit.page.set_viewport_size({"width": width, "height": 800})
        cell = visit.page.locator("div.cell.tag_figure:has(.book-svg)").first
        icon, code = cell.locator("summary"), cell.locator("pre").first
        figure, box = cell.locator(".book-svg").bounding_box(), icon.bounding_box()
        assert figure
        assert box
        assert min(box["width"], box["height"]) >= 24
        assert box["y"] + box["height"] <= figure["y"]
        assert not code.is_visible()
        icon.focus()
        visit.page.keyboard.press("Enter")
        assert code.is_visible()
        icon.click()
        assert not code.is_visible()
        visit.page.emulate_media(media="print")
        assert not icon.is_visible()


@pytest.mark.parametrize("width", [1280, 390])
def test_an_icon_without_a_figure_stands_in_the_line_of_the_next_heading(
    reader: Reader, width: int
) -> None:
    with reader.visit(WITH_IMPORTS_ABOVE_A_HEADING) as visit:
        visit.page.set_viewport_size({"width": width, "height": 800})
        icon, line = (
            visit.page.locator(f"div.cell.book-icon{place}").first.bounding_box()
            for place in (":has(+ section) summary", " + section .section-number")
        )
        assert icon
        assert line
        assert line["x"] + line["width"] < icon["x"]
        middle = icon["y"] + icon["height"] / 2
        assert line["y"] < middle < line["y"] + line["height"]


def test_the_margin_has_the_notes_beside_their_text(reader: Reader) -> None:
    with reader.visit(WITH_NOTES) as visit:
        beside = """() => {
            const note = document.querySelector(".bd-article .margin");
            const text = note.nextElementSibling.getBoundingClientRect();
            return note.getBoundingClientRect().left >= text.right;
        }"""
        for width, wanted in ((1280, True), (1200, False), (390, False)):
            visit.page.set_viewport_size({"width": width, "height": 800})
            assert visit.page.evaluate(beside) == wanted


@pytest.mark.parametrize("words", ["p:has(> em)", "p em"], ids=["upright", "italic"])
def test_words_are_in_the_faces_of_the_book(reader: Reader, words: str) -> None:
    """In italics as well, which came too late until they were asked for early."""
    with reader.visit(WITH_IMPORTS_ABOVE_A_HEADING) as visit:
        session = visit.page.context.new_cdp_session(visit.page)
        session.send("DOM.enable")
        session.send("CSS.enable")
        root = session.send("DOM.getDocument")["root"]["nodeId"]
        place = {"nodeId": root, "selector": f"article {words}"}
        node = session.send("DOM.querySelector", place)
        used = session.send("CSS.getPlatformFontsForNode", node)["fonts"]
        (letters, *_) = sorted(used, key=lambda face: -face["glyphCount"])
        assert letters["isCustomFont"], used
        assert letters["familyName"] == "Bottom Up Serif", used


def test_the_notebook_can_be_downloaded(chapter: Visit) -> None:
    chapter.page.locator(".dropdown-download-buttons > button").focus()
    chapter.page.keyboard.press("Enter")
    link = chapter.page.locator(".dropdown-download-buttons a[href$='.ipynb']").first
    link.wait_for()
    response = chapter.page.request.get(
        chapter.run(
            'new URL(document.querySelector(".dropdown-download-buttons'
            " a[href$='.ipynb']\").href).href"
        )
    )
    assert response.ok
    assert response.json()["nbformat"] == 4


def test_the_page_says_its_language_and_has_one_first_heading(chapter: Visit) -> None:
    assert chapter.run("document.documentElement.lang") == "en"
    assert chapter.page.locator("article h1").count() == 1
