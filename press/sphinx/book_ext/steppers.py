"""The code that all steppers of a page share is sent once.

Each output of `stepper.step` carries the code, since in a notebook it may be alone in
its frame. In a page the first one's serves all.
"""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

from autograd_lib.stepper.page import assets


def send_code_once(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any
) -> None:
    """Drop every copy of the steppers' code but the first from a page's body."""
    context["body"] = once(context.get("body", ""), assets()[1])


def once(text: str, part: str) -> str:
    """Return `text` with the first occurrence of `part` and no other."""
    before, found, after = text.partition(part)
    return before + found + after.replace(part, "")
