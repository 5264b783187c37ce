"""A reader's own engine beside the notebooks changes nothing of the book's."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from autograd_lib.small.cells import SWITCH
from autograd_lib.small.cut import cut
from notebooks.fingerprint import fingerprint
from notebooks.notebook import ENVIRONMENT, ROOT, chapter_paths, code_cells, read
from tools import refresh
from tools.refresh import execute

HOSTILE = """\
from pathlib import Path

Path("was here").touch()
print("an engine of mine")
raise SystemExit("and out")
"""
CELLS = (
    'from autograd_lib.small.cells import begin\n\nengine = begin("order")',
    "%%engine\nanswer = 42",
    "engine.Number(3.0).data + engine.answer",
)
SEND_BACK = """

def send_back(y, g=1.0):
    y.grad += g
    for v in latest_first(y):
        for parent, slope in v.edges:
            parent.grad += slope * v.grad
"""
"""What page 03 says a file keeps for the pages before it."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder such as `chapters/` of a page with an engine, and `mine.py`."""
    folder = tmp_path_factory.mktemp("chapters")
    for name in ("conftest.py", "nbval_sanitize.cfg"):
        shutil.copy(ROOT / "chapters" / name, folder)
    cells = [nbformat.v4.new_code_cell(cell) for cell in CELLS]
    notebook = nbformat.v4.new_notebook(cells=cells)
    execute(notebook, folder)
    assert "text" not in code_cells(notebook)[0].outputs
    nbformat.write(notebook, folder / "03_page.ipynb")
    (folder / "mine.py").write_text(HOSTILE, encoding="utf-8")
    return folder


@pytest.fixture
def page(made: Path, tmp_path: Path) -> Path:
    """Return the page in a copy of the folder."""
    return shutil.copytree(made, tmp_path / "chapters") / "03_page.ipynb"


def nbval(page: Path) -> subprocess.CompletedProcess[str]:
    """Execute a page, and compare, as `make test` does."""
    command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env"]
    sanitized = ["--nbval-sanitize-with", "nbval_sanitize.cfg"]
    place = {k: v for k, v in os.environ.items() if k not in ENVIRONMENT}
    return subprocess.run(
        [*command, *sanitized, "-p", "no:cacheprovider", page.name],
        cwd=page.parent,
        env={**place, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_nbval_does_not_see_it(page: Path) -> None:
    done = nbval(page)
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout
    assert not (page.parent / "was here").exists()


@pytest.mark.exhaustive  # that the test above can fail
def test_without_the_switch_it_would_be_seen(page: Path) -> None:
    (page.parent / "conftest.py").unlink()
    done = nbval(page)
    assert done.returncode == 1
    assert "Unexpected output fields from running code: {'stdout'}" in done.stdout
    assert (page.parent / "was here").exists()


def test_refresh_and_the_hash_do_not_see_it(page: Path) -> None:
    notebook = nbformat.read(page, as_version=4)
    before = fingerprint(notebook)
    outputs = [cell.outputs for cell in code_cells(notebook)]
    execute(notebook, page.parent)
    assert [cell.outputs for cell in code_cells(notebook)] == outputs
    assert fingerprint(notebook) == before
    assert not (page.parent / "was here").exists()


def weekly(page: str, step: str) -> object:
    return pytest.param(page, step, marks=pytest.mark.exhaustive)


@pytest.mark.parametrize(
    ("page", "step"),
    [
        ("09_tensor", "gpt"),
        weekly("02_float_var", "graph"),
        weekly("03_value", "graph"),
        weekly("04_order", "copies"),
        weekly("08_tracing", "copies"),
        weekly("09_tensor", "tensor"),
        weekly("10_operations", "gpt"),
        weekly("11_trust", "gpt"),
        weekly("12_edges", "gpt"),
        weekly("13_leaves", "gpt"),
        weekly("14_in_place", "gpt"),
    ],
)
def test_a_page_runs_again_with_its_own_finished_file_or_a_later_one(
    page: str, step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`execute` raises if a cell fails that does not fail in the book."""
    ours = {name: value for name, value in ENVIRONMENT.items() if name != SWITCH}
    monkeypatch.setattr(refresh, "ENVIRONMENT", ours)
    monkeypatch.delenv(SWITCH, raising=False)
    text = cut(step) + (SEND_BACK if step in ("graph", "copies") else "")
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    (path,) = (path for path in chapter_paths() if path.stem == page)
    notebook = read(path)
    execute(notebook, tmp_path)
    said = [
        str(output.get("text")) for c in code_cells(notebook) for output in c.outputs
    ]
    assert any(text.startswith("engine: yours, ") for text in said)


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs a clone")
@pytest.mark.parametrize("place", ["mine.py", "chapters/mine.py"])
def test_git_does_not_see_it(place: str) -> None:
    done = subprocess.run(["git", "check-ignore", "-q", place], cwd=ROOT, check=False)
    assert done.returncode == 0
