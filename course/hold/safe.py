"""A student's text where it is read by others: no formula, no markup, no end of it."""

from __future__ import annotations

import hashlib
import re
import unicodedata

LINE = 400  # characters of a message
NAME = 120  # bytes of a file's name
FORMULA = "=+\\-@＝＋－＠"
BEGINS = re.compile(rf"((?:^|[;,|\t])[\s'\"]*)(?=[{FORMULA}])")
"""Where a spreadsheet may see the beginning of a formula: that of the text, or, with
another sign between its columns, what stands behind one."""
INVISIBLE = ("Cc", "Cf", "Cs", "Zl", "Zp")
JOINERS = "\u200c\u200d"  # part of how names and emoji are written
ACTING = re.compile(
    r"\\(href|url|includegraphics|require|unicode|style|class|cssId|html\w*|data)\b"
)


def line(text: str) -> str:
    """Return a message as one line of bounded length, in which all can be seen."""
    flat = visible(" ".join(text[: 2 * LINE].split()))
    return flat if len(flat) <= LINE else flat[:LINE] + " …"


def visible(text: str, kept: str = "") -> str:
    """Return a text with the number of each sign that acts and is not seen.

    Such signs move a terminal's cursor, turn the direction of writing, or cannot be
    written. Those in `kept` stay.
    """
    return "".join(
        c.encode("unicode_escape").decode()
        if unicodedata.category(c) in INVISIBLE and c not in JOINERS + kept
        else c
        for c in text
    )


def cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula, nor what is in it."""
    return BEGINS.sub(r"\1'", visible(" ".join(text.split())))


def plain_text(text: str) -> str:
    """Return a text in which nothing is Markdown, HTML or a formula."""
    flat = visible(" ".join(text.split()))
    return re.sub(r"([\\`*_{}\[\]<>()#+!|$~&])", r"\\\1", flat)


def without_links(text: str) -> str:
    """Return Markdown in which no tag, entity, link or picture means anything."""
    text = visible(text, kept="\n\t").replace("&", "&amp;").replace("<", "&lt;")
    for sign in ("![", "](", "][", "]:"):
        text = text.replace(sign, f"\\{sign[0]}\\{sign[1]}")
    return ACTING.sub(r"\\backslash \1", text)


def page_name(student: str) -> str:
    """Return a file's name for a student, whatever the name holds, and its length."""
    name = re.sub(r"[^\w.@ -]", "_", student).strip(". ") or "_"
    if len(name.encode()) <= NAME:
        return name
    mark = hashlib.sha256(name.encode()).hexdigest()[:8]
    return f"{name.encode()[:NAME].decode(errors='ignore')}-{mark}"
