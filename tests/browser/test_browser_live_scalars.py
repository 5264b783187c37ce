"""Pages without arrays, run by a reader whose page cannot have NumPy."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.browser.helpers.live_outputs import compare
from tests.browser.helpers.live_site import browsing, opened, serving
from tools.notebooks import ROOT, code_cells, notebook_paths, read

WITHOUT_NUMPY = [
    path
    for path in notebook_paths()
    if not any(
        re.search("import (numpy|matplotlib)", cell.source)
        for cell in code_cells(read(path))
    )
]


@pytest.mark.parametrize("path", WITHOUT_NUMPY, ids=lambda path: path.stem)
def test_pages_that_use_no_arrays_run_without_numpy(tmp_path: Path, path: Path) -> None:
    with serving() as site, browsing(site) as context:
        site.alter("live/pyodide-*/numpy-*.whl", None)
        page = path.relative_to(ROOT).with_suffix(".html").as_posix()
        live = opened(context, site.address + page).start()
        live.run_all()
        assert compare(live.notebook(tmp_path), read(path)).differences == []
