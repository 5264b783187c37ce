"""Draw a chain of numbers: values to the right, gradients back (chapter 02)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt


def chain(
    names: Sequence[str], values: Sequence[float], slopes: Sequence[float], title: str
) -> Any:
    """Return a figure of a chain, in which each number is made from the one before.

    Args:
        names: the numbers' names.
        values: their values.
        slopes: of each number but the first, in the one before it.
        title: the figure's title.
    """
    fig, ax = plt.subplots(figsize=(5.2, 2.3))
    gradient = 1.0
    for i in reversed(range(len(names))):
        look = {"boxstyle": "round", "fc": "none", "ec": "C4"}
        ax.text(i, 0, f"${names[i]}$", ha="center", va="center", bbox=look)
        ax.text(i, 0.5, f"{values[i]:.4g}", ha="center", color="C0")
        ax.text(i, -0.8, f"{gradient:.4g}", ha="center", color="C1")
        if i:
            _arrow(ax, i - 1, i, 0.1, "C0")
            _arrow(ax, i, i - 1, -0.1, "C1")
            factor = rf"$\times{{{slopes[i - 1]:.4g}}}$"
            ax.text(i - 0.5, -0.42, factor, ha="center", color="C1", fontsize=9)
            gradient *= slopes[i - 1]
    ax.set(title=title, xlim=(-0.4, len(names) - 0.6), ylim=(-1, 0.85))
    ax.axis("off")
    return fig


def _arrow(ax: Any, start: int, end: int, height: float, colour: str) -> None:
    look = {"arrowstyle": "->", "shrinkA": 11, "shrinkB": 11, "color": colour}
    ax.annotate("", (end, height), (start, height), arrowprops=look)
