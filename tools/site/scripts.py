"""One script for all pages, made of those that the theme and the book load."""

from __future__ import annotations

import re
from pathlib import Path

from tools.site.problem import SiteError

IN_ORDER = (
    "documentation_options.js",
    "clipboard.min.js",
    "copybutton.js",
    "scripts/bootstrap.js",
    "scripts/sphinx-book-theme.js",
    "scripts/pydata-sphinx-theme.js",
    "book.js",
    "search.js",
)
MAP = re.compile(r"^//# sourceMappingURL=.*$", re.MULTILINE)

# The theme's own way to what book.js does: it lays a long page out hundreds of times.
SLOW = '"complete"===document.readyState?T():window.addEventListener("load",T)'


def script(static: Path) -> str:
    """Return one script of all in `static`, in the order in which they were loaded.

    Raises:
        SiteError: if the theme's script is not the one that this was written for.
    """
    texts = ((static / name).read_text("utf-8") for name in IN_ORDER)
    bundle = "\n;\n".join(MAP.sub("", text).strip() for text in texts)
    if bundle.count(SLOW) != 1:
        raise SiteError(f"the theme's script has changed: it lacks {SLOW}")
    return bundle.replace(SLOW, "0")
