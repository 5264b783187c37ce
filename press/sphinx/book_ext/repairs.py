"""Repairs of the theme's and the writer's HTML, each with its reason."""

from __future__ import annotations

from types import BuiltinMethodType
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


def skip_borrowed(
    app: Sphinx, what: str, name: str, member: Any, skip: bool, options: object
) -> bool | None:
    """Leave out of a module's page what it only imports, such as `numpy`.

    A method of an object of another module, bound to a name, has no module of its own,
    so that autodoc takes it for the page's.
    """
    borrowed = isinstance(member, BuiltinMethodType) and member.__module__ is None
    return True if what == "module" and borrowed else None
