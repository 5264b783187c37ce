"""Give code cells the ids that they have in their notebook, and their form on a page.

A live page keeps a reader's answers by these ids (`cell-exercise-4-1`), and a link can
lead to a cell. A folded cell without an output gets a class, by which the next fold
moves up to its own. The code of a cell tagged `figure` or `imports` is no line of the
page: an icon opens it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.transforms import SphinxTransform

FOLDED = {"tag_hide-input", "tag_hide-cell", "tag_figure", "tag_imports"}
BEHIND_AN_ICON = {
    "tag_figure": ("The figure’s code", "Hide the figure’s code"),
    "tag_imports": ("Imports", "Hide the imports"),
}
"""The names of an icon, while its code is folded and while it is open."""


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
                put_behind_an_icon(node)


def put_behind_an_icon(node: nodes.Element) -> None:
    """Fold a cell's code under the name of its icon, if its tag asks for one."""
    for tag in BEHIND_AN_ICON.keys() & {*node["classes"]}:
        node["hide_mode"] = "input"
        node["prompt_show"], node["prompt_hide"] = BEHIND_AN_ICON[tag]
        node["classes"].append("book-icon")
