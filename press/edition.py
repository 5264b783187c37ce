"""The edition of the book, and the time of its last build."""

from __future__ import annotations

import subprocess
from datetime import date
from pathlib import Path

from autograd_lib import __version__
from notebooks import repository
from press.site.publishing import Edition


def edition_of(root: Path) -> Edition:
    """Return the edition; its day is that of the last commit."""
    command = ["git", "-C", str(root), "log", "-1", "--format=%cs"]
    try:
        said = subprocess.run(command, capture_output=True, check=True, text=True)
        day = date.fromisoformat(said.stdout.strip())
    except (OSError, subprocess.CalledProcessError, ValueError):
        day = None  # an archive, or no git
    news = root / "CHANGELOG.md"
    return Edition(
        version=__version__,
        day=day,
        site=repository.site_of(repository.address(root)),
        news=news.read_text("utf-8") if news.is_file() else "",
    )


def stamp_of(html: Path) -> Path:
    """Return the file whose time is the beginning of the last complete build.

    Without this file GitHub Pages would leave out directories such as _static.
    """
    return html / ".nojekyll"
