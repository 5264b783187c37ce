"""Make one style sheet for all pages from those that the theme and the book load.

Rules for names that no page and no program of the book uses are left out of the theme's
sheets: Bootstrap alone is six times as large as the part that the book uses. A second,
small sheet is for readers without JavaScript, for whom no script has chosen a theme: it
follows the system.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import tinycss2

THEMES = ("styles/pydata-sphinx-theme.css", "styles/sphinx-book-theme.css")
CUT_DOWN = ("basic.css", "styles/bootstrap.css", *THEMES, "mystnb.*.css")
"""Sheets of others, in the order of the cascade."""
WHOLE = ("pygments.css", "copybutton.css", "icons.css", "book.css", "print.css")
"""Sheets that stay as they are."""
# Names that programs compose, such as bs-tooltip-auto.
MADE_UP = ("bs-",)
WORD = re.compile(r"[A-Za-z_-][\w-]*")
CHOSEN = re.compile(r"""\[data-theme=["']?(light|dark)["']?\]""")
NOBODY_CHOSE = '[data-theme="auto"]'
OWN_FILE = re.compile(r"url\((?!\s*[\"']?data:)")


def possible_names(texts: Iterable[str]) -> set[str]:
    """Return all words that could be the name of a class or an id."""
    return {word for text in texts for word in WORD.findall(text)}


def style_sheet(static: Path, formulas: str, known: set[str]) -> str:
    """Return one sheet made of all in `static`.

    Args:
        static: the folder that Sphinx filled.
        formulas: the sheet of the formulas.
        known: all possible names of classes and ids.
    """
    theme = [without_unknown(text, known) for text in read(static, CUT_DOWN)]
    sheets = (*theme, formulas, *read(static, WHOLE))
    return "\n".join(compact(text) for text in sheets)


def read(static: Path, names: Iterable[str]) -> list[str]:
    """Return the texts of sheets in a folder; their names may be patterns."""
    return [
        path.read_text("utf-8") for name in names for path in sorted(static.glob(name))
    ]


def compact(text: str) -> str:
    """Return a sheet without comments, indentation and empty lines."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"\s*\n\s*", "\n", text.strip())
    return re.sub(r"(?<=[{};,])\n|\n(?=\})", "", text)


def without_unknown(text: str, known: set[str]) -> str:
    """Return a sheet without rules that cannot match, and without other files.

    A selector cannot match if it asks for a class or an id that is used nowhere.
    """
    rules = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
    return "\n".join(filter(None, (_kept(rule, known) for rule in rules)))


def _kept(rule: Any, known: set[str]) -> str:
    """Return a rule, a part of it, or nothing."""
    if rule.type == "qualified-rule":
        possible = [
            selector.strip()
            for selector in _selectors(rule.prelude)
            if _may_match(selector, known)
        ]
        body = tinycss2.serialize(rule.content).strip()
        if not possible or not body or OWN_FILE.search(body):
            return ""
        return f"{','.join(possible)}{{{body}}}"
    if rule.type == "at-rule" and rule.lower_at_keyword in ("media", "supports"):
        inner = tinycss2.parse_rule_list(
            rule.content, skip_comments=True, skip_whitespace=True
        )
        body = "".join(_kept(one, known) for one in inner)
        head = f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}"
        return f"{head}{{{body}}}" if body else ""
    if rule.type == "at-rule" and rule.lower_at_keyword == "charset":
        return ""
    return str(rule.serialize())


def _selectors(prelude: list[Any]) -> list[str]:
    """Return the selectors of a rule; commas within parentheses don't separate them."""
    parts: list[list[Any]] = [[]]
    for token in prelude:
        if token == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return [tinycss2.serialize(part) for part in parts]


def _may_match(selector: str, known: set[str]) -> bool:
    """Tell whether everything that a selector asks for is named somewhere."""
    outside = re.sub(r"\([^()]*\)|\[[^\]]*\]", "", re.sub(r"\([^()]*\)", "", selector))
    asked = re.findall(r"[.#]((?:[\w-]|\\.)+)", outside)
    return all(
        name in known or name.startswith(MADE_UP) or "\\" in name for name in asked
    )


def for_the_system(sheet: str) -> str:
    """Return a sheet's rules for the theme of the system."""
    rules = tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True)
    made = []
    for rule in rules:
        inner = [rule]
        around = ""
        if rule.type == "at-rule" and rule.lower_at_keyword == "media":
            around = tinycss2.serialize(rule.prelude).strip()
            inner = tinycss2.parse_rule_list(rule.content, skip_whitespace=True)
        for one in inner:
            text = one.serialize()
            for theme in sorted(set(CHOSEN.findall(text))):
                made.append(_for_system(one, theme, around))
    return "\n".join(made)


def _for_system(rule: Any, theme: str, around: str) -> str:
    """Return a rule of a theme with a media query in place of the chosen theme."""
    selectors = [
        CHOSEN.sub(NOBODY_CHOSE, selector.strip())
        for selector in _selectors(rule.prelude)
        if theme in CHOSEN.findall(selector)
    ]
    wish = f"(prefers-color-scheme: {theme})"
    asked = f"{around} and {wish}" if around else wish
    body = tinycss2.serialize(rule.content).strip()
    return f"@media {asked}{{{','.join(selectors)}{{{body}}}}}"
