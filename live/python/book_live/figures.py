"""Show Matplotlib's figures where a cell calls `plt.show()`.

Figures that a cell leaves open are shown at its end, as in a notebook.
"""

from __future__ import annotations

import sys
from importlib import import_module

from book_live.later import Later

BACKEND = "book_live.backend"


def show() -> None:
    """Show all open figures and close them, where Matplotlib is loaded."""
    plt = sys.modules.get("matplotlib.pyplot")
    if plt is None or isinstance(plt, Later):
        return
    # The backend imports Matplotlib, which most cells never need.
    import_module(BACKEND).show()
