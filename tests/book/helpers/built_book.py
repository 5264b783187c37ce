"""The built book, as the tests of the site need it: complete and up to date."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from notebooks.notebook import ROOT
from press.edition import stamp_of
from tools.test import BUILDING

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
    """Return the directory of the built book; fail where a build is due.

    While `make test` builds it, wait.
    """
    if BUILDING in os.environ:
        ended = Path(os.environ[BUILDING])
        while not ended.exists() or not (code := ended.read_text()):
            time.sleep(0.5)
        if code != "0":
            pytest.fail("the book could not be built: its messages stand above")
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
