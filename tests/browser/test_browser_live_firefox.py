"""Live pages in Firefox, where there is one: a few chapters, and the book kept."""

from __future__ import annotations

from collections.abc import Iterator

import nbformat
import pytest

from notebooks.notebook import ROOT, read
from tests.browser.helpers.firefox import Firefox, firefox
from tests.browser.helpers.live_outputs import compare
from tests.browser.helpers.live_site import STATUS, Site, serving

CHAPTERS = ("00_start_here", "02_float_var", "04_order")

CONTROL = "document.querySelector('#book-offline [role=status]')?.textContent ?? ''"

# The notebook would be saved as a file; here it is kept for the test.
CATCH = """
URL.createObjectURL = (file) => {
    file.text().then((text) => { window.caught = text; });
    return "about:blank";
};
HTMLAnchorElement.prototype.click = () => {};
[...document.querySelectorAll(".live-bar button")].at(-1).click();
"""


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with serving() as site:
        yield site


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with firefox(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_all_cells_run_and_put_out_what_the_book_shows(
    site: Site, browser: Firefox, chapter: str
) -> None:
    browser.open(f"{site.address}chapters/{chapter}.html")
    browser.run("document.querySelector('.live-start').click()")
    browser.wait_for(STATUS, "is ready", 120)
    browser.run("document.querySelector('.live-bar button').click()")
    browser.wait_for(STATUS, "have run", 300)
    browser.run(CATCH)
    text = browser.wait_for("window.caught ?? ''", "cells", 30)
    result = compare(
        nbformat.reads(text, as_version=4), read(ROOT / f"chapters/{chapter}.ipynb")
    )
    assert result.differences == []


LOOP = """
(() => {
    const place = document.querySelectorAll("div.cell .cm-content")[1];
    const view = place.cmTile.view;
    const all = {from: 0, to: view.state.doc.length};
    view.dispatch({changes: {...all, insert: "while True: pass"}});
    const tools = place.closest("div.cell").querySelectorAll(".live-tools button");
    [...tools].find((one) => one.textContent === "Run").click();
})()
"""


def test_a_loop_without_end_is_stopped(site: Site, browser: Firefox) -> None:
    browser.open(f"{site.address}chapters/{CHAPTERS[0]}.html")
    browser.run("document.querySelector('.live-start').click()")
    browser.wait_for(STATUS, "is ready", 120)
    browser.run(LOOP)
    browser.wait_for(STATUS, "Running", 30)
    browser.run("document.querySelectorAll('.live-bar button')[1].click()")
    browser.wait_for(STATUS, "Stopped.*kept", 30)
    browser.run("localStorage.clear()")


def test_a_book_that_is_kept_opens_and_runs_without_a_server(browser: Firefox) -> None:
    with serving() as site:
        browser.open(f"{site.address}pages/using.html")
        browser.wait_for(CONTROL, "Nothing is kept", 30)
        browser.run(
            "[...document.querySelectorAll('#book-offline button')].at(-1).click()"
        )
        browser.wait_for(CONTROL, "^Done", 60)
        site.stop()
        browser.open(site.address)
        assert "Autograd" in browser.run("document.title")
        browser.open(f"{site.address}chapters/{CHAPTERS[0]}.html")
        browser.run("document.querySelector('.live-start').click()")
        browser.wait_for(STATUS, "is ready", 120)
        browser.run("document.querySelector('.live-bar button').click()")
        browser.wait_for(STATUS, "have run", 300)
