"""Let the page with the control that keeps the whole book load its script.

The sizes and the edition that the control shows are known once all pages are written:
`press.site.offline` puts them into the page.
"""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

PAGE = "pages/using"
SCRIPT = "live/keeper.js"


def load_script(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Load the script on its page, if there are live pages."""
    if page != PAGE or not app.config["book_live"]:
        return
    tag = f'<script data-own defer src="{context["pathto"](SCRIPT, True)}"></script>'
    context["metatags"] = f"{context.get('metatags', '')}\n{tag}"
