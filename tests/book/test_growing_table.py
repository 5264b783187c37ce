"""The table that grows through the book: what does a product leave behind?

Each design adds a row, which is bold on its page; above it are the rows so far, or the
last of them where the table has been out of sight for long, word for word.
"""

from __future__ import annotations

import re

import pytest

from notebooks.notebook import chapter_paths, read

TITLE = "**What does a product leave behind?**"
HEAD = ("chapter", "x·y leaves behind", "in the backward pass")
BEGINS = {3, 9}

Row = tuple[str, ...]


def table_in(text: str) -> list[Row] | None:
    """Return the rows of the growing table in Markdown, its head left out, if any.

    Raises:
        ValueError: if there is a title without such a table.
    """
    if TITLE not in text:
        return None
    below = text.partition(TITLE)[2].lstrip("\n").split("\n\n")[0]
    rows = [tuple(map(str.strip, line.split("|")[1:-1])) for line in below.splitlines()]
    if len(rows) < 3 or rows[0] != HEAD or not re.fullmatch("[-:]+", rows[1][0]):
        raise ValueError(f"no table of {', '.join(HEAD)} below {TITLE}: {below}")
    return rows[2:]


def wrong(tables: dict[int, list[Row]]) -> list[str]:
    """Return what is wrong with the tables of chapters, in order."""
    found, so_far = [], list[Row]()
    for chapter, rows in tables.items():
        new = tuple(cell.strip("*") for cell in rows[-1])
        above = rows[:-1]
        if not so_far:  # the first table may begin with chapters that show none
            so_far += above
        if above != so_far[len(so_far) - len(above) :] or (so_far and not above):
            found.append(f"{chapter:02}: not the last rows so far, then a new one")
        if rows[-1] != tuple(f"**{cell}**" for cell in new):
            found.append(f"{chapter:02}: its own row is not bold as a whole")
        if new[0] != f"{chapter:02}":
            found.append(f"{chapter:02}: its own row is of {new[0]}")
        so_far.append(new)
    return found


def tables() -> dict[int, list[Row]]:
    found = {}
    for path in chapter_paths():
        cells = [c.source for c in read(path).cells if c.cell_type == "markdown"]
        if (rows := table_in("\n\n".join(cells))) is not None:
            found[int(path.name[:2])] = rows
    return found


def test_each_design_adds_a_row_to_what_a_product_leaves_behind() -> None:
    assert tables().keys() >= BEGINS
    assert wrong(tables()) == []


def test_the_last_page_has_the_whole_table() -> None:
    page = "\n\n".join(c.source for c in read(chapter_paths()[-1]).cells)
    for *_, row in tables().values():
        cells = " | ".join(cell.strip("*") for cell in row)
        assert f"| {cells} |\n" in page + "\n"


GROWING = {
    2: [("**02**", "**a closure**", "**call it**")],
    3: [("02", "a closure", "call it"), ("**03**", "**two**", "**call each**")],
}


@pytest.mark.parametrize(
    ("row", "cell", "message"),
    [
        (0, ("02", "one closure", "call it"), "not the last rows so far"),
        (0, ("**02**", "**a closure**", "**call it**"), "not the last rows so far"),
        (1, ("03", "two", "call each"), "not bold as a whole"),
        (1, ("**04**", "**two**", "**call each**"), "its own row is of 04"),
    ],
)
def test_a_table_that_does_not_grow_is_found(row: int, cell: Row, message: str) -> None:
    assert wrong(GROWING) == []
    rows = [*GROWING[3]]
    rows[row] = cell
    (said,) = wrong(GROWING | {3: rows})
    assert message in said


def test_a_table_is_read_below_its_title() -> None:
    text = (
        f"a\n\n{TITLE}\n\n| {' | '.join(HEAD)} |\n| --- | --- | --- |\n| 02 | x | y |"
    )
    assert table_in(f"{text}\n\nand on") == [("02", "x", "y")]
    assert table_in("no such table") is None
    with pytest.raises(ValueError, match="no table of chapter"):
        table_in(f"{TITLE}\n\nnothing")
