"""As much of IPython as code that asks for it in a cell finds on a live page."""

from __future__ import annotations

from typing import Any

version_info = (9, 0)  # Matplotlib asks


def get_ipython() -> None:
    """Return None: this is Python, and not IPython's shell."""


def __getattr__(name: str) -> Any:
    # Later, because the module behind it needs a part of this package itself.
    if name == "display":
        from IPython.display import display

        return display
    raise AttributeError(f"module 'IPython' has no attribute {name!r} on a live page")
