"""The book's extension of Sphinx: one module for each idea, connected here."""

from __future__ import annotations

import hashlib
from pathlib import Path

from sphinx.application import Sphinx

from . import (
    buttons,
    cells,
    citations,
    entrance,
    frame,
    live,
    offline,
    processes,
    progress,
    repairs,
    steppers,
    svg,
    terms,
    typography,
)


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the modules of this extension to Sphinx."""
    # Sphinx does not look at extensions to find out whether a page is stale; a
    # changed setting makes it read every page again.
    app.add_config_value("book_ext_source", _source_digest(), "env")
    # Jupyter Book sets it although sphinx_comments is not loaded.
    app.add_config_value("comments_config", {}, "")
    app.add_config_value("book_live", False, "html")
    processes.take_all(app)
    app.connect("autodoc-skip-member", repairs.skip_borrowed)
    app.connect("env-before-read-docs", processes.declare_numbering_safe)
    app.connect("config-inited", buttons.switch_by_address)
    app.connect("config-inited", live.look_for_files)
    app.connect("env-updated", citations.offer_keys_as_anchors)
    # After the theme has added its buttons.
    app.connect("html-page-context", buttons.hide_edit_of_notebooks, priority=502)
    app.connect("html-page-context", repairs.repair_page, priority=900)
    app.connect("html-page-context", steppers.send_code_once)
    app.connect("html-page-context", live.load_button)
    app.connect("env-get-outdated", progress.always_anew)
    app.connect("html-page-context", progress.load_script)
    app.connect("html-page-context", offline.load_script)
    app.connect("html-page-context", entrance.dress)
    app.add_transform(cells.Cells)
    app.add_transform(frame.TimeBelow)
    app.add_transform(terms.IndexTerms)
    app.add_post_transform(svg.InlineSvg)
    app.add_post_transform(typography.KeepPunctuation)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _source_digest() -> str:
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.*")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
