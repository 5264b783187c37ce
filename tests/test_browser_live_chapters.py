"""Every chapter, run by its reader: the live outputs are the committed ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from live_outputs import compare
from live_site import Site, browsing, opened, serving
from playwright.sync_api import BrowserContext

from tools.notebooks import chapter_paths, code_cells, read

WITHOUT_NUMPY = [
    path
    for path in chapter_paths()
    if not any(
        re.search("import (numpy|matplotlib)", cell.source)
        for cell in code_cells(read(path))
    )
]


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


@pytest.mark.parametrize("path", WITHOUT_NUMPY, ids=lambda path: path.stem)
def test_chapters_that_use_no_arrays_run_without_numpy(
    tmp_path: Path, path: Path
) -> None:
    with serving() as site, browsing(site) as context:
        site.alter("live/pyodide-*/numpy-*.whl", None)
        live = opened(context, f"{site.address}chapters/{path.stem}.html").start()
        live.run_all()
        assert compare(live.notebook(tmp_path), read(path)).differences == []
