"""Show buttons that lead to the repository only if its address is known."""

from __future__ import annotations

import os
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config

NO_COLAB = "AUTOGRAD_NO_COLAB"
COLAB = "https://colab.research.google.com"
EDIT = "source-edit-button"


def switch_by_address(app: Sphinx, config: Config) -> None:
    """Show or hide these buttons by one setting, `repository.url`.

    The theme fails on an empty address when a button is on, and Colab opens notebooks
    from GitHub only. It opens them as they are committed: if they don't contain the
    address, AUTOGRAD_NO_COLAB=1 leaves its button out.
    """
    options = config.html_theme_options
    url = str(options.get("repository_url") or "")
    for button in ("repository", "edit_page", "issues"):
        options[f"use_{button}_button"] = bool(url)
    launch = options.setdefault("launch_buttons", {})
    opens = url.startswith("https://github.com/") and not os.environ.get(NO_COLAB)
    launch["colab_url"] = COLAB if opens else ""


def hide_edit_of_notebooks(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Leave out the button that opens the raw JSON of a notebook in an editor."""
    if context.get("page_source_suffix") == ".ipynb":
        for group in context.get("header_buttons", []):
            if "buttons" in group:
                group["buttons"] = [
                    b for b in group["buttons"] if b.get("label") != EDIT
                ]
