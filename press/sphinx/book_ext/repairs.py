"""Repairs of the theme's and the writer's HTML, each with its reason."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

# A list item must be a child of a list, says ARIA; docutils puts neither role where
# it belongs, so that a screen reader announces broken lists. Without them it reads on.
MISPLACED_ROLES = (' role="list"', ' role="doc-biblioentry"', ' role="doc-backlink"')

# A list within an argument's description ends its paragraph, which is closed again.
CLOSED_TWICE = "</ul>\n</p></li>"


def repair_page(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Remove misplaced roles and ends of paragraphs from a page's body."""
    body = context.get("body")
    if body:
        for role in MISPLACED_ROLES:
            body = body.replace(role, "")
        context["body"] = body.replace(CLOSED_TWICE, "</ul>\n</li>")
