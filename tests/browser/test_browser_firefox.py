"""Pages in Firefox, where there is one: what it does otherwise than Chromium."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from tests.browser.helpers.firefox import firefox
from tests.browser.helpers.live_site import serving

WORDS = "The derivative of an array"  # of the summary of chapter 06
IN_VIEW = """
(() => {
    const { top, bottom } = document.querySelector("#summary").getBoundingClientRect();
    return String(top < innerHeight && bottom > 0);
})()
"""


def test_the_text_that_an_address_names_comes_into_view(tmp_path: Path) -> None:
    with serving() as site, firefox(tmp_path) as browser:
        browser.open(f"{site.address}chapters/06_vjp.html#:~:text={quote(WORDS)}")
        browser.wait_for(IN_VIEW, "true", 20)
