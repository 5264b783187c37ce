"""Compares a notebook from a live page with the book's, by the rules of nbval."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from nbformat import NotebookNode
from nbval.plugin import IPyNbCell, coalesce_streams, get_sanitize_patterns, nocolors

from notebooks.notebook import ROOT, code_cells, tags

NOT_COMPARED = (
    "metadata",
    "traceback",
    "prompt_number",
    "output_type",
    "name",
    "execution_count",
    "application/vnd.jupyter.widget-view+json",
    "image/png",
    "image/jpeg",
)
"""What nbval leaves out; it writes this inside of a method."""


@dataclass
class Comparison:
    """How many cells were compared, how many are exempt, and what differs."""

    compared: int = 0
    exempt: int = 0
    differences: list[str] = field(default_factory=list)


class Comparer:
    """nbval's own comparison, without the notebook file and the kernel around it."""

    compare_outputs = IPyNbCell.compare_outputs
    sanitize = IPyNbCell.sanitize
    colors = nocolors

    def __init__(self) -> None:
        config = (ROOT / "chapters" / "nbval_sanitize.cfg").read_text("utf-8")
        patterns = dict(get_sanitize_patterns(config))
        self.parent = SimpleNamespace(
            skip_compare=NOT_COMPARED, sanitize_patterns=patterns
        )
        self.comparison_traceback: list[str] = []

    def format_output_compare(self, key: str, left: Any, right: Any) -> None:
        """Write down a difference."""
        self.comparison_traceback.append(f"{key}: {left!r} became {right!r}")


def compare(live: NotebookNode, book: NotebookNode) -> Comparison:
    """Compare the outputs of all code cells."""
    result = Comparison()
    comparer = Comparer()
    for number, (new, old) in enumerate(
        zip(code_cells(live), code_cells(book), strict=True), 1
    ):
        assert new.source == old.source, number
        if "nbval-ignore-output" in tags(old):
            result.exempt += 1
            continue
        result.compared += 1
        outputs = [coalesce_streams(cell.outputs) for cell in (new, old)]
        if not comparer.compare_outputs(*outputs):
            said = "\n".join(comparer.comparison_traceback)
            result.differences.append(f"cell {number}: {said}")
    return result
