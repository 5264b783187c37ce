"""Every chapter, run by its reader: the live outputs are the committed ones.

Those that train for a minute and more in a browser are run weekly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Error

from tests.browser.helpers.live_outputs import compare
from tests.browser.helpers.live_site import Site, browsing, opened, serving
from tools.notebooks import chapter_paths, code_cells, read
from tools.test import AGAIN

LONG = ("07_", "10_", "18_", "19_", "20_", "23_")
CHAPTERS = [
    pytest.param(
        path,
        id=path.stem,
        marks=[pytest.mark.exhaustive] * path.stem.startswith(LONG),
    )
    for path in chapter_paths()
]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with serving() as site:
        yield site


@pytest.mark.parametrize("path", CHAPTERS)
def test_all_cells_run_and_put_out_what_the_book_shows(
    site: Site,
    tmp_path: Path,
    path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    """A browser that fails is given one more try; the summary of the run names both."""
    found = problems(site, tmp_path, path)
    if found:
        record_property(AGAIN, found)
        found = problems(site, tmp_path, path)
    assert found == []


def problems(site: Site, folder: Path, path: Path) -> list[str]:
    """Run a chapter in a browser of its own; return what is not as in the book."""
    book = read(path)
    try:
        with browsing(site) as context:
            live = opened(context, f"{site.address}chapters/{path.stem}.html").start()
            said = live.run_all()
            result = compare(live.notebook(folder), book)
    except Error as error:  # the browser's, such as a wait that took too long
        return [str(error)]
    assert result.compared
    ended = [] if said == f"{len(code_cells(book))} cells have run." else [said]
    return [*ended, *result.differences, *live.problems]
