"""The built book, as the tests of the site need it: complete and up to date."""

from __future__ import annotations

from pathlib import Path

import pytest

from notebooks.notebook import ROOT
from press.edition import stamp_of

HTML = ROOT / "_build" / "html"
SOURCES = (
    "_*.yml",
    "CHANGELOG.md",
    "pages/*.md",
    "press/edition.py",
    "press/site/*",
    "press/sphinx/**/*.*",
    "tools/build.py",
    "autograd_lib/**/*.py",
    "autograd_lib/**/*.css",
    "autograd_lib/**/*.js",
    "autograd_lib/**/*.npz",
    "autograd_lib/*.txt",
    "live/**/*.*",
    "*.ipynb",
    "chapters/*.ipynb",
    "chapters/*.bib",
)


def built_book() -> Path:
    """Return the directory of the built book; fail where a build is due."""
    stamp = stamp_of(HTML)
    if not stamp.exists():
        pytest.fail("there is no complete book in _build/html: run make book first")
    built = stamp.stat().st_mtime
    for pattern in SOURCES:
        for path in ROOT.glob(pattern):
            made = "__pycache__" in path.parts  # by whoever imports a module
            if not made and path.stat().st_mtime > built:
                changed = path.relative_to(ROOT).as_posix()
                pytest.fail(f"{changed} is newer than the book: run make book first")
    return HTML
