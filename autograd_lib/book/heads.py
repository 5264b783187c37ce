"""What the heads of a reader's GPT look at, and a drawing of its block (chapter 00)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograd_lib.book.boxes import arrow, boxes
from autograd_lib.book.plot import Plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WAY = "#2b8cc4"


def attended(engine: Any, model: Any, tokens: Any) -> list[np.ndarray]:
    """Return the shares of each block's heads: (texts, heads, places, places).

    Args:
        engine: a module with `gpt` and the `softmax` that its attention calls.
        model: the weights.
        tokens: a text, or an array of texts.
    """
    found: list[np.ndarray] = []
    before = engine.softmax

    def noted(scores: Any) -> Any:
        shares = before(scores)
        found.append(shares.data)
        return shares

    engine.softmax = noted
    try:
        with engine.no_grad():
            engine.gpt(model, tokens)
    finally:
        engine.softmax = before
    return found


def heads_drawn(
    shares: Mapping[str, np.ndarray], across: str, title: str, alt: str
) -> Plot:
    """Draw one square for each head: a row for a place, darker where it takes more.

    Args:
        shares: arrays of shape (places, places), by the title of each.
        across: the characters of the places.
        title: that of the figure.
        alt: what a reader would see.
    """
    import matplotlib.pyplot as plt
    from matplotlib.colors import LinearSegmentedColormap

    ink = LinearSegmentedColormap.from_list("ink", [f"{WAY}00", WAY])
    names = [{" ": "_", "\n": "↵"}.get(c, c) for c in across]
    size = 0.9 + 0.155 * len(across)
    wide = size * len(shares)
    fig, axes = plt.subplots(
        1, len(shares), figsize=(max(4, wide), size + 0.7), squeeze=False
    )
    for ax, (name, parts) in zip(axes[0], shares.items(), strict=True):
        ax.imshow(np.sqrt(parts), cmap=ink, vmin=0, vmax=1, interpolation="nearest")
        ax.set_xticks(range(len(names)), names)
        ax.set_yticks(range(len(names)), names)
        ax.set(title=name, xlabel="from which it takes")
        ax.tick_params(labelsize=8)
        ax.grid(visible=False)
    axes[0][0].set_ylabel("the place")
    fig.suptitle(title)
    return Plot(fig, alt)


def pairs_drawn(shares: np.ndarray, characters: str, title: str, alt: str) -> Plot:
    """Draw how likely each character follows each other one, darker where more."""
    import matplotlib.pyplot as plt
    from matplotlib.colors import LinearSegmentedColormap

    ink = LinearSegmentedColormap.from_list("ink", [f"{WAY}00", WAY])
    names = [c.replace("\n", "↵") for c in characters]
    fig, ax = plt.subplots(figsize=(5, 5))
    ax.imshow(np.sqrt(shares), cmap=ink, vmin=0, vmax=1, interpolation="nearest")
    ax.set_xticks(range(len(names)), names)
    ax.set_yticks(range(len(names)), names)
    ax.set(title=title, xlabel="the next character", ylabel="the character before")
    ax.tick_params(labelsize=8)
    ax.grid(visible=False)
    return Plot(fig, alt)


def block_drawn() -> Plot:
    """Draw a block, and a head of its attention, from below."""
    import matplotlib.pyplot as plt

    fig, axes = plt.subplots(1, 2, figsize=(4.8, 4.4), width_ratios=(4, 5))
    _block(axes[0])
    _head(axes[1])
    fig.suptitle("The path goes straight up, layers add to it", fontsize=12)
    return Plot(
        fig,
        "Two drawings, from below. A block: a thick line goes straight up; from it a "
        "branch goes through a layer norm and attention and is added to it again, then "
        "one through a layer norm and a network. A head: a row makes q, k and v; q and "
        "k make scores, a softmax makes shares of them, and with these a mean of v is "
        "taken.",
    )


def _block(ax: Axes) -> None:
    ax.set(title="a block", xlim=(-0.5, 3.6), ylim=(-0.5, 10.8))
    way = [[(0, 0), (0, 4.1)], [(0, 4.7), (0, 8.9)], [(0, 9.5), (0, 10.6)]]
    _arrows(ax, way, color="C0", width=3)
    for y, layer in ((0.6, "attention"), (5.4, "network")):
        lines = [
            [(0, y), (2, y), (2, y + 0.6)],
            [(2, y + 1.6), (2, y + 2.1)],
            [(2, y + 3.1), (2, y + 3.8), (0.4, y + 3.8)],
        ]
        _arrows(ax, lines)  # type: ignore[arg-type]
        _boxes(ax, (2, y + 1.1, "layer norm"), (2, y + 2.6, layer))
        ax.text(0, y + 3.8, "+", size=15, ha="center", va="center", color="C0")


def _head(ax: Axes) -> None:
    ax.set(title="a head of its attention", xlim=(-1.2, 4), ylim=(-0.5, 10.8))
    lines = [
        [(1.6, 0), (1.6, 1.3)],
        [(1.6, 0.7), (0, 0.7), (0, 1.3)],
        [(1.6, 0.7), (3.2, 0.7), (3.2, 1.3)],
        [(0, 2.3), (0, 3.3)],
        [(1.6, 2.3), (1.6, 2.8), (0.6, 2.8), (0.6, 3.3)],
        [(0.3, 4.3), (0.3, 5.1)],
        [(0.3, 6.1), (0.3, 7.9), (0.8, 7.9)],
        [(3.2, 2.3), (3.2, 7.4)],
        [(2.2, 8.4), (2.2, 10.6)],
    ]
    _arrows(ax, lines)  # type: ignore[arg-type]
    _boxes(ax, (0, 1.8, "q"), (1.6, 1.8, "k"), (3.2, 1.8, "v"))
    _boxes(ax, (0.3, 3.8, "q · k, scaled"), (0.3, 5.6, "softmax"))
    _boxes(ax, (2.2, 7.9, "weighted mean"))


def _boxes(ax: Axes, *named: tuple[float, float, str]) -> None:
    boxes(ax, {text: (x, y) for x, y, text in named})


def _arrows(
    ax: Axes,
    lines: Sequence[Sequence[tuple[float, float]]],
    color: str = "black",
    width: float = 1.0,
) -> None:
    """Draw arrows through their corners."""
    for line in lines:
        *corners, last = line
        ax.plot(*zip(*line, strict=True), color=color, lw=width)
        arrow(ax, corners[-1], last, color, lw=width, shrinkB=0)
