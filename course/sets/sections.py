"""Where the book explains what a check asks, and the link to it in a report.

A section is a page of the book and the anchor of a heading: `04_order#an-order`.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

from notebooks.conventions import headings
from notebooks.notebook import ROOT

SEE = re.compile(r"^# see (\w+#[\w-]+)$")


@cache
def of_exercises() -> dict[str, str]:
    """Return the section of each of the book's exercises, by its label."""
    path = Path(__file__).with_suffix(".toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


def of_exercise(page: str, label: str) -> str:
    """Return the section of an exercise of a chapter; empty for a set of one's own."""
    return of_exercises().get(label, "") if is_of(page, label) else ""


def is_of(page: str, label: str) -> bool:
    """Whether a label is of an exercise of that chapter, and not of a set."""
    return page.startswith(f"{int(label.partition('.')[0]):02}_")


def title(section: str) -> str:
    """Return the heading of a section, as it is written.

    Raises:
        ValueError: if the book has no such page, or the page no such heading.
    """
    page, _, anchor = section.partition("#")
    path = ROOT / "chapters" / f"{page}.ipynb"
    found = headings(path).get(anchor) if path.is_file() else None
    if not found:
        raise ValueError(f"the book has no section {section}")
    return found


def place(section: str) -> str:
    """Return the address of a section within the site.

    >>> place("09_tensor#one-loop")
    'chapters/09_tensor.html#one-loop'
    """
    anchor = re.sub(r"[^a-z0-9]+", "-", title(section).lower()).strip("-")
    return f"chapters/{section.partition('#')[0]}.html#{anchor}"


def link(section: str, site: str) -> str:
    """Return a reference to a section in Markdown, a link if the site is known.

    Args:
        section: where something is explained.
        site: the address of the book, with a final slash, or nothing.
    """
    if not site:
        return f"See *{title(section)}*, `{place(section)}`"
    return f"See [{title(section)}]({site}{place(section)}), chapter {section[:2]}"


def named(section: str, site: str) -> str:
    """Return the same in plain text."""
    return f"See {title(section)}: {site}{place(section)}"
