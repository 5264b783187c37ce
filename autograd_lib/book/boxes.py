"""Boxes and arrows in Matplotlib figures, as graphs are drawn (chapter 00).

`draw` and `step` lay a graph out by themselves. A figure whose boxes stand where an
author puts them has the same look: rounded frames in the colour of the text, small
filled heads, blue for what leads forward and orange for what leads back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Place = tuple[float, float]
FRAME = {"boxstyle": "round,pad=0.45,rounding_size=0.6", "fc": "white", "lw": 1.0}
HEAD = {"arrowstyle": "-|>,head_width=0.2,head_length=0.4", "lw": 1.0}


def boxes(
    ax: Axes,
    places: Mapping[str, Place],
    arrows: Iterable[tuple[str, str]] = (),
    colours: Mapping[Any, str] | None = None,
    fontsize: float = 10,
) -> None:
    """Draw named boxes and the arrows between them; the axes are switched off.

    Args:
        ax: where to draw.
        places: the middle of each box, by its text. Spaces at the end of a text tell
            boxes with the same text apart.
        arrows: pairs of texts.
        colours: of boxes by their texts, and of arrows by their pairs.
        fontsize: of the texts.
    """
    colours = colours or {}
    frames = {
        name: ax.text(
            *place,
            name.strip(),
            ha="center",
            va="center",
            color="black",
            fontsize=fontsize,
            bbox=FRAME | {"ec": colours.get(name, "black")},
        ).get_bbox_patch()
        for name, place in places.items()
    }
    for pair in arrows:
        begin, end = pair
        look: dict[str, Any] = {"patchA": frames[begin], "patchB": frames[end]}
        arrow(ax, places[begin], places[end], colours.get(pair, "black"), **look)
    ax.plot(*zip(*places.values(), strict=True), " ")
    ax.margins(0.15, 0.35)
    ax.axis("off")


def arrow(
    ax: Axes,
    begin: Place,
    end: Place,
    colour: str = "black",
    label: str = "",
    **how: Any,
) -> None:
    """Draw an arrow from one place to another.

    Args:
        ax: where to draw.
        begin: where it begins.
        end: where its head is.
        colour: of the arrow and its label.
        label: a text beside its middle: above an arrow to the right, below one to the
            left, at the right of others.
        how: for Matplotlib's arrow.
    """
    look = HEAD | {"color": colour, "shrinkA": 0, "shrinkB": 2} | how
    ax.annotate("", end, begin, arrowprops=look)
    if label:
        middle = ((begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2)
        level = begin[1] == end[1]
        side = (0, 5 if begin[0] < end[0] else -5) if level else (6, 0)
        ax.annotate(
            label,
            middle,
            side,
            textcoords="offset points",
            ha="center" if level else "left",
            va=("bottom" if side[1] > 0 else "top") if level else "center",
            color=colour,
            fontsize=10,
        )
