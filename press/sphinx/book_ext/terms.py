"""Put the terms of the glossary, and their other names, into the index of the book."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

OTHER_NAMES = "Also: "


class IndexTerms(SphinxTransform):
    """Put an index entry at each term, which is a heading of the second level."""

    # Sphinx collects index entries at 850; the headings have their anchors by then.
    default_priority = 840

    def apply(self, **kwargs: Any) -> None:
        """Index the terms, if this page is the glossary."""
        if self.env.docname != "pages/glossary":
            return
        for section in list(self.document.findall(nodes.section)):
            if not isinstance(section.parent, nodes.section):
                continue
            anchor = section["ids"][0]
            entries = [
                ("single", name, anchor, "", None) for name in self._names(section)
            ]
            section.insert(1, addnodes.index(entries=entries))

    def _names(self, section: nodes.section) -> list[str]:
        names = [section[0].astext()]
        for paragraph in section.findall(nodes.paragraph):
            text = paragraph.astext()
            if text.startswith(OTHER_NAMES):
                names += text.removeprefix(OTHER_NAMES).rstrip(".").split(", ")
        return names
