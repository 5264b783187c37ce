"""The page that has the control for keeping the whole book loads its script.

What the control says, the sizes and the edition, is known once all pages are there:
`press.site.offline` writes it into the page.
"""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

PAGE = "pages/using"
SCRIPT = "live/keeper.js"


def load_script(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Load the script on its page, where there are live pages."""
    if page != PAGE or not app.config["book_live"]:
        return
    tag = f'<script data-own defer src="{context["pathto"](SCRIPT, True)}"></script>'
    context["metatags"] = f"{context.get('metatags', '')}\n{tag}"
