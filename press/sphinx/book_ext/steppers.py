"""Send the code that all steppers of a page share once.

Each output of `stepper.step` contains the code, since in a notebook it may be alone in
its frame. On a page the first copy is enough.
"""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

from autograd_lib.stepper.page import assets


def send_code_once(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any
) -> None:
    """Remove all copies of the steppers' code but the first from a page's body."""
    context["body"] = once(context.get("body", ""), assets()[1])


def once(text: str, part: str) -> str:
    """Return `text` with only the first occurrence of `part`."""
    before, found, after = text.partition(part)
    return before + found + after.replace(part, "")
