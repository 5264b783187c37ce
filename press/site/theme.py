"""The classes and colours of the theme that the book uses, in one place.

Sheets, scripts and templates of the book depend on these names. Another theme, or
another version of it, may have others: the build then lists the missing names, instead
of making pages that look wrong. A test finds names that are used and not listed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

CLASSES = """
article-header-buttons bd-article bd-article-container bd-container bd-container__inner
bd-content bd-footer bd-footer-content bd-header bd-header-article bd-links bd-main
bd-search bd-search-container bd-sidebar bd-sidebar-primary bd-sidebar-secondary
logo__image logo__title navbar-brand prev-next-footer prev-next-title
pst-async-banner-revealer pst-scrollable-table-container pst-skip-link
search-button-field search-button__button search-button__default-text
search-button__kbd-shortcut search-button__search-container search-button__wrapper
sidebar-primary-items__end skip-link
"""
"""Classes and ids, on pages."""
PROPERTIES = """
--pst-color-background --pst-color-border --pst-color-danger --pst-color-inline-code
--pst-color-on-background --pst-color-on-surface --pst-color-primary
--pst-color-secondary --pst-color-surface --pst-color-table-heading-bg
--pst-color-table-outer-border --pst-color-table-row-zebra-high-bg
--pst-color-table-row-zebra-low-bg --pst-color-target --pst-color-text-base
--pst-color-text-muted --pst-font-family-base --pst-font-family-heading
--pst-font-family-monospace --pst-sidebar-secondary
"""
"""Colours, fonts and a width, in sheets."""
ON_PAGES, IN_SHEETS = CLASSES.split(), PROPERTIES.split()
MARKS = re.compile(r"""\b(?:class|id)=["']([^"']*)["']""")
NAMED = re.compile(r"(?<=[.#])[a-zA-Z_][\w-]*|--[\w-]+(?=\s*:)")


def marks(pages: Iterable[str]) -> set[str]:
    """Return the classes and ids of pages."""
    found = (text for page in pages for text in MARKS.findall(page))
    return {name for text in found for name in text.split()}


def gone(pages: Iterable[str], sheets: Iterable[str]) -> list[str]:
    """Return the names that are in no page and in no sheet of the theme.

    A small book has no page with some of them, so the sheets' selectors count too.
    """
    named = {name for sheet in sheets for name in NAMED.findall(sheet)}
    return sorted({*ON_PAGES, *IN_SHEETS} - marks(pages) - named)
