"""Every chapter, run by its reader: the live outputs are the committed ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from tests.browser.helpers.live_outputs import compare
from tests.browser.helpers.live_site import Site, browsing, opened, serving
from tools.notebooks import chapter_paths, code_cells, read


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with serving() as site:
        yield site


@pytest.fixture(scope="module")
def context(site: Site) -> Iterator[BrowserContext]:
    with browsing(site) as context:
        yield context


@pytest.mark.parametrize("path", chapter_paths(), ids=lambda path: path.stem)
def test_all_cells_run_and_put_out_what_the_book_shows(
    context: BrowserContext, site: Site, tmp_path: Path, path: Path
) -> None:
    book = read(path)
    live = opened(context, f"{site.address}chapters/{path.stem}.html").start()
    assert live.run_all() == f"{len(code_cells(book))} cells have run."
    result = compare(live.notebook(tmp_path), book)
    assert result.differences == []
    assert result.compared
    assert live.problems == []
    live.page.close()
