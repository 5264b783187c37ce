"""A real Chromium that reads the built book from this machine and nothing else."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
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

from tests.browser.helpers.server import server
from tools.build import ROOT, expected_pages

Theme = Literal["light", "dark"]

HTML = ROOT / "_build" / "html"
PAGES = sorted(expected_pages(ROOT))
DESKTOP: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 360, "height": 740}

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
ARGUMENTS = (
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_chromium() -> str | None:
    """Return the path of a Chromium that is installed, or None.

    The variable AUTOGRAD_CHROMIUM goes first, then the path, then the usual places.
    """
    named = os.environ.get("AUTOGRAD_CHROMIUM")
    if named:
        return named
    found = (shutil.which(name) for name in NAMES)
    return next(filter(None, found), None) or next(
        (place for place in PLACES if Path(place).is_file()), None
    )


@dataclass
class Visit:
    """One page of the book, open in the browser, and what went wrong on the way."""

    name: str
    page: Page
    problems: list[str] = field(default_factory=list)

    def run(self, script: str) -> Any:
        """Run JavaScript in the page and return its value."""
        return self.page.evaluate(script)


@dataclass
class Reader:
    """A browser and the address where the book is served."""

    browser: Browser
    address: str

    @contextlib.contextmanager
    def visit(self, name: str, theme: Theme = "light") -> Iterator[Visit]:
        """Open a page, wait for its mathematics, and close it afterwards.

        The theme is chosen as most readers choose it: by the system's setting.
        """
        context = self.browser.new_context(viewport=DESKTOP, color_scheme=theme)
        page = context.new_page()
        visit = Visit(name, page)
        self.watch(visit)
        page.goto(f"{self.address}{name}.html")
        page.evaluate("window.MathJax?.startup?.promise")
        try:
            yield visit
        finally:
            context.close()

    def watch(self, visit: Visit) -> None:
        """Write down what goes wrong on a page, and keep it from other hosts."""
        page, note = visit.page, visit.problems.append

        def only_here(route: Route) -> None:
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

        def said(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                note(f"console: {message.text}")

        page.route("**/*", only_here)
        page.on("requestfailed", failed)
        page.on("response", answered)
        page.on("pageerror", lambda error: note(f"page error: {error}"))
        page.on("console", said)


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


def launched(
    playwright: Playwright, more: Sequence[str] = (), without: Sequence[str] = ()
) -> Browser:
    """Start the Chromium that is installed, else one that Playwright brought.

    Args:
        playwright: what starts it.
        more: further arguments.
        without: arguments of Playwright's own to leave out.
    """
    path = find_chromium() or playwright.chromium.executable_path
    if not Path(path).is_file():
        reason = (
            "no Chromium was found: install Chromium or Chrome, or set "
            "AUTOGRAD_CHROMIUM to its path"
        )
        if os.environ.get("AUTOGRAD_REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    # Chromium's sandbox cannot be set up by root, which is what a container runs as.
    is_root = sys.platform != "win32" and os.geteuid() == 0
    return playwright.chromium.launch(
        executable_path=path,
        args=[*ARGUMENTS, *more, *(["--no-sandbox"] if is_root else [])],
        ignore_default_args=list(without),
    )
