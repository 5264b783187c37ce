"""Pages with cells load the script that offers to run them, if there is all it takes.

`live.tools` puts the files in `_build/live` before the pages are built, or does not.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config

BUTTON = "live/button.js"
NAMES = "live/live/current.json"


def look_for_files(app: Sphinx, config: Config) -> None:
    """Note whether there are live pages; a change has all pages written anew."""
    config["book_live"] = Path(app.srcdir, "_build/live", BUTTON).is_file()


def load_button(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Load the button's script on a page that was made from a notebook."""
    source = context.get("sourcename") or ""
    if not app.config["book_live"] or not source.endswith(".ipynb"):
        return
    script, notebook = (
        context["pathto"](name, True) for name in (BUTTON, f"_sources/{source}")
    )
    size = loaded(Path(app.srcdir), Path(app.srcdir, f"{page}.ipynb"))
    tag = (
        f'<script data-own defer src="{script}" data-notebook="{notebook}" '
        f'data-size="{size}"></script>'
    )
    context["metatags"] = f"{context.get('metatags', '')}\n{tag}"


def loaded(root: Path, notebook: Path) -> str:
    """Return how much a reader of a page loads, in words."""
    found = json.loads((root / "_build" / NAMES).read_text("utf-8"))["bytes"]
    first = found["python"]
    if "import numpy" in notebook.read_text("utf-8"):
        first += found["numpy"]
    return f"{first / 1e6:.0f} MB, with plots at most {found['all'] / 1e6:.0f} MB"
