"""A drawing of boxes in boxes, that are opened level by level (chapter 08)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from autograd_lib.book.boxes import FRAME, arrow

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT, AROUND = 0.34, 0.5, 0.12
ROUND = "round,pad=0,rounding_size=0.15"


def peeled(
    stages: Sequence[tuple[str, Sequence[tuple[str, tuple[int, ...]]], str]],
    title: str,
) -> Figure:
    """Draw stages from left to right, each with values in boxes.

    Args:
        stages: for each, what is done; the values in a row, each with the levels of
            the boxes around it, the inner one first; and what a trace writes down.
        title: what the drawing shows.
    """
    import matplotlib.pyplot as plt

    fig, ax = plt.subplots(figsize=(5, 2.3))
    for k, (done, values, written) in enumerate(stages):
        x = 2.6 * k
        ax.text(x, 1.25, done, ha="center", va="center", fontsize=8.5)
        for i, (text, levels) in enumerate(values):
            at = x + 1.1 * (i - (len(values) - 1) / 2)
            boxed(ax, at, text, levels)
            if i:
                ax.text(at - 0.55, 0, "·", ha="center", va="center")
        ax.text(x, -1.15, written, ha="center", va="center", fontsize=8.5, color="C4")
        if k:
            arrow(ax, (x - 1.5, 0), (x - 1.15, 0))
    ax.set(xlim=(-1.3, 2.6 * len(stages) - 1.3), ylim=(-1.6, 1.7), title=title)
    ax.axis("off")
    return fig


def boxed(ax: Axes, x: float, text: str, levels: Sequence[int]) -> None:
    """Write a value in boxes: blue for level 1, orange for level 2."""
    from matplotlib.patches import FancyBboxPatch

    ax.text(x, 0, text, ha="center", va="center", fontsize=9)
    for k, level in enumerate(levels):
        w, h = WIDTH + AROUND * k, HEIGHT + AROUND * 1.6 * k
        colour = f"C{level - 1}"
        look: dict[str, Any] = {
            "boxstyle": ROUND,
            "ec": colour,
            "fc": "none",
            "lw": FRAME["lw"],
        }
        ax.add_patch(FancyBboxPatch((x - w, -h), 2 * w, 2 * h, **look))
        ax.text(x + w, h, str(level), color=colour, fontsize=7, ha="right", va="bottom")
