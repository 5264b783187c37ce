"""Buttons that lead to the repository exist only where its address is known."""

from __future__ import annotations

import os

from sphinx.application import Sphinx
from sphinx.config import Config

NO_COLAB = "AUTOGRAD_NO_COLAB"
COLAB = "https://colab.research.google.com"


def switch_by_address(app: Sphinx, config: Config) -> None:
    """Show or hide every such button by one setting, `repository.url`.

    The theme fails on an empty address when a button is on, and Colab opens
    notebooks from GitHub only. It opens them as they are committed: where they do not
    carry the address, AUTOGRAD_NO_COLAB=1 leaves its button out.
    """
    options = config.html_theme_options
    url = str(options.get("repository_url") or "")
    for button in ("repository", "edit_page", "issues"):
        options[f"use_{button}_button"] = bool(url)
    launch = options.setdefault("launch_buttons", {})
    opens = url.startswith("https://github.com/") and not os.environ.get(NO_COLAB)
    launch["colab_url"] = COLAB if opens else ""
