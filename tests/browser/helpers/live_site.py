"""The built book on a server of its own, and a live page of it in a real browser.

The server stands for a plain static host: it serves below `/book/`, writes down what is
asked for, and can be told to answer otherwise. The browser can reach nothing else.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.book.helpers.built_book import built_book
from tests.browser.helpers.browser import DESKTOP, Theme, launched
from tests.browser.helpers.server import Quiet

ONLY_HERE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
STATUS = "document.querySelector('.live-status')?.textContent ?? ''"
# Once the lock is free, the service worker has kept what it was told to.
KEPT = """
() => navigator.locks.request("autograd-book", async () => {
    const kept = await (await caches.open("autograd-live")).keys();
    return ["/image?", ".wasm"].every(
        (part) => kept.some(({url}) => url.includes(part)));
})
"""
BOOT = 120_000
PREFIX = "/book/"


@dataclass
class Site:
    """The book below `/book/`: what was asked for, and what is answered otherwise.

    Attributes:
        html: what is served.
        address: where.
        asked: the names that were asked for.
        instead: the content, or 404 for None, in place of files.
        held: what has to happen before files are answered beyond their first half.
        stop: ends the server; nothing answers any more.
    """

    html: Path
    address: str = ""
    asked: list[str] = field(default_factory=list)
    instead: dict[str, bytes | None] = field(default_factory=dict)
    held: dict[str, threading.Event] = field(default_factory=dict)
    stop: Callable[[], None] = lambda: None

    def alter(self, pattern: str, content: bytes | None) -> None:
        """Answer with other content, or with 404, for the files of a pattern."""
        for path in self.html.glob(pattern):
            self.instead[path.relative_to(self.html).as_posix()] = content


class Handler(Quiet):
    """Serves a `Site`."""

    def __init__(self, *args: Any, site: Site, **options: Any) -> None:
        self.site = site
        super().__init__(*args, directory=str(site.html), **options)

    def do_GET(self) -> None:
        """Answer, and write down what was asked for."""
        name = self.path.split("?")[0].removeprefix(PREFIX)
        self.site.asked.append(name)
        if not self.path.startswith(PREFIX) or self.site.instead.get(name, b"") is None:
            return self.send_error(404)
        content = self.site.instead.get(name)
        if content is None:
            self.path = f"/{name}"
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(name))
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        return None

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a file; of one that is held, its first half, and the rest later."""
        name = self.path.removeprefix("/")
        if name in self.site.held:
            outputfile.write(source.read((self.site.html / name).stat().st_size // 2))
            self.site.held[name].wait()
        super().copyfile(source, outputfile)


@contextlib.contextmanager
def serving() -> Iterator[Site]:
    """Serve the built book; skip where it was built without live pages."""
    html = built_book()
    if not (html / "live" / "button.js").is_file():
        reason = "the book was built without live pages"
        if os.environ.get("AUTOGRAD_REQUIRE_LIVE") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    site = Site(html)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, site=site))
    site.address = f"http://127.0.0.1:{server.server_address[1]}{PREFIX}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()

    def stop() -> None:
        server.shutdown()
        thread.join()
        server.server_close()

    site.stop = stop
    try:
        yield site
    finally:
        stop()


@contextlib.contextmanager
def started() -> Iterator[Browser]:
    """Start a browser that can reach nothing but this machine.

    It may freeze pages that are left, as a reader's does and Playwright's does not.
    """
    with sync_playwright() as playwright:
        browser = launched(
            playwright,
            more=[ONLY_HERE],
            without=["--disable-back-forward-cache"],
        )
        yield browser
        browser.close()


@contextlib.contextmanager
def a_reader(browser: Browser, theme: Theme = "light") -> Iterator[BrowserContext]:
    """Be a reader for whom nothing is kept so far."""
    context = browser.new_context(
        viewport=DESKTOP, color_scheme=theme, accept_downloads=True
    )
    yield context
    context.close()


@contextlib.contextmanager
def browsing() -> Iterator[BrowserContext]:
    """Be the only reader with a browser."""
    with started() as browser, a_reader(browser) as context:
        yield context


@dataclass
class LivePage:
    """A page of the book that a reader makes live."""

    page: Page
    problems: list[str] = field(default_factory=list)

    def start(self) -> LivePage:
        """Press the button, and wait until Python is there."""
        self.page.get_by_role("button", name="Run this page").click()
        self.page.wait_for_selector(".live-bar")
        self.wait_for("is ready|has ended")
        return self

    def status(self) -> str:
        """Return what the bar says."""
        return str(self.page.evaluate(STATUS))

    def wait_for(self, words: str, timeout: float = BOOT) -> str:
        """Wait until the bar says one of these; return all it says."""
        self.page.wait_for_function(f"/{words}/.test({STATUS})", timeout=timeout)
        return self.status()

    def wait_until_kept(self) -> None:
        """Wait until files and the image of Python's memory are kept for later."""
        self.page.wait_for_function(KEPT)

    def press(self, name: str) -> None:
        """Press a button of the bar."""
        self.page.get_by_role("button", name=name, exact=True).click()

    def run_all(self, timeout: float = 600_000) -> str:
        """Run all cells; return what the bar says in the end."""
        self.press("Run all")
        return self.wait_for("have run|has ended|ended with an error", timeout)

    def write(self, number: int, code: str) -> None:
        """Replace the code of a cell, through the keyboard."""
        self.page.evaluate(
            "n => document.querySelectorAll('div.cell')[n - 1]"
            ".querySelectorAll('details').forEach(d => { d.open = true; })",
            number,
        )
        self.page.get_by_role("textbox", name=f"Code of cell {number}.").focus()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(code)

    def run(self, number: int, code: str, until: str = "") -> str:
        """Run code in a cell by Shift+Enter; return the text of its outputs."""
        self.write(number, code)
        self.page.keyboard.press("Shift+Enter")
        self.wait_for(until or f"Cell {number} (has run|ended)")
        return self.output(number)

    def output(self, number: int) -> str:
        """Return the text of a cell's outputs."""
        return self.place(number).inner_text().strip()

    def place(self, number: int) -> Any:
        """Return where a cell's outputs are."""
        return self.page.locator("div.cell").nth(number - 1).locator(".cell_output")

    def notebook(self, folder: Path) -> NotebookNode:
        """Download the page as a notebook."""
        with self.page.expect_download() as download:
            self.press("Download")
        path = folder / download.value.suggested_filename
        download.value.save_as(path)
        return nbformat.read(path, as_version=4)


def opened(context: BrowserContext, address: str) -> LivePage:
    """Open a page; its errors and the network's are written down."""
    live = LivePage(context.new_page())
    note = live.problems.append
    live.page.on("pageerror", lambda error: note(f"page error: {error}"))
    live.page.on(
        "console", lambda m: note(m.text) if m.type in ("error", "warning") else None
    )
    live.page.goto(address)
    return live
