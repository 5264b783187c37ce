"""The whole book, kept in the browser, then read with the server stopped."""

from __future__ import annotations

import re
import shutil
import threading
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

from notebooks.notebook import ROOT
from press.edition import edition_of
from press.site import offline
from tests.browser.helpers.browser import DESKTOP, PAGES, PHONE
from tests.browser.helpers.live_site import (
    LivePage,
    Site,
    opened,
)
from tests.browser.test_browser_live_first import chromium as chromium
from tests.browser.test_browser_live_first import context as context
from tests.browser.test_browser_live_first import site as site

CONTROL = "pages/using.html#keep-the-whole-book-offline"
FIRST = "chapters/01_derivatives.html"
HERE = """
async () => (await Promise.all((await caches.keys()).map(
    async (name) => (await (await caches.open(name)).keys()).length
))).reduce((a, b) => a + b, 0)
"""
NO_ROOM = """
const put = Cache.prototype.put;
let left = 20;
Cache.prototype.put = function (...all) {
    if (left-- > 0) return put.apply(this, all);
    return Promise.reject(new DOMException("no", "QuotaExceededError"));
};
"""
NO_WORKER = """
Object.defineProperty(Navigator.prototype, "serviceWorker", {get: () => undefined});
Object.defineProperty(window, "isSecureContext", {get: () => %s});
"""
REFUSED = """
ServiceWorkerContainer.prototype.register =
    () => Promise.reject(new DOMException("no", "SecurityError"));
"""
NEVER = """
void (ServiceWorkerContainer.prototype.register = () => new Promise(() => {}))
"""
BAR = "document.querySelector('#book-offline progress')"
AT_ONCE = 6  # of shelf.mjs
KEPT = 60_000  # milliseconds; the book is on this machine


@pytest.fixture
def control(context: BrowserContext, site: Site) -> LivePage:
    return opened(context, site.address + CONTROL)


def says(page: Page, words: str) -> None:
    """Wait until the control says this."""
    said = page.locator("#book-offline [role=status]")
    expect(said).to_contain_text(re.compile(words), timeout=KEPT)


def press(page: Page, name: str) -> None:
    """Press a button of the control, by the beginning of its name."""
    box = page.locator("#book-offline")
    box.get_by_role("button", name=re.compile(f"^{name}")).press("Enter")


def keep(page: Page, what: str = "Keep the book") -> None:
    press(page, what)
    says(page, "^Done. Edition .* is kept here")


def keep_all_but_half_a_page(page: Page, site: Site) -> threading.Event:
    """Keep the book, but for half a page; return what lets the rest through."""
    gate = site.held["pages/operations.html"] = threading.Event()
    press(page, "Keep the book")
    size = (site.html / "pages/operations.html").stat().st_size
    page.wait_for_function(f"{BAR}.max - {BAR}.value === {size - size // 2}")
    return gate


def test_nothing_is_asked_for_before_a_button_is_pressed(
    control: LivePage, site: Site
) -> None:
    says(control.page, "Nothing is kept so far. In the browser the book takes")
    control.page.wait_for_load_state("networkidle")
    asked = [name for name in site.asked if "live/" in name or "worker" in name]
    assert asked == ["live/keeper.js"]
    assert control.page.evaluate(HERE) == 0
    sizes = control.page.locator("#book-offline button").all_inner_texts()
    assert all(re.search(r": [\d.]+\sMB$", size) for size in sizes)
    assert len(sizes) == 2


def test_pages_open_the_search_finds_and_cells_run_without_a_server(
    request: pytest.FixtureRequest,
    control: LivePage,
    context: BrowserContext,
    site: Site,
) -> None:
    """All pages weekly, and one of four always: what they ask for is alike."""
    keep(control.page, "Keep it with Python")
    site.stop()
    for name in PAGES if request.config.getoption("--exhaustive") else PAGES[::4]:
        live = opened(context, f"{site.address}{name}.html")
        assert live.page.locator("main").inner_text(), name
        assert live.page.evaluate("getComputedStyle(document.body).fontFamily") != ""
        assert live.problems == [], name
        live.page.close()
    home = opened(context, site.address)
    assert "Autograd" in home.page.title()
    found = opened(context, f"{site.address}search.html?q=vanishing+gradient")
    expect(found.page.locator("#search-results a").first).to_be_visible()
    chapter = opened(context, f"{site.address}chapters/00_start_here.html").start()
    code = (
        "import numpy; from autograd_lib.scalar.value import Value; print(Value(1.0))"
    )
    assert "Value" in chapter.run(2, code)
    assert [*home.problems, *found.problems, *chapter.problems] == []


@pytest.mark.exhaustive  # kept pages are tried always
def test_a_page_that_was_not_kept_names_those_that_were(
    context: BrowserContext, site: Site
) -> None:
    live = opened(context, f"{site.address}chapters/00_start_here.html").start()
    live.page.reload()  # the service worker may have come too late for the first visit
    live.start().wait_until_kept()
    site.stop()
    live.page.goto(f"{site.address}chapters/04_order.html")
    assert "This page is not kept" in live.page.title()
    live.page.get_by_role("link", name="chapters/00_start_here").click()
    expect(live.page.locator("h1")).to_contain_text("Start here")


def test_the_book_alone_says_what_it_is(control: LivePage, site: Site) -> None:
    keep(control.page)
    says(control.page, "without Python. All pages open without a network")
    assert not [name for name in site.asked if "pyodide-" in name]
    site.stop()
    control.page.reload()
    says(control.page, "^Edition .* is kept here since .*, without Python")


def test_a_keep_that_is_left_goes_on_where_it_stopped(
    control: LivePage, context: BrowserContext, site: Site
) -> None:
    gate = keep_all_but_half_a_page(control.page, site)
    control.page.close()
    gate.set()
    site.asked.clear()
    again = opened(context, site.address + CONTROL)
    says(again.page, r"^The book is not whole yet: 9\d.% of \d\d.MB is here")
    press(again.page, "Go on")
    says(again.page, "^Done")
    assert "pages/operations.html" in site.asked
    loaded = [n for n in site.asked if n.startswith(("chapters/", "_sources/"))]
    assert len(loaded) < AT_ONCE  # those that had come, but were not put away


def test_it_can_be_cancelled_and_the_keyboard_stays_there(
    control: LivePage, site: Site
) -> None:
    gate = keep_all_but_half_a_page(control.page, site)
    press(control.page, "Cancel")
    says(control.page, "^Cancelled. The book is not whole yet")
    gate.set()
    assert control.page.evaluate("document.activeElement.id") == "book-offline"
    control.page.keyboard.press("Tab")
    assert control.page.evaluate("document.activeElement.textContent") == "Go on"
    control.page.keyboard.press("Enter")
    says(control.page, "^Done")


@pytest.mark.parametrize(
    "size",
    [pytest.param(DESKTOP, marks=pytest.mark.exhaustive), PHONE],
    ids=["desktop", "phone"],
)
def test_nothing_moves_below_it(
    control: LivePage, site: Site, size: ViewportSize
) -> None:
    page = control.page
    page.set_viewport_size(size)
    heights = []

    def measure() -> None:
        heights.append(page.locator("#book-offline").bounding_box()["height"])

    measure()
    site.instead["pages/api.html"] = None
    press(page, "Keep the book")
    measure()
    says(page, "is missing")
    measure()
    site.instead.clear()
    press(page, "Go on")
    says(page, "^Done")
    measure()
    assert len(set(heights)) == 1, heights


def test_what_fails_is_said_and_can_be_tried_again(
    control: LivePage, site: Site
) -> None:
    site.instead["pages/api.html"] = None
    press(control.page, "Keep the book")
    says(control.page, "could not be loaded: .*api.html is missing")
    site.instead["pages/api.html"] = b"from another edition"
    press(control.page, "Go on")
    says(control.page, "published anew meanwhile")
    site.instead.clear()
    press(control.page, "Go on")
    says(control.page, "^Done")


def test_a_new_edition_is_offered_and_takes_the_place_of_the_old(
    control: LivePage, context: BrowserContext, site: Site, tmp_path: Path
) -> None:
    keep(control.page)
    before = control.page.evaluate(HERE)
    renew(site, tmp_path / "book")
    site.asked.clear()
    control.page.reload()
    says(control.page, "This site has another one now: edition")
    assert "live/offline.json" not in site.asked
    press(control.page, "Replace it")
    says(control.page, "^Done. Edition .* All pages open")
    loaded = {name for name in site.asked if name.endswith((".html", ".ipynb"))}
    assert loaded == {FIRST, "pages/using.html"}
    assert control.page.evaluate(HERE) == before
    site.stop()
    page = opened(context, site.address + FIRST).page
    assert page.title() == "Mended"


@pytest.mark.exhaustive  # that it is replaced as a whole is tried always
def test_the_old_edition_stays_whole_until_the_new_one_is_there(
    control: LivePage, context: BrowserContext, site: Site, tmp_path: Path
) -> None:
    keep(control.page)
    before = control.page.evaluate(HERE)
    renew(site, tmp_path / "book")
    site.instead[FIRST] = None
    control.page.reload()
    press(control.page, "Replace it")
    says(
        control.page, "could not be loaded: .* Edition .* is kept here .* not whole yet"
    )
    press(control.page, "Leave it as it was")
    says(control.page, "This site has another one now")
    assert control.page.evaluate(HERE) == before
    site.stop()
    page = opened(context, site.address + FIRST).page
    assert page.title() != "Mended"
    assert page.locator("article").inner_text()


def renew(site: Site, folder: Path) -> None:
    """Publish the book anew, with one page mended."""
    shutil.copytree(site.html, folder)
    page = folder / FIRST
    mended = re.sub(
        "<title>.*?</title>", "<title>Mended</title>", page.read_text("utf-8")
    )
    page.write_text(mended, "utf-8")
    place = folder / offline.PAGE
    said = re.compile(r' data-(?:edition|version|day|sizes)="[^"]*"')
    place.write_text(said.sub("", place.read_text("utf-8")), "utf-8")
    offline.write(folder, edition_of(ROOT))
    site.html = folder


@pytest.mark.exhaustive
def test_what_was_visited_is_not_loaded_again_or_kept_twice(
    control: LivePage, context: BrowserContext, site: Site
) -> None:
    live = opened(context, f"{site.address}chapters/00_start_here.html").start()
    live.page.reload()  # the service worker may have come too late for the first visit
    live.start().wait_until_kept()
    live.page.close()
    site.asked.clear()
    control.page.evaluate(NEVER)  # as Chromium may, which updates for the closed page
    keep(control.page, "Keep it with Python")
    assert not [name for name in site.asked if name.endswith("pyodide.asm.wasm")]
    visited = "caches.open('autograd-live').then(s => s.keys()).then(k => k.length)"
    left = control.page.evaluate(visited)
    opened(context, site.address + FIRST)
    assert control.page.evaluate(visited) == left == 1  # the image of Python's memory


@pytest.mark.exhaustive  # what was visited before is tried always
def test_keeping_waits_for_what_a_visited_page_still_leaves(
    control: LivePage, context: BrowserContext, site: Site
) -> None:
    live = opened(context, f"{site.address}chapters/00_start_here.html")
    notebook = "_sources/chapters/00_start_here.ipynb"
    gate = site.held[notebook] = threading.Event()
    live.start()
    assert notebook in site.asked  # by the service worker
    press(control.page, "Keep the book")
    says(control.page, "^Loading")
    control.page.wait_for_timeout(500)  # long enough to ask for much
    assert "live/offline.json" not in site.asked
    gate.set()
    says(control.page, "^Done")
    assert site.asked.count(notebook) == 1


@pytest.mark.exhaustive
def test_two_tabs_load_the_book_once(
    control: LivePage, context: BrowserContext, site: Site
) -> None:
    other = opened(context, site.address + CONTROL)
    gate = keep_all_but_half_a_page(control.page, site)
    press(other.page, "Keep the book")
    says(other.page, "^Loading")
    other.page.wait_for_timeout(500)  # long enough to ask for what is missing
    gate.set()
    for page in (control.page, other.page):
        says(page, "^Done")
    assert site.asked.count("pages/operations.html") == 1


def test_removing_removes_everything(
    control: LivePage, context: BrowserContext, site: Site
) -> None:
    keep(control.page)
    press(control.page, "Remove what is kept")
    says(control.page, "^Removed.* Nothing is kept so far")
    assert control.page.evaluate(HERE) == 0
    assert control.page.evaluate("navigator.serviceWorker.getRegistrations()") == []
    control.page.close()
    site.stop()
    page = context.new_page()
    with pytest.raises(Exception, match="ERR_CONNECTION_REFUSED"):
        page.goto(site.address + FIRST)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (NO_ROOM, "^The browser has no more room: it gives this site .*MB"),
        (REFUSED, "^This browser lets the site keep nothing"),
    ],
    ids=["no room", "refused"],
)
def test_a_browser_that_keeps_nothing_says_so(
    context: BrowserContext, site: Site, script: str, words: str
) -> None:
    context.add_init_script(script)
    page = opened(context, site.address + CONTROL).page
    press(page, "Keep the book")
    says(page, words)


@pytest.mark.parametrize(
    ("secure", "words"),
    [("false", "begin with https"), ("true", "lets the site keep nothing")],
    ids=["plain http", "private window"],
)
def test_without_a_service_worker_there_are_no_buttons(
    context: BrowserContext, site: Site, secure: str, words: str
) -> None:
    context.add_init_script(NO_WORKER % secure)
    page = opened(context, site.address + CONTROL).page
    says(page, words)
    assert page.locator("#book-offline button").count() == 0
