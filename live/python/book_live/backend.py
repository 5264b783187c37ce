"""The backend of Matplotlib on a live page, named in MPLBACKEND.

A reader's figure looks like the book's: it is part of the page and follows its theme.
A figure whose background isn't white keeps its colours.
"""

from __future__ import annotations

import io
from typing import Any

from matplotlib import pyplot as plt
from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from autograd_lib.book.picture import themed
from autograd_lib.book.plot import drawn
from book_live.display import display
from book_live.mime import FORMS

__all__ = ["FigureCanvas", "show"]

TIGHT: dict[str, Any] = {"bbox_inches": "tight"}
LARGEST = 1_000_000
"""Characters of a drawing that a page takes in; what is larger comes as pixels."""
DPI = 144
"""Two dots for each of the page, which shows such a figure at 72."""


def show(*_: Any, **__: Any) -> None:
    """Show all open figures and close them."""
    try:
        for number in plt.get_fignums():
            display(plt.figure(number))
    finally:
        plt.close("all")


def form(figure: Figure) -> dict[str, Any]:
    """Return a figure as a MIME bundle, and close it, so that it is shown once."""
    plt.close(figure)
    if to_hex(figure.get_facecolor()) == "#ffffff":
        words = described(figure)
        svg = drawn(figure, words, TIGHT)
        if len(svg) <= LARGEST:
            return {"image/svg+xml": themed(svg, words)}
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=DPI, **TIGHT)
    return {"image/png": file.getvalue()}


def described(figure: Figure) -> str:
    """Return a description of a figure: its titles and the labels of its axes."""
    said = [figure.get_suptitle()]
    for ax in figure.axes:
        titles = [ax.get_title(loc) for loc in ("left", "center", "right")]
        said += [*titles, ax.get_xlabel(), ax.get_ylabel()]
    return f"A figure: {'; '.join(filter(None, said)) or 'it has no title'}"


FORMS[Figure] = form
