"""Compares a notebook from a live page with the book's, by the rules of nbval.

A page may do less in a browser, as its code then says. From there on, tables may have
other numbers, but not other words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import deepcopy
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

DOES_LESS = 'sys.platform == "emscripten"'
NUMBERS = re.compile(r"\d+(?:[.,] ?\d+)*")
WIDTHS = re.compile(r"(?<= ) +|(?<=-)-+")


@dataclass
class Comparison:
    """How many cells were compared, by words alone or not, and what differs."""

    compared: int = 0
    by_words: int = 0
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
    less = False
    for number, (new, old) in enumerate(
        zip(code_cells(live), code_cells(book), strict=True), 1
    ):
        assert new.source == old.source, number
        less = less or DOES_LESS in old.source
        if "nbval-ignore-output" in tags(old):
            result.exempt += 1
            continue
        result.compared += 1
        outputs = [coalesce_streams(cell.outputs) for cell in (new, old)]
        if less and "text/markdown" in str(old.outputs):
            result.by_words += 1
            outputs = [without_numbers(part) for part in outputs]
        if not comparer.compare_outputs(*outputs):
            said = "\n".join(comparer.comparison_traceback)
            result.differences.append(f"cell {number}: {said}")
    return result


def without_numbers(outputs: Sequence[NotebookNode]) -> list[NotebookNode]:
    """Return outputs with one mark for a number or a list, and columns of one width."""
    found = deepcopy(list(outputs))
    for output in found:
        for kind, text in output.get("data", {}).items():
            output["data"][kind] = WIDTHS.sub("", NUMBERS.sub("#", text))
    return found
