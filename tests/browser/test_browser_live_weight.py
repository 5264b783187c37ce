"""What the button says is what is fetched, by a host that compresses text.

A page without plots and one with them; what they put out is compared, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest
from playwright.sync_api import Browser

from notebooks.notebook import ROOT, read
from press.weigh import Compressing
from press.weigh import serving as compressed
from tests.browser.helpers.live_outputs import compare
from tests.browser.helpers.live_site import a_reader, opened, serving, started

COMPARED = "00_start_here", "04_order"  # the second one with NumPy
APART = 0.1  # megabytes: what a page had loaded before the click may come twice


class Counting(Compressing):
    """Writes down what is sent; what was sent lately need not be asked for again."""

    sent: ClassVar[list[int]] = []

    def do_GET(self) -> None:
        """Send a file."""
        super().do_GET()
        path = Path(self.translate_path(self.path))
        self.sent.append(len(self.packed.get(path, b"")))

    def end_headers(self) -> None:
        """Say how long it lasts."""
        self.send_header("Cache-Control", "max-age=600")
        super().end_headers()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as site, compressed(site.html, Counting) as address:
        yield address


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with started() as browser:
        yield browser


@pytest.mark.exhaustive
@pytest.mark.parametrize("page", COMPARED)
def test_the_button_says_what_is_fetched(
    chromium: Browser, address: str, tmp_path: Path, page: str
) -> None:
    with a_reader(chromium) as context:
        live = opened(context, f"{address}chapters/{page}.html")
        title = live.page.locator(".live-start").get_attribute("title") or ""
        *_, said = re.findall(r"([\d.]+) MB", title)  # the last: with plots
        Counting.sent.clear()
        live.start().run_all()
        live.wait_until_kept()
        assert sum(Counting.sent) / 1e6 == pytest.approx(float(said), abs=APART)
        result = compare(live.notebook(tmp_path), read(ROOT / f"chapters/{page}.ipynb"))
        assert result.compared
        assert result.differences == live.problems == []
