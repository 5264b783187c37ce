"""Print finished pages in Chromium as one document; it may read one folder only."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pikepdf import Pdf
from playwright.sync_api import Page as Tab
from playwright.sync_api import Route, sync_playwright

from press.chromium import launch
from press.paper.contents import Page

ADDRESS = "https://book.invalid/"
"""Where the pages seem to be; no such host can exist."""

HERE = Path(__file__).parent
SHEET = (HERE / "sheet.css").read_text("utf-8")
NAME_FORMULAS = (HERE / "formulas.js").read_text("utf-8")
GATHER = (HERE / "gather.js").read_text("utf-8")
MINUTES = 20
"""How long the print of all pages may take, on a machine that does other things too."""

# The last page that was gathered lends its style sheet to all.
COMPOSE = """
([body, style]) => {
  document.head.querySelectorAll("style").forEach((one) => one.remove());
  const sheet = document.createElement("style");
  sheet.textContent = style;
  document.head.append(sheet);
  (document.querySelector("#book") ?? document.querySelector("article")).outerHTML =
    `<div id="book">${body}</div>`;
}
"""


class Printer:
    """A tab of the browser that prints pages.

    Args:
        tab: the tab.
        site: the address of the published book, empty if it isn't known.
    """

    def __init__(self, tab: Tab, site: str) -> None:
        self.tab = tab
        self.site = site

    def gather(self, pages: Sequence[Page]) -> list[str]:
        """Return pages as they are printed, in HTML.

        A link to a page that isn't printed leads to the site, if there is one.
        """
        found, part = [], ""
        for page in pages:
            self.tab.goto(f"{ADDRESS}{page.name}.html")
            self.tab.evaluate(NAME_FORMULAS)
            about = {
                "address": ADDRESS,
                "printed": [file_of(one) for one in pages],
                "site": self.site,
                "part": page.part,
                "first": page.part not in ("", part),
            }
            found.append(str(self.tab.evaluate(GATHER, about)))
            part = page.part
        return found

    def print(self, body: str, style: str) -> Pdf:
        """Print a document.

        Args:
            body: what stands in place of the article of the last page gathered.
            style: further rules.
        """
        self.tab.evaluate(COMPOSE, [body, style])
        content = self.tab.pdf(
            prefer_css_page_size=True, print_background=True, outline=True, tagged=True
        )
        return Pdf.open(BytesIO(content))


def file_of(page: Page) -> str:
    """Return the file of a page, which is also the name of its place in the PDF."""
    return f"{page.name}.html"


def sheets(pages: Sequence[Page], before: int) -> str:
    """Return the style of all sheets.

    Args:
        pages: those that are printed, each with its title at the top of its sheets.
        before: the number of sheets before the first page.
    """
    heads = (
        f"@page p{k} {{ @top-center {{ content: {json.dumps(page.title)}; }} }}\n"
        f'[id="{file_of(page)}"] {{ page: p{k}; }}\n'
        for k, page in enumerate(pages)
    )
    return SHEET.replace("BEFORE", str(-before)) + "".join(heads)


@contextlib.contextmanager
def printer(html: Path, site: str) -> Iterator[Printer]:
    """Start Chromium on the pages in a folder.

    Raises:
        FileNotFoundError: if there is no Chromium.
    """

    def answer(route: Route) -> None:
        path = html / unquote(urlsplit(route.request.url).path.lstrip("/"))
        if route.request.url.startswith(ADDRESS) and path.is_file():
            route.fulfill(path=path)
        else:
            route.abort()

    with sync_playwright() as playwright:
        browser = launch(playwright)
        tab = browser.new_page(color_scheme="light", locale="en")
        tab.set_default_timeout(MINUTES * 60_000)
        tab.route("**/*", answer)
        yield Printer(tab, site)
        browser.close()
