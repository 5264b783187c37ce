"""Print finished pages in Chromium, which may read one folder only."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Page as Tab
from playwright.sync_api import Route, sync_playwright

from press.chromium import launch

ADDRESS = "https://book.invalid/"
"""Where the pages seem to be; no such host can exist."""

SHEET = Path(__file__).with_name("sheet.css").read_text("utf-8")
NAME_FORMULAS = Path(__file__).with_name("formulas.js").read_text("utf-8")

# As the browser's print dialogue does, but the layout can be queried. A PDF knows the
# place of an anchor only if a link of the same page leads to it.
LAY = """
async () => {
  dispatchEvent(new Event("beforeprint"));
  const links = document.createElement("div");
  links.hidden = true;
  for (const { id } of document.querySelectorAll("article [id]:not(svg *)")) {
    links.append(Object.assign(document.createElement("a"), { href: `#${id}` }));
  }
  document.querySelector("article").append(links);
  for (const listing of document.querySelectorAll("article pre")) listing.role = "code";
  await document.fonts.ready;
  return [...document.querySelectorAll("article section[id] > h2")].map((heading) => {
    const text = heading.cloneNode(true);
    text.querySelectorAll(".headerlink, mjx-math").forEach((part) => part.remove());
    return [heading.parentElement.id, text.textContent.trim()];
  });
}
"""


@dataclass(frozen=True)
class Printed:
    """A page as a PDF, and its sections: the anchor and the heading of each."""

    content: bytes
    sections: list[tuple[str, str]]


class Printer:
    """A tab of the browser that prints pages.

    Args:
        tab: the tab.
    """

    def __init__(self, tab: Tab) -> None:
        self.tab = tab

    def page(self, name: str, head: str, first: int) -> Printed:
        """Print a page of the book.

        Args:
            name: of the page.
            head: the text at the top of all sheets but the first.
            first: the number of its first sheet.
        """
        self.tab.goto(f"{ADDRESS}{name}.html")
        sections = [(str(a), str(text)) for a, text in self.tab.evaluate(LAY)]
        self.tab.evaluate(NAME_FORMULAS)
        shown = json.dumps(head, ensure_ascii=False)
        style = SHEET.replace("HEAD", shown).replace("BEFORE", str(first - 1))
        self.tab.add_style_tag(content=style)
        return Printed(self.pdf(), sections)

    def text(self, html: str) -> bytes:
        """Print a page that is given as text."""
        self.tab.set_content(html)
        return self.pdf()

    def pdf(self) -> bytes:
        """Print the page in the tab."""
        return self.tab.pdf(
            prefer_css_page_size=True, print_background=True, tagged=True
        )


@contextlib.contextmanager
def printer(html: Path) -> Iterator[Printer]:
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
        tab.route("**/*", answer)
        yield Printer(tab)
        browser.close()
