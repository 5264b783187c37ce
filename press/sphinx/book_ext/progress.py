"""Give the page "Your progress" its script and the exercises of all chapters."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx_external_toc.parsing import parse_toc_yaml

from .live import script as moving

PAGE = "pages/progress"
SCRIPT = "live/progress.js"


def always_anew(*_: object) -> list[str]:
    """Let Sphinx write the page at each build, since exercises may have changed."""
    return [PAGE]


def load_script(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Load the script on its page, if there are live pages."""
    if page != PAGE or not app.config["book_live"]:
        return
    script = context["pathto"](SCRIPT, True)
    chapters = escape(json.dumps(all_exercises(Path(app.srcdir)), ensure_ascii=False))
    tag = f'<script data-own defer src="{script}" data-chapters="{chapters}"></script>'
    context["metatags"] = f"{context.get('metatags', '')}\n{moving(context)}\n{tag}"


def all_exercises(root: Path) -> list[dict[str, Any]]:
    """Return for each page its address, its title and the ids of its exercises."""
    found = []
    for page in parse_toc_yaml(root / "_toc.yml"):
        path = root / f"{page}.ipynb"
        if path.parent.name != "chapters":
            continue
        cells = json.loads(path.read_text("utf-8"))["cells"]
        title = "".join(cells[0]["source"]).splitlines()[0].lstrip("# ")
        number = path.name.partition("_")[0]
        exercises = [
            cell["id"]
            for cell in cells
            if "exercise" in cell["metadata"].get("tags", ())
        ]
        name = f"{number} {title}" if number.isdigit() else title
        address = f"chapters/{path.stem}.html"
        found.append({"page": address, "title": name, "exercises": exercises})
    return found
