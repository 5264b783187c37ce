"""The pages without Jupyter Book: Sphinx builds them from what `_config.yml` says.

Jupyter Book 1 ends one day. What it does for this book is to turn `_config.yml` into a
`conf.py`; this test holds that nothing else is needed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.book.helpers.built_book import built_book
from tools.build import SPHINX, built_pages

ROOT = Path(__file__).resolve().parents[2]


JUPYTER_BOOK = "import sys; from jupyter_book.cli.main import main; sys.exit(main())"


def run(*command: str, cwd: Path) -> None:
    """Run Python with arguments; its error is the test's."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=cwd,
        env=os.environ
        | {"PYTHONPATH": str(cwd / "press/sphinx")},  # Jupyter Book sees to it
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.exhaustive
def test_sphinx_alone_builds_the_same_pages(tmp_path: Path) -> None:
    """Word for word and mark for mark, as Sphinx wrote them for Jupyter Book."""
    built_book()
    expected, book = ROOT / SPHINX / "_build" / "html", tmp_path / "book"
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (book / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, book / name)

    run("-c", JUPYTER_BOOK, "config", "sphinx", str(book), cwd=book)
    run("-m", "sphinx", "-q", "-b", "html", str(book), str(tmp_path / "out"), cwd=book)

    pages = built_pages(tmp_path / "out")
    assert pages == built_pages(expected)
    differ = [
        page
        for page in sorted(pages)
        if without_live_scripts(tmp_path / "out", page)
        != without_live_scripts(expected, page)
    ]
    assert not differ


def without_live_scripts(html: Path, page: str) -> str:
    """Return a page without the scripts that stand where live pages were fetched."""
    text = (html / f"{page}.html").read_text("utf-8")
    return re.sub(r"<script [^>]*live/\w+\.js[^>]*></script>\n", "", text)
