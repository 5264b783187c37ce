"""Exercises that do not stand on their chapter's page, but on one for its part.

`chapters/exercises_2.ipynb` has a block for each chapter of Part II: a heading, cells
tagged `brought` with what its exercises use of the chapter, and the exercises, which
keep their numbers. The chapter's own exercises end with a line that links to its block.
Whatever judges a chapter, or hands it out, takes it as a `whole`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode

from notebooks.notebook import (
    ROOT,
    bound,
    chapter_paths,
    code_cells,
    exercise_paths,
    normalise,
    python_source,
    read,
    tags,
)

BROUGHT = "brought"
IMPORT = re.compile(r"(?m)^(from|import) ")
HEADING = re.compile(r"\A## Chapter (\d\d): ")
LINK = re.compile(r"\A[^\n]*\]\((exercises_\d+\.ipynb)#[^)\s]+\)[^\n]*\Z")


def blocks(notebook: NotebookNode) -> dict[int, NotebookNode]:
    """Return the blocks of a page of exercises, by the numbers of their chapters."""
    found: dict[int, NotebookNode] = {}
    cells: list[NotebookNode] = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (head := HEADING.match(cell.source)):
            cells = []
            found[int(head[1])] = NotebookNode(notebook, cells=cells)
        cells.append(cell)
    return found


def link_at(notebook: NotebookNode) -> int | None:
    """Return where a chapter's line about its further exercises is, if it has one."""
    for i, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown" and LINK.match(cell.source):
            return i
    return None


def block_of(path: Path) -> list[NotebookNode]:
    """Return the cells that follow the heading of a chapter's block, if it has one."""
    page = read(path)
    at = link_at(page)
    found = LINK.match(page.cells[at].source) if at is not None else None
    if found is None:
        return []
    return list(blocks(read(path.parent / found[1]))[int(path.name[:2])].cells[1:])


def whole(path: Path) -> NotebookNode:
    """Return a chapter with all of its exercises; another notebook as it is.

    The further ones stand in the place of the line that links to them, with what they
    import. Definitions that they bring are left out where the chapter has them all.
    """
    page = read(path)
    at = link_at(page)
    if at is None:
        return page
    cells = code_cells(NotebookNode(cells=page.cells[:at]))
    above = set[str]().union(*(bound(python_source(cell)) for cell in cells))
    page.cells[at : at + 1] = [c for c in block_of(path) if not is_repeated(c, above)]
    normalise(page)
    return page


def is_repeated(cell: NotebookNode, above: set[str]) -> bool:
    """Whether a cell holds no imports, and only definitions of what is bound above."""
    is_definition = BROUGHT in tags(cell) and not IMPORT.search(cell.source)
    return is_definition and bound(python_source(cell)) <= above


def homes(root: Path = ROOT) -> Iterator[tuple[str, NotebookNode]]:
    """Yield what exercises stand in, with a name: each chapter's page, each block."""
    for path in chapter_paths(root):
        yield path.stem, read(path)
    for path in exercise_paths(root):
        for number, block in blocks(read(path)).items():
            yield f"{path.stem}, chapter {number:02}", block
