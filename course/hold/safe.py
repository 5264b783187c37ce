"""A student's text where it is read by others: no formula, no markup, no end of it."""

from __future__ import annotations

import re

LINE = 400  # characters of a message
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def line(text: str) -> str:
    """Return a message as one line of bounded length."""
    flat = " ".join(text[: 2 * LINE].split())
    return flat if len(flat) <= LINE else flat[:LINE] + " …"


def writable(text: str) -> str:
    """Return a text that can be written: a lone surrogate is shown as its number."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    flat = " ".join(text.split())
    return "'" + flat if flat.startswith(FORMULA) else flat


def plain_text(text: str) -> str:
    """Return a text in which nothing is Markdown or HTML."""
    return re.sub(r"([\\`*_{}\[\]<>()#+!|])", r"\\\1", " ".join(text.split()))


def without_html(text: str) -> str:
    """Return Markdown in which no tag and no entity means anything."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def page_name(student: str) -> str:
    """Return a file's name for a student, whatever the name holds."""
    return re.sub(r"[^\w.@ -]", "_", student).strip(". ") or "_"
