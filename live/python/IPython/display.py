"""The names of `IPython.display`, from the book's own module."""

from book_live.display import (
    HTML,
    SVG,
    Code,
    DisplayObject,
    Image,
    Latex,
    Markdown,
    clear_output,
    display,
    update_display,
)

__all__ = [
    "HTML",
    "SVG",
    "Code",
    "DisplayObject",
    "Image",
    "Latex",
    "Markdown",
    "clear_output",
    "display",
    "update_display",
]
