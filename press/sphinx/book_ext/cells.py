"""Give code cells the ids that they have in their notebook: `cell-exercise-5-1`.

A live page keeps a reader's answers by these ids, and a link can lead to a cell. A
folded cell without an output gets a class, by which the next fold moves up to its own.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.transforms import SphinxTransform

FOLDED = {"tag_hide-input", "tag_hide-cell"}


class Cells(SphinxTransform):
    """Give the code cells of a page their ids and classes."""

    default_priority = 840

    def apply(self, **kwargs: Any) -> None:
        """Name the cells, if this page was made from a notebook."""
        source = Path(self.document["source"])
        if source.suffix != ".ipynb":
            return
        cells = json.loads(source.read_text("utf-8"))["cells"]
        for node in self.document.findall(nodes.container):
            if node.get("nb_element") == "cell_code":
                cell = cells[node["cell_index"]]
                node["ids"].append(f"cell-{cell['id']}")
                if FOLDED & {*node["classes"]} and not cell["outputs"]:
                    node["classes"].append("book-only-code")
