"""Let pages with cells load the script that offers to run them.

It needs the files that `live.tools` puts into `_build/live` before the build.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config

BUTTON = "live/button.js"
SIZES = "_build/live.json"
MINUTES = "live/minutes.toml"
ONE_MINUTE = 75  # seconds, by which nobody is surprised


def look_for_files(app: Sphinx, config: Config) -> None:
    """Note whether there are live pages; a change lets Sphinx write all pages anew."""
    config["book_live"] = Path(app.srcdir, "_build/live", BUTTON).is_file()


def load_button(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Load the button's script on a page that was made from a notebook."""
    source = context.get("sourcename") or ""
    if not app.config["book_live"] or not source.endswith(".ipynb"):
        return
    notebook = context["pathto"](f"_sources/{source}", True)
    size = loaded(Path(app.srcdir), page)
    minutes = minutes_of(Path(app.srcdir), page)
    about = f'data-notebook="{notebook}" data-size="{size}" data-minutes="{minutes}"'
    context["metatags"] = f"{context.get('metatags', '')}\n{script(context, about)}"


def script(context: dict[str, Any], about: str = "") -> str:
    """Return the tag of the button's script, which also lets kept work follow a page.

    The site fills in where chapters have moved to.

    Args:
        context: of the page.
        about: attributes for the button, on a page that has one.
    """
    address = context["pathto"](BUTTON, True)
    return f'<script data-own defer src="{address}" data-moved="" {about}></script>'


def loaded(root: Path, page: str) -> str:
    """Return the size of the files that a page loads, in words."""
    still, plots = json.loads((root / SIZES).read_text("utf-8"))[page]
    with_plots = f", with plots {megabytes(plots)}" if plots > still else ""
    return f"{megabytes(still)}{with_plots}"


def minutes_of(root: Path, page: str) -> str:
    """Return how many minutes all cells of a page take, or "" if it is hardly one."""
    kept = tomllib.loads((root / MINUTES).read_text("utf-8")).get(page)
    if kept is None or kept["seconds"] <= ONE_MINUTE:
        return ""
    about = "more than" if kept.get("at_least") else "about"
    return f"{about} {round(kept['seconds'] / 60)} min"


def megabytes(size: int) -> str:
    """Return a size in words."""
    return f"{size / 1e6:.1f} MB"
