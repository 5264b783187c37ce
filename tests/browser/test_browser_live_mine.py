"""The reader's own engine goes from page to page in a browser, and is judged there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from autograd_lib.small.cut import cut
from tests.browser.helpers.browser import PHONE
from tests.browser.helpers.live_site import LivePage, Site, browsing, opened, serving

PAGES = {"order": "chapters/02_float_var.html", "graph": "chapters/03_value.html"}
BEGIN = 'from autograd_lib.small.cells import begin\n\nengine = begin("{}")'
MINE = cut("graph") + "\n\nsend_back = print  # which is kept for earlier pages\n"
FIRST = re.compile(rb'(<div class="cell_input[^>]*>.*?<pre>).*?(</pre>)', re.DOTALL)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """Serve the book with two pages whose first cell begins with an engine."""
    with serving() as site:
        for step, name in PAGES.items():
            page = (site.html / name).read_bytes()
            cell = BEGIN.format(step).replace('"', "&quot;").encode()
            changed, found = FIRST.subn(lambda m, c=cell: m[1] + c + m[2], page, 1)
            assert found == 1
            site.instead[name] = changed
        yield site


@pytest.fixture(scope="module")
def context() -> Iterator[BrowserContext]:
    with browsing() as context:
        yield context


def at(context: BrowserContext, site: Site, step: str) -> LivePage:
    return opened(context, site.address + PAGES[step]).start()


def panel(live: LivePage) -> str:
    return live.page.locator(".live-mine summary").inner_text()


def tried(live: LivePage) -> str:
    """Press *Try it*; return what the cell says."""
    live.press("Try it")
    live.wait_for("Cell 1 (has run|ended)")
    return live.output(1)


def test_an_engine_goes_from_page_to_page_and_breaks(
    context: BrowserContext, site: Site, tmp_path: Path
) -> None:
    live = at(context, site, "order")
    assert panel(live) == "Engine: the book's"
    live.page.locator(".live-mine summary").click()
    upload = {"name": "engine (3).py", "mimeType": "text/x-python"}
    live.page.locator(".live-mine input").set_input_files(
        {**upload, "buffer": MINE.encode()}
    )
    assert panel(live) == "Engine: yours, not tried on this page yet"
    assert re.fullmatch(r"engine: yours, 7 of 7; \d+ to come", tried(live))
    with live.page.expect_download() as download:
        live.press("Download mine.py")
    assert Path(download.value.path()).read_text("utf-8") == MINE
    assert live.problems == []
    live.page.close()

    live = at(context, site, "graph")
    live.page.set_viewport_size(PHONE)
    assert panel(live) == "Engine: yours, not tried on this page yet"
    live.page.locator(".live-mine summary").click()
    assert tried(live).startswith("engine: yours, 11 of 11; ")
    assert panel(live) == tried(live).replace("e", "E", 1)
    progress = opened(context, site.address + "pages/progress.html").page
    progress.get_by_text(re.compile(r"^Your engine: 11 of \d+ accidents")).wait_for()
    progress.close()

    broken = MINE.replace("v.grad += g", "v.grad = g")
    assert broken != MINE
    live.page.get_by_role("textbox", name="mine.py, your engine.").focus()
    live.page.keyboard.press("Control+A")
    live.page.keyboard.insert_text(broken)
    said = tried(live)
    assert said.startswith("engine: the book's; yours, ")
    assert re.search(r"^✗ \w+\.[\w ]+: Got \S+, right is \S+\. [A-Z]", said, re.M)
    live.press("Remove mine.py")
    assert tried(live) == ""
    assert panel(live) == "Engine: the book's"
    assert live.problems == []
