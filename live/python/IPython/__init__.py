"""The part of IPython that code in the cells of a live page may ask for."""

from __future__ import annotations

from typing import Any

version_info = (9, 0)  # Matplotlib asks


def get_ipython() -> None:
    """Return None, since a live page runs plain Python without IPython's shell."""


def __getattr__(name: str) -> Any:
    # Imported late: the module that it imports needs a part of this package.
    if name == "display":
        from IPython.display import display

        return display
    raise AttributeError(f"module 'IPython' has no attribute {name!r} on a live page")
