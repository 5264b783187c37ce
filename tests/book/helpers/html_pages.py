"""What the tests of the site ask of a page of HTML: its anchors and its addresses."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path


@dataclass
class HtmlPage:
    """A page: `links` are for readers to follow, `loads` are fetched with the page."""

    path: Path
    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)

    @property
    def addresses(self) -> list[str]:
        """Both kinds of addresses."""
        return self.links + self.loads


def read_page(path: Path) -> HtmlPage:
    """Return what is in an HTML file, what its scripts write included."""
    page = HtmlPage(path)
    _Collector(page).feed(path.read_text("utf-8"))
    return page


class _Collector(HTMLParser):
    def __init__(self, page: HtmlPage) -> None:
        super().__init__()
        self.page = page

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.page.anchors.update(
            given[name] for name in ("id", "name") if name in given
        )
        for name in ("src", "srcset", "poster", "data", "xlink:href"):
            if name in given:
                self.page.loads.append(given[name])
        if "href" in given:
            to_follow = tag == "a" or given.get("rel") in ("next", "prev", "search")
            (self.page.links if to_follow else self.page.loads).append(given["href"])
