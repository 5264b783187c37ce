"""Read and write pages in as many processes as there are processors.

Jupyter Book has no option for it.
"""

from __future__ import annotations

import os
import sys

from sphinx.application import Sphinx

NUMBERING = "sphinx_multitoc_numbering"


def take_all(app: Sphinx) -> None:
    """Let Sphinx use all processors, where it forks safely."""
    if sys.platform == "linux":
        app.parallel = max(app.parallel, os.cpu_count() or 1)


def declare_numbering_safe(app: Sphinx, *_: object) -> None:
    """Declare for this extension that it numbers sections after all pages are read."""
    if NUMBERING in app.extensions:
        app.extensions[NUMBERING].parallel_read_safe = True
