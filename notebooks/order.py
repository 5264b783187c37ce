"""The order of the chapters, which is that of `_toc.yml`.

The number at the beginning of a file's name is only a name, used in links and in labels
of exercises. A chapter's place is where the table of contents lists it, so chapters can
move first, and `tools.renumber` gives them the numbers of their places later.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

TOC = "_toc.yml"
FILE = re.compile(r"""(?m)^ *(?:- +)?file: *["']?([^\s"'#]+)""")
CHAPTER = re.compile(r"(?:chapters/)?(\d\d_\w+)")


def listed(root: Path) -> list[str]:
    """Return the pages that the table of contents of `root` lists, in order.

    The first page, which is the root of the table, is not among them. Without a table
    the list is empty.
    """
    table = root / TOC
    return FILE.findall(table.read_text(encoding="utf-8")) if table.is_file() else []


def chapters(root: Path) -> list[str]:
    """Return the names of the chapters that the table lists, in order."""
    found = (CHAPTER.fullmatch(page) for page in listed(root))
    return [match[1] for match in found if match]


def in_order(paths: Iterable[Path], root: Path) -> list[Path]:
    """Sort notebooks as the table lists them, with unlisted ones at the end."""
    places = {page: i for i, page in enumerate(listed(root))}

    def place(path: Path) -> tuple[int, str]:
        page = path.relative_to(root).with_suffix("").as_posix()
        return places.get(page, len(places)), page

    return sorted(paths, key=place)
