"""Matplotlib's figures on a live page: shown where `plt.show()` is called.

Those that a cell leaves open are shown at its end, as in a notebook.
"""

from __future__ import annotations

import base64
import io
import sys
from typing import Any

from book_live.display import display
from book_live.later import Later

BACKEND = "module://book_live.backend"
DPI = 144
"""Two dots for each of the page, which shows a figure at 72."""


def show(*_: Any, **__: Any) -> None:
    """Show all open figures and close them."""
    plt = sys.modules.get("matplotlib.pyplot")
    if plt is None or isinstance(plt, Later):
        return
    try:
        for number in plt.get_fignums():
            figure = plt.figure(number)
            file = io.BytesIO()
            figure.savefig(file, format="png", bbox_inches="tight", dpi=DPI)
            png = base64.b64encode(file.getvalue()).decode()
            display({"image/png": png, "text/plain": str(figure)}, raw=True)
    finally:
        plt.close("all")
