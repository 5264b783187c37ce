"""Each page says how long it takes, and one rule holds it to that."""

from pathlib import Path

import nbformat
import pytest

from notebooks.notebook import chapter_paths, read
from tools.budget import APART, budget, main

PATHS = chapter_paths()
MOST_MINUTES = 19 * 60 + 45  # of all chapters: what is added takes something away


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_page_takes_the_time_that_it_says(path: Path) -> None:
    one = budget(read(path))
    assert abs(one.minutes - one.said) <= APART, one


def test_the_book_grows_no_longer() -> None:
    assert sum(budget(read(path)).minutes for path in PATHS) <= MOST_MINUTES


def test_the_rule_counts_what_a_reader_meets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = nbformat.v4
    text = "**Time:** 9 minutes.\n\n" + "word " * 237 + "$x + y$\n```\ncode\n```"
    exercise = "one two\n\n**Exercise 1.1.** " + "asked " * 500
    cells = [
        new.new_markdown_cell(text),
        new.new_code_cell("x = 1\n\n" * 20),
        new.new_code_cell("x = 1\n" * 30, metadata={"tags": ["hide-input"]}),
        new.new_code_cell("x = 1\n" * 9, metadata={"tags": ["figure"]}),
        new.new_code_cell("x = 1\n" * 3, metadata={"tags": ["imports"]}),
        new.new_code_cell("x = 1\n" * 500, metadata={"tags": ["setup"]}),
        new.new_markdown_cell(exercise),
        new.new_code_cell("x = 1\n" * 500, metadata={"tags": ["exercise"]}),
        new.new_markdown_cell("solved " * 500, metadata={"tags": ["solution"]}),
    ]
    path = tmp_path / "01_made_up.ipynb"
    nbformat.write(new.new_notebook(cells=cells), path)
    one = budget(read(path))
    assert (one.words, one.open_lines, one.folded_lines) == (243, 20, 42)
    assert (one.exercises, one.said) == (1, 9)
    assert one.minutes == pytest.approx(243 / 120 + 2 + 42 / 30 + 2)
    assert main([str(path)]) == 0
    assert "01_made_up" in capsys.readouterr().out
    path.write_text(path.read_text("utf-8").replace("9 minutes", "20 minutes"), "utf-8")
    assert main([str(path)]) == 1
