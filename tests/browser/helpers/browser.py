"""A real Chromium that reads the built book from this machine and nothing else."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Page,
    Playwright,
    Request,
    Response,
    Route,
    ViewportSize,
    sync_playwright,
)

from press.chromium import launch
from tests.book.helpers.built_book import built_book
from tests.browser.helpers.server import server
from tools.build import ROOT, expected_pages

Theme = Literal["light", "dark"]

HTML = ROOT / "_build" / "html"
PAGES = sorted(expected_pages(ROOT))
DESKTOP: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 360, "height": 740}
NARROWEST: ViewportSize = {"width": 320, "height": 640}


# What is far below the view is laid out after a page has come.
ARRIVED = "() => !('arriving' in document.documentElement.dataset)"
LAID_OUT = "new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))"


@dataclass
class Visit:
    """A page of the book, open in the browser: what it asked for, what went wrong."""

    name: str
    page: Page
    problems: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def run(self, script: str) -> Any:
        """Run JavaScript in the page and return its value."""
        return self.page.evaluate(script)


@dataclass
class Reader:
    """A browser and the address where the book is served."""

    browser: Browser
    address: str

    @contextlib.contextmanager
    def visit(
        self, name: str, theme: Theme = "light", *, still: bool = False
    ) -> Iterator[Visit]:
        """Open a page, and close it afterwards.

        The theme is chosen as most readers choose it: by the system's setting, and so
        is whether things move by themselves.
        """
        context = self.browser.new_context(
            viewport=DESKTOP,
            color_scheme=theme,
            reduced_motion="reduce" if still else "no-preference",
        )
        page = context.new_page()
        visit = Visit(name, page)
        self.watch(visit)
        page.goto(f"{self.address}{name}.html")
        page.wait_for_function(ARRIVED)
        page.evaluate(LAID_OUT)
        try:
            yield visit
        finally:
            context.close()

    def watch(self, visit: Visit) -> None:
        """Write down what goes wrong on a page, and keep it from other hosts."""
        page, note = visit.page, visit.problems.append

        def only_here(route: Route) -> None:
            if route.request.url.startswith(self.address):
                visit.asked.append(route.request.url.removeprefix(self.address))
            if route.request.url.startswith((self.address, "data:", "blob:")):
                route.continue_()
            else:
                note(f"asks another host: {route.request.url}")
                route.abort()

        def failed(request: Request) -> None:
            # A reader who goes on to the next page cuts short what this one still asks
            # for, such as the summaries of search results.
            if request.failure != "net::ERR_ABORTED":
                note(f"failed: {request.url}")

        def answered(response: Response) -> None:
            if response.status >= 400:
                note(f"{response.status}: {response.url}")

        def on_console(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                note(f"console: {message.text}")

        page.route("**/*", only_here)
        page.on("requestfailed", failed)
        page.on("response", answered)
        page.on("pageerror", lambda error: note(f"page error: {error}"))
        page.on("console", on_console)


@contextlib.contextmanager
def reading(folder: Path = HTML) -> Iterator[Reader]:
    """Serve a folder and start the browser, or skip the test where there is none.

    With AUTOGRAD_REQUIRE_BROWSER=1 the test fails instead of being skipped.

    Args:
        folder: what is served; the book, unless it says otherwise.
    """
    site = server(folder)
    thread = threading.Thread(target=site.serve_forever)
    thread.start()
    try:
        with sync_playwright() as playwright:
            browser = launched(playwright)
            yield Reader(browser, f"http://127.0.0.1:{site.server_address[1]}/")
            browser.close()
    finally:
        site.shutdown()
        thread.join()
        site.server_close()


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    built_book()
    with reading() as reader:
        yield reader


def launched(
    playwright: Playwright, more: Sequence[str] = (), without: Sequence[str] = ()
) -> Browser:
    """Start the Chromium that is installed, else one that Playwright brought.

    Args:
        playwright: what starts it.
        more: further arguments.
        without: arguments of Playwright's own to leave out.
    """
    try:
        return launch(playwright, more, without)
    except FileNotFoundError as error:
        if os.environ.get("AUTOGRAD_REQUIRE_BROWSER") == "1":
            pytest.fail(str(error))
        pytest.skip(str(error))
