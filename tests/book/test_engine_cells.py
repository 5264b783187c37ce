"""A page that adds to the reader's engine adds what its module has."""

from __future__ import annotations

import nbformat
import pytest

from autograd_lib.small.cut import sections
from notebooks.notebook import chapter_paths, code_cells, read
from tests.book.helpers.contents import CONTENTS
from tests.book.helpers.engine_cells import added, differences, step_of

STEPS = {section.name: section for section in sections()}


def page(*cells: str) -> nbformat.NotebookNode:
    made = [nbformat.v4.new_code_cell(cell) for cell in cells]
    return nbformat.v4.new_notebook(cells=made)


def test_each_step_belongs_to_a_chapter_in_the_order_of_the_chapters() -> None:
    found = [step.name for c in CONTENTS if (step := step_of(c)) is not None]
    assert found == list(STEPS)


def test_the_cells_of_each_page_are_the_statements_of_its_module() -> None:
    """A page may not use ``%%engine`` yet; one that does adds what its module has."""
    notebooks = {path.stem: read(path) for path in chapter_paths()}
    found = {}
    for chapter in CONTENTS:
        notebook, step = notebooks[chapter.notebook], step_of(chapter)
        if added(notebook):
            assert step is not None, f"no step of the engine is {chapter.notebook}'s"
            found[chapter.notebook] = differences(notebook, step)
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_the_first_page_has_the_statements_of_its_module_in_plain_cells() -> None:
    path = next(p for p in chapter_paths() if p.stem == "00_start_here")
    cells = {cell.source.strip() for cell in code_cells(read(path))}
    statements = {statement.text for statement in STEPS["number"].statements}
    assert len(statements) == 2
    assert statements <= cells, statements - cells


@pytest.mark.parametrize("name", STEPS)
def test_a_page_with_all_statements_has_no_difference(name: str) -> None:
    source = STEPS[name].source
    half = len(STEPS[name].statements) // 2
    parts = [s.text for s in STEPS[name].statements]
    assert differences(page("x = 1", f"%%engine\n{source}"), STEPS[name]) == []
    cells = ["\n\n\n".join(part) for part in (parts[:half], parts[half:]) if part]
    notebook = page(*(f"%%engine\n{cell}" for cell in cells))
    assert differences(notebook, STEPS[name]) == []


def test_a_draft_may_come_before_and_what_differs_is_named() -> None:
    step = STEPS["copies"]
    draft = "%%engine\ndef sum_to(a, shape):\n    return a.sum(0)"
    assert differences(page(draft, f"%%engine\n{step.source}"), step) == []
    found = differences(page(draft), step)
    assert [text.split(":")[0] for text in found] == [
        "the page has not",
        "the module has not",
    ]
