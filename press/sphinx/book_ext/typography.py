"""Keep a formula and the punctuation beside it on one line.

To a browser a formula is a box, and a line may break on either side of a box: a full
stop would begin the next line.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

BEFORE = re.compile(r"[(\[“‘]+$")
AFTER = re.compile(r"^[.,;:!?)\]’”]+")


class KeepPunctuation(SphinxPostTransform):
    """Wrap each formula in a line, with its punctuation, in an unbreakable span."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Wrap the formulas of one page."""
        for math in list(self.document.findall(nodes.math)):
            siblings, at = math.parent, math.parent.index(math)
            before = self._cut(siblings, at - 1, BEFORE)
            after = self._cut(siblings, at + 1, AFTER)
            if before or after:
                parts = [nodes.Text(before), math, nodes.Text(after)]
                siblings[at] = nodes.inline("", "", *parts, classes=["unbroken"])

    def _cut(self, siblings: nodes.Element, at: int, pattern: re.Pattern[str]) -> str:
        """Remove the punctuation from the text at a position, and return it."""
        if not 0 <= at < len(siblings) or not isinstance(siblings[at], nodes.Text):
            return ""
        found = pattern.search(siblings[at])
        if not found:
            return ""
        siblings[at] = nodes.Text(pattern.sub("", siblings[at]))
        return found[0]
