"""Make one script for all pages from those that the theme and the book load."""

from __future__ import annotations

import re
from pathlib import Path

from press.site.problem import SiteError

IN_ORDER = (
    "documentation_options.js",
    "clipboard.min.js",
    "copybutton.js",
    "scripts/bootstrap.js",
    "scripts/sphinx-book-theme.js",
    "scripts/pydata-sphinx-theme.js",
    "book.js",
    "print.js",
    "search.js",
)
COMMENT = re.compile(
    r"^[ \t]*//[^\n]*\n|^[ \t]*/\*.*?\*/[ \t]*\n", re.MULTILINE | re.DOTALL
)
"""A comment on lines of its own."""

SLOW = {
    # The theme's version of what book.js does: it lays out a long page hundreds of
    # times.
    '"complete"===document.readyState?T():window.addEventListener("load",T)': "0",
    # It looks for margin notes under 28 names; the book uses one.
    'document.querySelectorAll(n.join(", "))': 'document.querySelectorAll(".margin")',
    # A task of its own: with the others it would hold up the reader.
    "\nrunWhenDOMLoaded(addCopyButtonToCodeCells)": (
        "\nsetTimeout(addCopyButtonToCodeCells)"
    ),
}
"""What takes long in these scripts, and what stands in its place."""


def script(static: Path) -> str:
    """Return one script made of all in `static`, in the order of loading.

    Raises:
        SiteError: if a script of the theme isn't the one that this was written for.
    """
    texts = ((static / name).read_text("utf-8") for name in IN_ORDER)
    bundle = "\n;\n".join(COMMENT.sub("", f"{text}\n").strip() for text in texts)
    for slow, other in SLOW.items():
        if bundle.count(slow) != 1:
            raise SiteError(f"a script has changed: it lacks {slow}")
        bundle = bundle.replace(slow, other)
    return bundle
