"""The cover: what the social card shows, upright."""

from __future__ import annotations

import io

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from tools.site.card import BACKGROUND, BACKWARD, QUIET, TEXT, draw_graph

NODES = {"w": (2.6, 4.9), "x": (2.6, 1.6), "+": (4.5, 3.25), "y": (6.4, 3.25)}


def cover() -> bytes:
    """Return the cover as PNG, 1350 by 1800 pixels."""
    fig = Figure(figsize=(9, 12), dpi=150, facecolor=BACKGROUND)
    fig.set_layout_engine("none")
    FigureCanvasAgg(fig)
    ax = fig.add_axes((0, 0, 1, 1), xlim=(0, 9), ylim=(0, 12))
    ax.set_axis_off()
    ax.text(
        *(1, 9.4, "Autograd,\nBottom Up"),
        family="DejaVu Serif",
        weight="bold",
        size=58,
        va="center",
        color=TEXT,
    )
    ax.plot([1.05, 2.15], [7.85, 7.85], color=BACKWARD, lw=6)
    ax.text(
        *(1, 6.9, "From a float that remembers\nto an engine that trains a GPT."),
        size=25,
        va="center",
        color=QUIET,
        linespacing=1.5,
    )
    draw_graph(ax, NODES)
    file = io.BytesIO()
    fig.savefig(file, format="png", metadata={"Software": None})
    return file.getvalue()
