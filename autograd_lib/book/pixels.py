"""Drawings of pictures, filters and their windows (chapter 17)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def ink(ax: Axes, numbers: Any) -> None:
    """Shade cells in one colour, as much as numbers from 0 to 1 say."""
    from matplotlib.colors import ListedColormap

    numbers = np.asarray(numbers, float)
    ax.imshow(0 * numbers, cmap=ListedColormap(["C0"]), alpha=numbers)
    ax.grid(False)


def cells(
    ax: Axes,
    numbers: Any,
    title: str = "",
    most: float | None = None,
    *,
    hide_zeros: bool = False,
) -> None:
    """Draw an array as squares with numbers: blue above 0, orange below.

    Args:
        ax: where to draw.
        numbers: an array with two axes.
        title: what it is.
        most: the size that has the full colour; by default the largest.
        hide_zeros: whether a 0 leaves its square empty.
    """
    numbers = np.asarray(numbers)
    most = most or np.abs(numbers).max() or 1
    for (i, j), n in np.ndenumerate(numbers):
        square(ax, i, j, fc=("C0" if n > 0 else "C1", 0.7 * min(abs(n) / most, 1)))
        if n or not hide_zeros:
            ax.text(j + 0.5, i + 0.54, f"{n:g}", ha="center", va="center")
    framed(ax, *numbers.shape)
    ax.set_title(title, fontsize=10, loc="center", pad=5)


def picture(ax: Axes, numbers: Any, title: str = "", most: float | None = None) -> None:
    """Draw an array as a picture: blue above 0, orange below.

    Args:
        ax: where to draw.
        numbers: an array with two axes.
        title: what it is.
        most: the size that has the full colour; by default the largest.
    """
    from matplotlib.colors import to_rgb

    numbers = np.asarray(numbers)
    most = most or np.abs(numbers).max() or 1.0
    colours = np.zeros((*numbers.shape, 4))
    colours[..., :3] = to_rgb("C0")
    colours[numbers < 0, :3] = to_rgb("C1")
    colours[..., 3] = np.minimum(np.abs(numbers) / most, 1.0)
    ax.imshow(colours, interpolation="nearest")
    ax.set(xticks=[], yticks=[])
    ax.grid(False)
    ax.spines[:].set(visible=True, color="C4")
    ax.set_title(title, fontsize=11, loc="center", pad=5)


def windows_over(ax: Axes, i: int, j: int, w: Any) -> None:
    """Draw the windows over a grid of 4 by 4 that contain a pixel.

    Args:
        ax: where to draw.
        i: the pixel's row.
        j: its column.
        w: the filter. The weight of each window that meets the pixel stands in the
            pixel, on the side on which the window lies.
    """
    cells(ax, np.zeros((4, 4)), hide_zeros=True)
    square(ax, i, j, fc=("C4", 0.04), lw=3)
    rows, columns = (range(max(0, at - 1), min(2, at) + 1) for at in (i, j))
    found = [(a, b) for a in rows for b in columns]
    for k, (a, b) in enumerate(found):
        off = 0.04 * (k + 1)
        outline(ax, b + off, a + off, 2 - 2 * off, f"C{k}")
        at = 0.64 * j + 0.36 * b + 0.68, 0.64 * i + 0.36 * a + 0.68
        look: dict[str, Any] = {"color": f"C{k}", "fontsize": 10, "weight": "bold"}
        ax.text(*at, str(w[i - a, j - b]), ha="center", va="center", **look)
    s = "s" * (len(found) > 1)
    ax.set_title(f"{len(found)} window{s}", loc="center", pad=5)


def sliding(ax: Axes, size: int, k: int, s: int, p: int, d: int) -> None:
    """Draw the first two windows of a filter over a grid, with the pixels they see.

    Args:
        ax: where to draw.
        size: of the image's sides.
        k: the size of the filter's sides.
        s: the stride.
        p: the padding.
        d: the dilation.
    """
    wide, reach = size + 2 * p, d * (k - 1) + 1
    for i, j in np.ndindex(wide, wide):
        real = p <= i < p + size and p <= j < p + size
        look = {"fc": "none"} if real else {"fc": ("C4", 0.25), "ls": ":"}
        square(ax, i, j, lw=0.7, **look)
    for n, at in enumerate((0, s)):
        off, dots = 0.1 + 0.12 * n, 0.38 + 0.24 * n + d * np.arange(k)
        outline(ax, at + off, off, reach - 2 * off, f"C{n}")
        xs, ys = np.tile(at + dots, k), np.repeat(dots, k)
        ax.scatter(xs, ys, s=14, color=f"C{n}", zorder=3)
    framed(ax, wide, wide)


def stacks(stages: Sequence[tuple[int, int, str]], title: str) -> Figure:
    """Draw maps as stacks of squares, and what is done between them.

    Args:
        stages: for each its number of maps, the size of their sides, and what is done
            before it. The last one is numbers, not maps.
        title: what the drawing shows.
    """
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    fig, ax = plt.subplots(figsize=(6, 2.3), subplot_kw={"aspect": 1})
    for n, (maps, side, before) in enumerate(stages):
        high = 0.05 * side + 0.1
        for k in range((maps.bit_length() - 1) // 2, -1, -1):
            at = n - high / 2 + 0.05 * k, -high / 2 + 0.05 * k
            ax.add_patch(Rectangle(at, high, high, fc="C0", ec="w", lw=0.8))
        last = n == len(stages) - 1
        text = str(maps) if last else f"{maps}×{side}×{side}"
        ax.text(n, -0.55, text, ha="center", va="top")
        ax.text(n - 0.5, 0.6, before, ha="center", va="bottom", fontsize=10.5)
    ax.set(xlim=(-0.5, len(stages) - 0.6), ylim=(-0.8, 1.05), title=title)
    ax.axis("off")
    return fig


def scores_by_place(ax: Axes, title: str, scores: Any, moves: Sequence[int]) -> None:
    """Draw a table of scores from 0 to 100, by how far pictures are moved.

    Args:
        ax: where to draw.
        title: whose scores they are.
        scores: a row for each move down, a column for each move to the right.
        moves: how far, in pixels.
    """
    scores = np.asarray(scores)
    ink(ax, 0.7 * (scores / 100) ** 3)
    for (i, j), score in np.ndenumerate(scores):
        ax.text(j, i, f"{score:.0f}", ha="center", va="center")
    ax.set_xticks(range(len(moves)), [str(move) for move in moves])
    ax.set_yticks(range(len(moves)), [str(move) for move in moves])
    ax.set_xlabel("pixels to the right")
    ax.set_title(title, fontsize=11, loc="center")


def square(ax: Axes, i: int, j: int, **look: Any) -> None:
    """Draw the square of row i and column j."""
    from matplotlib.patches import Rectangle

    ax.add_patch(Rectangle((j, i), 1, 1, **{"ec": "C4", "lw": 0.8} | look))  # type: ignore[arg-type]


def outline(ax: Axes, x: float, y: float, side: float, colour: str) -> None:
    """Draw a square's outline above all else."""
    from matplotlib.patches import Rectangle

    look: dict[str, Any] = {"fc": "none", "ec": colour, "lw": 2, "zorder": 3}
    ax.add_patch(Rectangle((x, y), side, side, **look))


def framed(ax: Axes, rows: int, columns: int) -> None:
    """Show so many rows and columns, the first row on top, and no axes."""
    ax.set(xlim=(-0.1, columns + 0.1), ylim=(rows + 0.1, -0.1), aspect="equal")
    ax.axis("off")
