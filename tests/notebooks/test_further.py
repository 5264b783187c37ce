"""Exercises on a part's page belong to their chapter: to its judge and its handout."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from course.sets.handout import main as hand_out
from course.sets.questions import read_set
from notebooks.exercises import exercises
from notebooks.further import BROUGHT, block_of, homes, whole
from notebooks.notebook import (
    chapter_paths,
    exercise_paths,
    notebook_paths,
    place_setup_cell,
    write,
)
from tests.book.helpers.shape import missing_from_further, missing_pieces
from tools.check import of_exercises

NEW = nbformat.v4
LINK = "[Exercise 5.2](exercises_2.ipynb#chapter-05-order) is on another page."


def exercise(label: str, name: str) -> list[NotebookNode]:
    """Return the three cells of an exercise whose answer is to return its argument."""
    stub = f"def {name}(x):\n    ...\n\n\ncheck({name}, same, reals(1, 2))"
    answer = f"<details>\n\n```python\ndef {name}(x):\n    return x\n```\n</details>"
    return [
        NEW.new_markdown_cell(f"**Exercise {label}.** Return it."),
        NEW.new_code_cell(stub, metadata={"tags": ["exercise"]}),
        NEW.new_markdown_cell(answer, metadata={"tags": ["solution"]}),
    ]


def brought(source: str) -> NotebookNode:
    return NEW.new_code_cell(source, metadata={"tags": [BROUGHT, "hide-cell"]})


IMPORTS = "from autograd_lib.book import check, reals"
SAME = "def same(x):\n    return x"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two chapters, and a page with a further exercise of each."""
    folder = tmp_path / "chapters"
    folder.mkdir()
    for number, name in (4, "value"), (5, "order"):
        link = LINK.replace("5", str(number)).replace("order", name)
        cells = [
            NEW.new_markdown_cell(f"# {name.title()}"),
            NEW.new_code_cell(f"{IMPORTS}\n\n\n{SAME}"),
            NEW.new_markdown_cell("## Exercises"),
            NEW.new_markdown_cell(link),
            *exercise(f"{number}.1", "f"),
            NEW.new_markdown_cell("## Further reading"),
        ]
        page = NEW.new_notebook(cells=cells)
        place_setup_cell(page, "")
        write(page, folder / f"{number:02}_{name}.ipynb")
    further = [
        NEW.new_markdown_cell("# Further exercises"),
        NEW.new_markdown_cell("## Chapter 04: Value\n\nOf [04](04_value.ipynb)."),
        brought(IMPORTS),
        brought(SAME),
        *exercise("4.2", "g"),
        NEW.new_markdown_cell("## Chapter 05: Order\n\nOf [05](05_order.ipynb)."),
        brought(IMPORTS),
        brought(SAME),
        *exercise("5.2", "h"),
        NEW.new_markdown_cell("**Exercise 5.3.** Why?"),
    ]
    write(NEW.new_notebook(cells=further), folder / "exercises_2.ipynb")
    return tmp_path


def test_a_page_of_further_exercises_is_a_notebook_and_no_chapter(root: Path) -> None:
    assert [path.name[:2] for path in chapter_paths(root)] == ["04", "05"]
    assert notebook_paths(root) == [*chapter_paths(root), *exercise_paths(root)]


def test_a_chapter_is_taken_with_all_of_its_exercises(root: Path) -> None:
    for path in chapter_paths(root):
        number = int(path.name[:2])
        page = whole(path)
        labels = [one.label for one in exercises(page)]
        assert labels == [f"{number}.1", f"{number}.2"]
        text = "\n".join(cell.source for cell in page.cells)
        assert (text.count(SAME), text.count(IMPORTS)) == (1, 2)
        assert "exercises_2" not in text
        asked = read_set(path).questions
        assert [one.label for one in asked] == labels
        assert asked[1].cell_id == f"exercise-{number}-2"
    other = exercise_paths(root)[0]
    assert whole(other) == nbformat.read(other, as_version=4)


def test_a_handout_has_the_further_exercises_and_no_solution(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("course.sets.selection.ROOT", root)
    assert hand_out(["05", "--into", str(root / "handout")]) == 0
    made = nbformat.read(root / "handout" / "05_order.ipynb", as_version=4)
    nbformat.validate(made)
    ids = [cell.id for cell in made.cells]
    assert {"exercise-5-1", "exercise-5-2"} < {*ids}
    assert not any("return x\n```" in cell.source for cell in made.cells)


def test_exercises_are_at_home_where_they_stand(root: Path) -> None:
    found = {name: [e.label for e in exercises(page)] for name, page in homes(root)}
    assert found == {
        "04_value": ["4.1"],
        "05_order": ["5.1"],
        "exercises_2, chapter 04": ["4.2"],
        "exercises_2, chapter 05": ["5.2"],
    }


def test_a_changed_page_has_the_tests_of_its_chapters_run(root: Path) -> None:
    names = ["chapters/05_order.ipynb", "chapters/exercises_2.ipynb"]
    assert of_exercises(names, root) == ["[5.", "[4.", "[04_", "[5.", "[05_"]


def test_a_chapter_without_a_link_has_lost_its_further_exercises(root: Path) -> None:
    first = chapter_paths(root)[0]
    assert len(block_of(first)) == 5
    page = nbformat.read(first, as_version=4)
    numbered, says = "exercises are numbered", "below Exercises says"
    assert numbered not in str(missing_pieces(page, 4, ["4.2"]))
    assert says not in str(missing_pieces(page, 4, ["4.2"]))
    assert numbered in str(missing_pieces(page, 4, ["4.3"]))
    assert f"{says} ['4.2'], not ['4.3']" in str(missing_pieces(page, 4, ["4.3"]))
    page.cells = [cell for cell in page.cells if "exercises_2" not in cell.source]
    assert f"{says} [], not ['4.2']" in str(missing_pieces(page, 4, ["4.2"]))
    write(page, first)
    assert block_of(first) == []


@pytest.mark.parametrize(
    ("old", "new", "missing"),
    [
        ("# Further exercises", "Further exercises", "a title"),
        ("](05_order.ipynb)", "]", "heading of chapter 05 lacks a link"),
        ("Exercise 5.2.", "Exercise 4.2.", "['4.2'] are not of chapter 05"),
        ("Exercise 5.3.", "Exercise 6.1.", "['6.1'] are not of chapter 05"),
        ("## Chapter 05", "## Chapter 03", "chapters are not in order"),
        ("**Exercise 4.2.**", "**Exercise**", "chapter 04 has no exercise"),
        ("## Chapter", "## Part", "no heading begins with"),
    ],
)
def test_what_a_page_of_further_exercises_lacks_is_said(
    root: Path, old: str, new: str, missing: str
) -> None:
    page = nbformat.read(exercise_paths(root)[0], as_version=4)
    assert missing_from_further(page) == []
    for cell in page.cells:
        cell.source = cell.source.replace(old, new)
        if "no exercise" in missing:
            cell.metadata.pop("tags", None)
    assert missing in str(missing_from_further(page))


def test_a_definition_that_the_chapter_lost_stays_with_its_exercises(
    root: Path,
) -> None:
    """Both names of a cell must be above: with one of them missing, it is kept."""
    place = exercise_paths(root)[0]
    page = nbformat.read(place, as_version=4)
    cell = next(c for c in page.cells if c.source == SAME)
    cell.source = f"{SAME}\n\n\ndef twice(x):\n    return 2 * x"
    write(page, place)
    text = "\n".join(c.source for c in whole(chapter_paths(root)[0]).cells)
    assert text.count(SAME) == 2
    assert "def twice" in text
