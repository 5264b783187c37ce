"""The cover: the social card in portrait format."""

from __future__ import annotations

import io

from press.site.social_card import (
    BACKWARD,
    draw_graph,
    sheet,
    write_promise,
    write_title,
)

NODES = {"w": (2.6, 4.9), "x": (2.6, 1.6), "+": (4.5, 3.25), "y": (6.4, 3.25)}


def cover() -> bytes:
    """Return the cover as PNG, 1350 by 1800 pixels."""
    fig, ax = sheet(9, 12, dpi=150)
    write_title(ax, 1, 9.4, size=58)
    ax.plot([1.05, 2.15], [7.85, 7.85], color=BACKWARD, lw=6)
    write_promise(ax, 1, 6.9, size=25)
    draw_graph(ax, NODES)
    file = io.BytesIO()
    fig.savefig(file, format="png", metadata={"Software": None})
    return file.getvalue()
