"""Every notebook, run by its reader: the live outputs are the committed ones.

One reader goes through them, so what the first page loads is there for the others.
Where no array is used, the site has no NumPy. A chapter that goes deep into Python's
stack is run always, and all of them weekly; two more are run always by
`test_browser_live_weight.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from playwright.sync_api import BrowserContext, Error

from notebooks.notebook import ROOT, code_cells, notebook_paths, read, tags
from tests.browser.helpers.live_outputs import DOES_LESS, compare
from tests.browser.helpers.live_site import Site, browsing, opened, serving
from tools.test import AGAIN

ALWAYS = ("01_derivatives",)
# No Numba and no MPI in a browser: they say so in their cells; a graph, not a cell.
OTHERS = ("23_machine_code", "24_many_machines", "index")


def arrays(path: Path) -> bool:
    """Whether a notebook asks for NumPy, or for what needs it."""
    return any(
        re.search("import (numpy|matplotlib)", cell.source)
        for cell in code_cells(read(path))
    )


NOTEBOOKS: list[Any] = [
    pytest.param(
        arrays(path),
        path,
        id=path.stem,
        marks=[pytest.mark.exhaustive] * (not path.stem.startswith(ALWAYS)),
    )
    for path in sorted(notebook_paths(), key=arrays)
    if not path.stem.startswith(OTHERS)
]


class Reader:
    """Somebody whose browser is started with the first page, and after a failure."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.stack = ExitStack()
        self.context: BrowserContext | None = None

    def problems(self, path: Path, folder: Path) -> list[str]:
        """Run a page; return what is not as in the book."""
        book = read(path)
        if self.context is None:
            self.context = self.stack.enter_context(browsing())
        page = path.relative_to(ROOT).with_suffix(".html").as_posix()
        try:
            live = opened(self.context, self.site.address + page).start()
            said = live.run_all()
            result = compare(live.notebook(folder), book)
            live.page.close()
        except Error as error:  # the browser's, such as a wait that took too long
            return [str(error)]
        assert result.compared
        cells = [cell for cell in code_cells(book) if "remove-input" not in tags(cell)]
        ended = [] if said == f"{len(cells)} cells have run." else [said]
        return [*ended, *result.differences, *live.problems]

    def leave(self) -> None:
        """Close the browser."""
        self.stack.close()
        self.context = None


@pytest.fixture(scope="module")
def reader(request: pytest.FixtureRequest) -> Iterator[Reader]:
    """Return a reader of a site with NumPy, or of one without."""
    with serving() as site:
        if not request.param:
            site.alter("live/pyodide-*/numpy-*.whl", None)
        reader = Reader(site)
        yield reader
        reader.leave()


@pytest.mark.parametrize(("reader", "path"), NOTEBOOKS, indirect=["reader"])
def test_all_cells_run_and_put_out_what_the_book_shows(
    reader: Reader,
    tmp_path: Path,
    path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    """A browser that fails is given one more try; the summary of the run names both."""
    found = reader.problems(path, tmp_path)
    if found:
        record_property(AGAIN, found)
        reader.leave()
        found = reader.problems(path, tmp_path)
    assert found == []


@pytest.mark.parametrize(
    ("first", "name", "differs"),
    [(DOES_LESS, "mean", False), (DOES_LESS, "sum", True), ("", "mean", True)],
)
def test_where_a_browser_does_less_only_numbers_may_differ(
    first: str, name: str, differs: bool
) -> None:
    """Five numbers and their mean in the book, two and theirs on the live page."""
    live, book = (
        new_notebook(cells=[new_code_cell(first), new_code_cell("t", outputs=[output])])
        for output in (
            new_output(
                "execute_result", {"text/markdown": f"| each | {header} |\n{row}"}
            )
            for header, row in (
                (name, "| 3, 8 | 5.5 |"),
                ("mean", "| 3, 8, 6, 4, 1 | 4.4 |"),
            )
        )
    )
    result = compare(live, book)
    assert result.compared == 2
    assert bool(result.differences) == differs
