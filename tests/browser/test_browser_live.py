"""A live page in the hands of a reader: run, stop, edit, go, come back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from tests.browser.helpers.live_site import LivePage, Site, browsing, opened, serving

PAGE = "chapters/00_start_here.html"
EDITOR = "document.activeElement.closest('.cm-editor') !== null"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with serving() as site:
        yield site


@pytest.fixture(scope="module")
def context() -> Iterator[BrowserContext]:
    with browsing() as context:
        yield context


@pytest.fixture
def live(context: BrowserContext, site: Site) -> Iterator[LivePage]:
    """Open the page; what a reader wrote is forgotten afterwards, Python is not."""
    live = opened(context, site.address + PAGE)
    yield live
    assert live.problems == []
    live.page.evaluate("localStorage.clear()")
    live.page.close()


FIRST = "n = 0\nprint('on and on')\n"


def begun(live: LivePage, loop: str) -> None:
    """Run a cell that does not end, and press *Stop*."""
    live.start()
    live.write(2, FIRST + loop)
    live.page.keyboard.press("Shift+Enter")
    live.page.get_by_text("on and on", exact=True).last.wait_for()
    live.press("Stop")


@pytest.mark.parametrize(
    "loop",
    [
        "while True:\n  for n in 1, 2: abs(n)",
        pytest.param("while True: n += 1", marks=pytest.mark.exhaustive),
    ],
)
def test_a_loop_without_end_is_stopped_and_its_variables_stay(
    live: LivePage, loop: str
) -> None:
    begun(live, loop)
    assert "kept its variables" in live.wait_for("Stopped in cell 2")
    assert "KeyboardInterrupt" in live.output(2)
    assert live.page.locator(".live-mark").nth(1).inner_text() == "stopped"
    assert live.run(2, "n > 0") == "True"
    assert live.run(2, "sum(range(10**6))") == "499999500000"  # nothing is left of it
    live.problems.clear()  # the browser says that an address is gone


@pytest.mark.exhaustive
def test_what_does_not_listen_is_ended(live: LivePage) -> None:
    begun(live, "while True:\n    try:\n        while True: pass\n    except: pass")
    assert "variables are gone" in live.wait_for("is ready")
    assert live.run(2, "'n' in globals()") == "False"
    live.problems.clear()


def test_stop_ends_a_run_of_all_cells_and_lets_go_of_what_waits(live: LivePage) -> None:
    live.start()
    live.write(2, FIRST + "while True: pass")
    live.press("Run all")
    live.page.get_by_text("on and on", exact=True).last.wait_for()
    live.page.get_by_role("button", name=re.compile("^Run, cell")).last.click()
    live.press("Stop")
    live.wait_for("Stopped in cell 2")
    assert live.page.locator(".live-waiting, .live-running").count() == 0
    assert live.run(4, "'value' in globals(), n") == "(False, 0)"
    live.problems.clear()


def test_stop_says_where_nothing_is_running(live: LivePage) -> None:
    live.start()
    live.press("Stop")
    live.wait_for("Nothing is running")


def test_edits_survive_a_reload_and_can_be_reset(
    live: LivePage, tmp_path: Path
) -> None:
    before = live.start().output(2)
    assert live.run(2, "print(6 * 7)") == "42"
    live.page.reload()
    live.start()
    assert "print(6 * 7)" in live.page.locator("div.cell").nth(1).inner_text()
    cells = live.notebook(tmp_path).cells
    assert [c for c in cells if c.cell_type == "code"][1].source == "print(6 * 7)"
    live.page.get_by_role("button", name="Reset, cell 2").click()
    assert live.output(2) == before
    assert live.page.evaluate("Object.keys(localStorage).join()").count("live") == 0


@pytest.mark.exhaustive
def test_two_pages_do_not_disturb_each_other(
    live: LivePage, context: BrowserContext, site: Site
) -> None:
    live.start()
    other = opened(context, site.address + "chapters/03_value.html").start()
    live.run(2, "mine = 1")
    assert other.run(2, "'mine' in globals()") == "False"
    assert live.run(2, "mine") == "1"


def test_the_keyboard_is_enough_and_leaves_the_editor(live: LivePage) -> None:
    live.start()
    keyboard = live.page.keyboard
    assert live.page.evaluate("document.activeElement.textContent") == "Run all"
    live.write(2, "if 1:")
    keyboard.press("Enter")
    keyboard.press("Tab")
    assert live.page.evaluate(EDITOR)
    keyboard.press("Escape")
    keyboard.press("Tab")
    assert not live.page.evaluate(EDITOR)
    assert live.page.evaluate("document.activeElement.textContent") == "Run"
    outline = live.page.evaluate(
        "getComputedStyle(document.activeElement).outlineStyle"
    )
    assert outline != "none"


@pytest.mark.exhaustive
def test_a_page_that_was_left_works_when_one_comes_back(
    live: LivePage, site: Site
) -> None:
    live.start()
    live.run(2, "mine = 1")
    live.page.goto(site.address + "index.html")
    # Playwright's go_back waits for a page to load, which a frozen one does not.
    live.page.evaluate("history.back()")
    live.page.wait_for_function(f"location.pathname.endsWith('{PAGE}')")
    live.page.wait_for_selector(".live-bar, .live-start")
    if live.page.locator(".live-bar").count() == 0:
        live.start()  # this browser did not freeze the page, but loaded it anew
    assert live.run(2, "print('alive')") == "alive"
