"""Exercises that stand on a page for their part, not on the chapter's.

`chapters/exercises_2.ipynb` has a block for each chapter of Part II: a heading, cells
tagged `brought` with the definitions of the chapter that the exercises use, and the
exercises, which keep their numbers. On the chapter's page, the first line of
*Exercises* names these numbers and links to the block. Judging and handing out use the
`whole` chapter, block included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode

from notebooks.exercises import LABEL
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
LINK = re.compile(
    r"\A\[Exercises? (?P<numbers>\d[\d., andto]*)\]"
    r"\((?P<page>exercises_\w+\.ipynb)#[^)\s]+\)[^\n]*\Z"
)


def blocks(notebook: NotebookNode) -> dict[int, NotebookNode]:
    """Return the blocks of a page of exercises, by chapter number."""
    found: dict[int, NotebookNode] = {}
    cells: list[NotebookNode] = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (head := HEADING.match(cell.source)):
            cells = []
            found[int(head[1])] = NotebookNode(notebook, cells=cells)
        cells.append(cell)
    return found


def link_at(notebook: NotebookNode) -> int | None:
    """Return the index of the cell that links to the further exercises, if any."""
    for i, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown" and LINK.match(cell.source):
            return i
    return None


def numbers_said(link: str) -> list[str]:
    """Return the numbers of exercises that a line with a link names.

    >>> numbers_said("[Exercises 2.2, 2.4 to 2.6](exercises_1.ipynb#of-2) are there.")
    ['2.2', '2.4', '2.5', '2.6']
    """
    found = LINK.match(link)
    said: list[str] = []
    for to, chapter, k in re.findall(r"(to )?(\d+)\.(\d+)", found[1] if found else ""):
        first = int(said[-1].partition(".")[2]) + 1 if to else int(k)
        said += [f"{chapter}.{one}" for one in range(first, int(k) + 1)]
    return said


def block_of(path: Path) -> list[NotebookNode]:
    """Return the cells of a chapter's block below its heading, if it has one."""
    page = read(path)
    at = link_at(page)
    found = LINK.match(page.cells[at].source) if at is not None else None
    if found is None:
        return []
    return list(blocks(read(path.parent / found["page"]))[int(path.name[:2])].cells[1:])


def whole(path: Path) -> NotebookNode:
    """Return a chapter with all of its exercises, or any other notebook unchanged.

    The further exercises and their imports follow the chapter's own, and the line that
    links to them goes. Cells of definitions that the chapter has already are left out.
    """
    page = read(path)
    at = link_at(page)
    if at is None:
        return page
    del page.cells[at]
    end = max((i + 1 for i, c in enumerate(page.cells) if of_exercise(c)), default=at)
    cells = code_cells(NotebookNode(cells=page.cells[:end]))
    above = set[str]().union(*(bound(python_source(cell)) for cell in cells))
    page.cells[end:end] = [c for c in block_of(path) if not is_repeated(c, above)]
    normalise(page)
    return page


def of_exercise(cell: NotebookNode) -> bool:
    """Return whether a cell is a statement, a stub or a solution of an exercise."""
    is_statement = cell.cell_type == "markdown" and LABEL.search(cell.source)
    return bool(is_statement or {"exercise", "solution"} & {*tags(cell)})


def is_repeated(cell: NotebookNode, above: set[str]) -> bool:
    """Return whether a cell only repeats definitions from above."""
    is_definition = BROUGHT in tags(cell) and not IMPORT.search(cell.source)
    return is_definition and bound(python_source(cell)) <= above


def homes(root: Path = ROOT) -> Iterator[tuple[str, NotebookNode]]:
    """Yield the name and the cells of each chapter's page and of each block."""
    for path in chapter_paths(root):
        yield path.stem, read(path)
    for path in exercise_paths(root):
        for number, block in blocks(read(path)).items():
            yield f"{path.stem}, chapter {number:02}", block
