"""`make handout CH=04` or `PS=ps1`: a student's notebook, without solutions and keys.

    python -m course.sets.handout 05 [ps1 --course ../autograd-course]

Cells keep their ids, by which answers are found again, and their tags. Outputs of cells
go with what made them, but those of exercises are cleared. The setup cell makes the
notebook run alone, in Jupyter and in Colab, if the book has an address.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course.sets.selection import paths
from notebooks.conventions import LINK, TAGS
from notebooks.further import whole
from notebooks.notebook import ROOT, place_setup_cell, tags
from notebooks.repository import address

KEPT_BACK = {"solution", "key"}
OF_MASTERS = {"key", "written"}  # tags that chapters do not have


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the handouts that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m course.sets.handout")
    parser.add_argument("sets", nargs="+", help="chapters, 05, or masters, ps1")
    parser.add_argument("--course", type=Path, help="the folder with the masters")
    parser.add_argument("--into", type=Path, default=ROOT / "handout")
    options = parser.parse_args(arguments)
    try:
        for path in paths(options.sets, options.course):
            print(write_handout(path, options.into))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def write_handout(path: Path, into: Path) -> Path:
    """Write the handout of one notebook, and return its path."""
    into.mkdir(parents=True, exist_ok=True)
    place = into / path.name
    text = nbformat.writes(handout(whole(path), path.stem, address()), version=4)
    place.write_text(text + "\n", encoding="utf-8", newline="\n")
    return place


def handout(master: NotebookNode, name: str, url: str = "") -> NotebookNode:
    """Return a student's notebook.

    Args:
        master: a chapter, or a problem set with its key.
        name: what the set is called, which is stamped in.
        url: the repository's address; with it, links and the first cell work anywhere.

    Raises:
        ValueError: if what is kept back still stands in it, or a tag is misspelled.
    """
    for cell in master.cells:
        if unknown := {*tags(cell)} - TAGS - OF_MASTERS:
            raise ValueError(f"{name}: the tag {min(unknown)!r} is none of the book's")
    made = copy.deepcopy(master)
    place_setup_cell(made, url)
    for cell, original in zip(made.cells, master.cells, strict=True):
        cell.id = original.id
    made.cells = [cell for cell in made.cells if not KEPT_BACK & {*tags(cell)}]
    for cell in made.cells:
        if cell.cell_type == "code" and "exercise" in tags(cell):
            cell.outputs, cell.execution_count = [], None
        if cell.cell_type == "markdown" and url:
            cell.source = with_whole_links(cell.source, url)
    stamp = made.metadata.setdefault("autograd", NotebookNode())
    stamp["set"], stamp["release"] = name, release(made)
    refuse_what_leaks(made, master)
    return made


def release(notebook: NotebookNode) -> str:
    """Return an id that changes with what is handed out."""
    digest = hashlib.sha256()
    for cell in notebook.cells:
        digest.update(cell.source.encode() + b"\0")
    return digest.hexdigest()[:12]


def with_whole_links(text: str, url: str) -> str:
    """Return Markdown whose links to the book lead to the repository."""

    def whole(found: re.Match[str]) -> str:
        target = found[3]
        if re.match(r"[a-z][a-z+.-]*:|#", target):
            return found[0]
        path = target.removeprefix("../") if target.startswith("../") else (
            f"chapters/{target}"
        )  # fmt: skip
        return found[0].replace(f"({target}", f"({url}/blob/main/{path}", 1)

    return LINK.sub(whole, text)


def secret_lines(master: NotebookNode) -> set[str]:
    """Return the longer lines that occur only in solutions and keys."""
    kept, given = set[str](), set[str]()
    for cell in master.cells:
        lines = {line.strip() for line in cell.source.splitlines()}
        if KEPT_BACK & {*tags(cell)}:
            kept |= {line for line in lines if len(line) > 12}
        else:
            given |= lines
    return kept - given - {"```python", "</details>"}


def refuse_what_leaks(made: NotebookNode, master: NotebookNode) -> None:
    """Raise ValueError if a line of a solution or a key is in a handout."""
    held = {line.strip() for cell in made.cells for line in cell.source.splitlines()}
    if found := held & secret_lines(master):
        raise ValueError(f"The handout would hold a line of the key: {min(found)}")


if __name__ == "__main__":
    sys.exit(main())
