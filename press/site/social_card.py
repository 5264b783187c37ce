"""The picture for previews of links to the book: 1200 by 630 pixels."""

from __future__ import annotations

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

BACKGROUND, TEXT, QUIET = "#14181e", "#dfe3e8", "#a2abb7"
FORWARD, BACKWARD = "#6cb9ea", "#f2803a"
NODES = {"w": (8.35, 4.55), "x": (8.35, 1.75), "+": (9.75, 3.15), "y": (11.1, 3.15)}
EDGES = (("w", "+"), ("x", "+"), ("+", "y"))


def write(path: Path) -> None:
    """Draw the card."""
    fig, ax = sheet(12, 6.3, dpi=100)
    write_title(ax, 0.8, 3.75, size=54)
    ax.plot([0.85, 1.75], [2.45, 2.45], color=BACKWARD, lw=5)
    write_promise(ax, 0.8, 1.6, size=22)
    draw_graph(ax, NODES)
    fig.savefig(path, metadata={"Software": None})


def sheet(width: float, height: float, dpi: int) -> tuple[Figure, Axes]:
    """Return an empty figure, measured in inches from its lower left corner."""
    fig = Figure(figsize=(width, height), dpi=dpi, facecolor=BACKGROUND)
    fig.set_layout_engine("none")
    FigureCanvasAgg(fig)
    ax = fig.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(0, height))
    ax.set_axis_off()
    return fig, ax


def write_title(ax: Axes, x: float, y: float, size: int) -> None:
    """Write the title of the book in two lines."""
    title = ax.text(x, y, "Autograd,\nBottom Up", size=size, va="center", color=TEXT)
    title.set(family="DejaVu Serif", weight="bold")


def write_promise(ax: Axes, x: float, y: float, size: int) -> None:
    """Write the promise of the book."""
    text = "From a float that remembers\nto an engine that trains a GPT."
    ax.text(x, y, text, size=size, va="center", color=QUIET, linespacing=1.5)


def draw_graph(ax: Axes, places: dict[str, tuple[float, float]]) -> None:
    """Draw the small graph with its nodes at `places`."""
    for start, end in EDGES:
        arrow = {
            "arrowstyle": "-|>",
            "mutation_scale": 22,
            "lw": 3,
            "shrinkA": 31,
            "shrinkB": 31,
        }
        for colour, (a, b), bend in (
            (FORWARD, (start, end), -0.16),
            (BACKWARD, (end, start), -0.16),
        ):
            style = {**arrow, "color": colour, "connectionstyle": f"arc3,rad={bend}"}
            ax.annotate("", places[b], places[a], arrowprops=style)
    for name, place in places.items():
        ax.scatter(*place, s=2600, facecolor=BACKGROUND, edgecolor=TEXT, lw=3, zorder=3)
        ax.text(*place, name, size=26, color=TEXT, ha="center", va="center", zorder=4)
