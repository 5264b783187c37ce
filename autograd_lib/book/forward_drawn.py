"""Drawings of forward mode: a flight, Jacobians, costs, a program turned round.

Chapter 19 shows them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np

from autograd_lib.book.boxes import Place, boxes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def flight(ax: Axes, path: Any, arrows: Any) -> None:
    """Draw the path of a ball, and an arrow at every eighth point."""
    ax.plot(*path.T, color="C0")
    some = slice(4, None, 8)
    look: dict[str, Any] = {"angles": "xy", "scale_units": "xy", "scale": 10}
    ax.quiver(*path[some].T, *arrows[some].T, color="C1", width=0.008, **look)
    ax.set(xlabel="metres", ylabel="metres", aspect="equal", ylim=(0, 17))
    ax.set_title("How the path moves")


def heights(ax: Axes, single: Any, double: Any) -> None:
    """Draw how fast the height of each point moves, calculated in two precisions."""
    ax.plot(double[:, 1], color="C0")
    ax.plot(single[:, 1], color="C1")
    ax.text(64, 40, "single\nprecision", color="C1", ha="right")
    ax.text(66, 22, "double\nprecision", color="C0")
    ax.set(xlabel="point", ylim=(0, 52))
    ax.set_title("Its height: a sixth too fast")


def four_jacobians(named: Mapping[str, Any]) -> Figure:
    """Draw Jacobians side by side, and their transposes below them."""
    fig, axes = plt.subplots(2, len(named), figsize=(5, 3.3))
    for (name, matrix), column in zip(named.items(), axes.T, strict=True):
        coloured(column[0], matrix)
        coloured(column[1], matrix.T)
        column[0].set_title(name, fontsize=11, loc="center")
    axes[0, 0].set_ylabel("forward: $\\mathbf{J}$")
    axes[1, 0].set_ylabel("rule: $\\mathbf{J}^\\top$")
    return fig


def coloured(ax: Axes, matrix: Any) -> None:
    """Draw a matrix as squares: blue above 0, red below, white at 0."""
    most = np.abs(matrix).max()
    ax.imshow(matrix, cmap="RdBu", vmin=-most, vmax=most)
    ax.set(xticks=[], yticks=[])
    ax.grid(False)


def cost_map(ax: Axes, sizes: Sequence[int], ratio: Any, meet: Sequence[float]) -> None:
    """Draw where forward mode is cheaper, and where reverse mode is.

    Args:
        ax: where to draw.
        sizes: numbers of inputs, and of outputs.
        ratio: the cost of forward mode in that of reverse mode, a row for each number
            of inputs.
        meet: for each number of outputs the number of inputs at which both cost the
            same. The fifth is marked.
    """
    at = np.log10(sizes)
    look: dict[str, Any] = {"colors": ["C0", "C1"], "linewidths": 1}
    lines = ax.contour(
        at, at, np.log10(ratio).T, levels=[-1, 1], linestyles="--", **look
    )
    ax.clabel(lines, fmt="10 × cheaper", inline_spacing=6)
    ax.plot([0, 3], [0, 3], color="C4", lw=1, ls=":")
    ax.plot(np.log10(meet[1:-1]), at[1:-1], color="C2", lw=3)
    ax.plot(np.log10(meet[4]), at[4], "o", color="C2", ms=8)
    ax.text(0.1, 2.75, "forward mode", color="C0")
    ax.text(2.0, 0.15, "reverse mode", color="C1")
    ticks = range(4), ["1", "10", "100", "1000"]
    ax.set_xticks(*ticks)
    ax.set_yticks(*ticks)
    ax.set(xlabel="inputs n", ylabel="outputs m")


def turned(
    ax: Axes,
    places: Mapping[str, Place],
    arrows: Iterable[tuple[str, str]],
    ends: tuple[str, str],
    title: str,
    *,
    back: bool,
) -> None:
    """Draw a linear program, as it runs or with every arrow turned round.

    Args:
        ax: where to draw.
        places: the middle of each operation, by its text.
        arrows: pairs of texts.
        ends: the texts of the input and of the result, which change places.
        title: what the drawing shows.
        back: whether arrows are turned.
    """
    exchanged = dict(zip(ends, ends[::-1], strict=True)) if back else {}
    colour = "C1" if back else "C0"
    pairs = [pair[::-1] if back else pair for pair in arrows]
    name = {text: exchanged.get(text, text) for text in places}
    boxes(
        ax,
        {name[text]: place for text, place in places.items()},
        [(name[begin], name[end]) for begin, end in pairs],
        {(name[begin], name[end]): colour for begin, end in pairs},
    )
    ax.set_title(title)
