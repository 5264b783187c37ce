"""Give the first page a style and a script that no other page loads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

HERE = Path(__file__).parent


def dress(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Write the style and the script of the first page into its head."""
    if page != app.config["root_doc"]:
        return
    css, js = (
        (HERE / f"entrance.{kind}").read_text("utf-8").strip() for kind in ("css", "js")
    )
    tags = f"<style data-own>\n{css}\n</style>\n<script data-own>\n{js}\n</script>"
    context["metatags"] = f"{context.get('metatags', '')}\n{tags}"
