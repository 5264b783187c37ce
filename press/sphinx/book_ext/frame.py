"""Put the line with a page's time and needs below its first words.

In a notebook the line stands below the title, where one looks for it. On a
page the first words are those that make one ask.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.transforms import SphinxTransform

BEGINNING = "Time:"


class TimeBelow(SphinxTransform):
    """Move the line behind the paragraphs that follow it."""

    default_priority = 845

    def apply(self, **kwargs: Any) -> None:
        """Move the line of one page, if its text begins with one."""
        for line in self.document.findall(nodes.paragraph):
            if isinstance(line.parent, nodes.section):  # not in the page's metadata
                if line.astext().startswith(BEGINNING):
                    line["classes"].append("book-time")
                    below(line)
                return


def below(line: nodes.Element) -> None:
    """Move a paragraph behind the paragraphs that follow it directly."""
    row = line.parent
    at = row.index(line)
    end = at + 1
    while end < len(row) and isinstance(row[end], nodes.paragraph):
        end += 1
    row.remove(line)
    row.insert(end - 1, line)
