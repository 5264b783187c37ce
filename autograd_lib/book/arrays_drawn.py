"""Two drawings of arrays: there and back through a program, and a table of slopes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograd_lib.book.boxes import arrow

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def there_and_back(
    arrays: Sequence[tuple[str, str]],
    operations: Sequence[str],
    parameters: Sequence[str],
    title: str,
) -> Figure:
    """Draw arrays from left to right, and their gradients from right to left.

    Args:
        arrays: the name and the shape of each array; the last one is the loss.
        operations: what leads from each to the next.
        parameters: whose gradients each step gives, too; "" for none.
        title: what the drawing shows.
    """
    import matplotlib.pyplot as plt

    fig, ax = plt.subplots(figsize=(5.8, 2.3))
    for i, (name, shape) in enumerate(arrays):
        words(ax, i, 1, f"{name}\n{shape}", "C0")
        if i == len(arrays) - 1:
            words(ax, i, 0, "1", "C1")
        elif i:
            words(ax, i, 0, f"{name}_bar\n{shape}", "C1")
    for i, (operation, found) in enumerate(zip(operations, parameters, strict=True)):
        words(ax, i + 0.5, 1.55, operation, "C4")
        words(ax, i + 0.5, -0.7, found, "C1")
        arrow(ax, (i + 0.36, 1), (i + 0.64, 1), "C0")
        if i:
            arrow(ax, (i + 0.64, 0), (i + 0.36, 0), "C1")
    ax.set(xlim=(-0.5, len(arrays) - 0.6), ylim=(-1, 1.85), title=title)
    ax.axis("off")
    return fig


def words(ax: Axes, x: float, y: float, text: str, color: str) -> None:
    """Write words around a point."""
    ax.text(x, y, text, color=color, ha="center", va="center", fontsize=8.5)


def painted(
    slopes: Any, rows: Sequence[str], columns: Sequence[str], title: str, mark: int
) -> Figure:
    """Draw a table of slopes with its numbers; places that are 0 stay empty.

    Args:
        slopes: the table, an array with two axes.
        rows: the name of each output; every second has the other colour.
        columns: the name of each input.
        title: what the drawing shows.
        mark: which column has a frame.
    """
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    slopes = np.asarray(slopes).round(6)
    fig, ax = plt.subplots(figsize=(5, 3.4))
    for (i, k), slope in np.ndenumerate(slopes):
        colour = (f"C{i % 2}", 0.25 if slope else 0)
        ax.add_patch(Rectangle((k, -i), 1, 1, ec="C4", lw=0.4, fc=colour))
        if slope:
            words(ax, k + 0.5, 0.5 - i, f"{slope:g}", "black")
    for i, name in enumerate(rows):
        ax.text(-0.15, 0.5 - i, name, ha="right", va="center", color=f"C{i % 2}")
    for k, name in enumerate(columns):
        ax.text(k + 0.5, 1.15, name, ha="center")
    frame = Rectangle((mark, 1 - len(rows)), 1, len(rows), ec="black", lw=2, fc="none")
    ax.add_patch(frame)
    ax.set(xlim=(-1, len(columns) + 0.1), ylim=(0.9 - len(rows), 1.8), title=title)
    ax.set_aspect("equal")
    ax.axis("off")
    return fig
