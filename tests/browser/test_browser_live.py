"""A live page in the hands of a reader: run, stop, edit, come back, without network."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from tests.browser.helpers.live_site import LivePage, Site, browsing, opened, serving

PAGE = "chapters/00_start_here.html"
EDITOR = "document.activeElement.closest('.cm-editor') !== null"


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as site:
        yield site


@pytest.fixture
def context(site: Site) -> Iterator[BrowserContext]:
    with browsing(site) as context:
        yield context


@pytest.fixture
def live(context: BrowserContext, site: Site) -> Iterator[LivePage]:
    live = opened(context, site.address + PAGE)
    yield live
    assert live.problems == []


def test_nothing_is_asked_for_before_the_click(site: Site, live: LivePage) -> None:
    live.page.wait_for_load_state("networkidle")
    asked = [name for name in site.asked if "live/" in name or "worker" in name]
    assert asked == ["live/button.js"]
    assert live.page.evaluate("navigator.serviceWorker.getRegistrations()") == []


def test_a_loop_without_end_is_stopped(live: LivePage) -> None:
    live.start()
    live.run(2, "n = 1\nprint('here')", until="Cell 2 has run")
    live.write(2, "print('on and on')\nwhile True: pass")
    live.page.keyboard.press("Shift+Enter")
    live.page.get_by_text("on and on", exact=True).last.wait_for()
    live.press("Stop")
    assert "variables are gone" in live.wait_for("is ready")
    assert live.run(2, "print('n' in globals())") == "False"


def test_the_stop_button_says_what_it_did(live: LivePage) -> None:
    live.start()
    live.press("Stop")
    assert "variables are gone" in live.wait_for("Stopped")


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


def test_two_pages_do_not_disturb_each_other(
    live: LivePage, context: BrowserContext, site: Site
) -> None:
    live.start()
    other = opened(context, site.address + "chapters/04_value.html").start()
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


def test_without_network_it_opens_and_runs_again(
    live: LivePage, context: BrowserContext, site: Site
) -> None:
    live.start()
    assert "have run" in live.run_all()
    live.wait_until_kept()
    site.instead = dict.fromkeys(every_file(site))
    context.set_offline(True)
    live.page.reload()
    live.start()
    assert "have run" in live.run_all()
    live.problems.clear()


def test_a_start_does_not_wait_long_for_the_service_worker(
    live: LivePage, site: Site
) -> None:
    gate = site.held["service-worker.js"] = threading.Event()
    live.start()
    assert "is ready" in live.status()
    gate.set()


IMAGES = """
async () => (await (await caches.open("autograd-live")).keys())
    .map((one) => one.url).filter((one) => one.includes("/image?"))
"""
SPOIL = """
async (address) => (await caches.open("autograd-live"))
    .put(address, new Response(new Uint8Array(1000)))
"""
STATE = "import random; print(hash('a'), random.random(), 'numpy' in globals())"


def test_a_second_start_goes_on_from_the_first_ones_memory(live: LivePage) -> None:
    live.start()
    seed, number, _ = live.run(2, STATE).split()
    live.wait_until_kept()
    (image,) = live.page.evaluate(IMAGES)
    live.page.reload()
    live.start()
    again, other, has = live.run(2, STATE).split()
    assert again == seed  # Python draws it once, when it begins
    assert other != number
    assert has == "False"
    code = "import numpy; print(numpy.arange(4.0) @ numpy.ones(4))"
    assert live.run(2, code) == "6.0"
    assert live.page.evaluate(IMAGES) == [image]


def test_a_memory_that_is_damaged_is_taken_anew(live: LivePage) -> None:
    live.start()
    seed = live.run(2, STATE).split()[0]
    live.wait_until_kept()
    (image,) = live.page.evaluate(IMAGES)
    live.page.evaluate(SPOIL, image)
    live.press("Restart")
    live.wait_for("is ready")
    assert live.run(2, STATE).split()[0] != seed
    seed = live.output(2).split()[0]
    live.press("Restart")
    live.wait_for("is ready")
    assert live.run(2, STATE).split()[0] == seed


def every_file(site: Site) -> list[str]:
    files = (path for path in site.html.rglob("*") if path.is_file())
    return [path.relative_to(site.html).as_posix() for path in files]


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


@pytest.mark.parametrize("content", [None, b"something else"], ids=["none", "wrong"])
def test_numpy_that_is_missing_or_wrong_is_not_used(
    context: BrowserContext, site: Site, content: bytes | None
) -> None:
    site.alter("live/pyodide-*/numpy-*.whl", content)
    live = opened(context, site.address + PAGE).start()
    assert live.run(2, "sum([1, 2])") == "3"
    assert "numpy" in live.run(3, "import numpy")
    assert live.run(2, "sum([1, 2])") == "3"


def test_a_file_has_no_button(context: BrowserContext, site: Site) -> None:
    page = context.new_page()
    page.goto((site.html / PAGE).as_uri())
    assert page.get_by_role("button", name="Run this page").count() == 0


def test_without_its_files_the_button_says_so(
    context: BrowserContext, site: Site
) -> None:
    site.alter("live/code-*/page.mjs", None)
    live = opened(context, site.address + PAGE)
    button = live.page.get_by_role("button", name="Run this page")
    button.click()
    assert "could not be made live" in live.page.get_by_role("alert").inner_text()
    assert button.is_enabled()
