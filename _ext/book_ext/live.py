"""Pages with cells load the script that offers to run them, if there is all it takes.

The page "Your progress" loads the one that shows which exercises are solved.

`live.tools` puts the files in `_build/live` before the pages are built, or does not.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config

BUTTON = "live/button.js"
PROGRESS = "progress"
NAMES = "live/live/current.json"


def look_for_files(app: Sphinx, config: Config) -> None:
    """Note whether there are live pages; a change has all pages written anew."""
    config["book_live"] = Path(app.srcdir, "_build/live", BUTTON).is_file()


def load_button(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Load the button's script on a page that was made from a notebook."""
    source = context.get("sourcename") or ""
    if not app.config["book_live"]:
        return
    if page == PROGRESS:
        script = context["pathto"]("live/progress.js", True)
        chapters = escape(
            json.dumps(all_exercises(Path(app.srcdir)), ensure_ascii=False)
        )
        tag = (
            f'<script data-own defer src="{script}" data-chapters="{chapters}">'
            "</script>"
        )
        context["metatags"] = f"{context.get('metatags', '')}\n{tag}"
    if not source.endswith(".ipynb"):
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


def all_exercises(root: Path) -> list[dict[str, Any]]:
    """Return for each chapter its page, its title and the ids of its exercises."""
    found = []
    for path in sorted((root / "chapters").glob("*.ipynb")):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        title = "".join(cells[0]["source"]).splitlines()[0].lstrip("# ")
        number = path.name.partition("_")[0]
        exercises = [
            cell["id"]
            for cell in cells
            if "exercise" in cell["metadata"].get("tags", ())
        ]
        about = {"page": f"chapters/{path.stem}.html", "title": f"{number} {title}"}
        found.append(about | {"exercises": exercises})
    return found


def loaded(root: Path, notebook: Path) -> str:
    """Return how much a reader of a page loads, in words."""
    found = json.loads((root / "_build" / NAMES).read_text("utf-8"))["bytes"]
    first = found["python"]
    if "import numpy" in notebook.read_text("utf-8"):
        first += found["numpy"]
    return f"{first / 1e6:.0f} MB, with plots at most {found['all'] / 1e6:.0f} MB"
