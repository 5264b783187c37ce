"""A diff of a notebook shows what an author changed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest

from notebooks.notebook import ROOT, chapter_paths, normalise, read
from tools import cells
from tools.refresh import refresh

CHAPTER = next(path for path in chapter_paths() if path.name.startswith("12_"))


def git(folder: Path, *arguments: str) -> str:
    """Return what git writes in a folder."""
    author = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    command = ["git", *author, *arguments]
    result = subprocess.run(
        command, cwd=folder, check=True, capture_output=True, encoding="utf-8"
    )
    return result.stdout


def change_a_sentence(path: Path) -> tuple[int, str, str]:
    """Change a sentence; return the cell's place, the old text and the new."""
    notebook = read(path)
    at = next(
        i
        for i, cell in enumerate(notebook.cells)
        if i > 2 and cell.cell_type == "markdown" and "\n" not in cell.source
    )
    old = notebook.cells[at].source
    notebook.cells[at].source = new = old + " And so on."
    nbformat.write(notebook, path)
    return at, old, new


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a repository with one chapter, and with notebooks shown as text."""
    (tmp_path / "tools").mkdir()
    (tmp_path / "chapters").mkdir()
    shutil.copy(ROOT / "tools/cells.py", tmp_path / "tools")
    shutil.copy(ROOT / ".gitattributes", tmp_path)
    shutil.copy(CHAPTER, tmp_path / "chapters")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "Begin")
    cells.set_up(tmp_path)
    return tmp_path


def test_a_changed_sentence_changes_one_cell_and_nothing_else(clone: Path) -> None:
    path = clone / "chapters" / CHAPTER.name
    before = read(path)
    at, _, new = change_a_sentence(path)
    refresh(path, ROOT)
    after = read(path)
    assert after.cells[at].source == new
    after.cells[at].source = before.cells[at].source
    assert after == before
    assert git(clone, "diff", "--no-textconv", "--numstat").split()[:2] == ["1", "1"]


def test_git_shows_the_sentence_and_no_output(clone: Path) -> None:
    path = clone / "chapters" / CHAPTER.name
    notebook = read(path)
    printing = next(c for c in notebook.cells if c.get("outputs"))
    printing.outputs = []
    nbformat.write(notebook, path)
    assert "@@" not in git(clone, "diff")
    _, old, new = change_a_sentence(path)
    lines = git(clone, "diff").splitlines()
    changed = [x for x in lines if x[0] in "+-" and x[:3] not in ("+++", "---")]
    assert changed == [f"-{old}", f"+{new}"]


def test_a_cell_is_shown_below_its_kind_id_and_tags() -> None:
    text = '{"cells": [{"cell_type": "code", "id": "a1", "metadata": {"tags": ["b"]},'
    text += ' "source": ["x = 1\\n", "x"], "outputs": [{"output_type": "stream"}]}]}'
    assert cells.as_text(text) == "# %% code a1 (b)\nx = 1\nx\n"


def test_what_is_not_a_notebook_is_shown_as_it_is() -> None:
    assert cells.as_text("<<<<<<< HEAD\n{") == "<<<<<<< HEAD\n{"


def test_a_copied_cell_and_one_without_id_get_ids_that_stay() -> None:
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_markdown_cell("One.", id="one") for _ in range(3)]
    del notebook.cells[2]["id"]
    normalise(notebook)
    names = [cell.id for cell in notebook.cells]
    assert names[0] == "one"
    assert len(set(names)) == 3
    for cell in notebook.cells:
        cell.source = "Other."
    normalise(notebook)
    assert [cell.id for cell in notebook.cells] == names


def test_an_exercise_has_its_number_and_a_copy_of_it_does_not() -> None:
    notebook = nbformat.v4.new_notebook()
    stated = nbformat.v4.new_markdown_cell("**Exercise 9.3.** Why?")
    copy = nbformat.v4.new_code_cell("...", id="exercise-9-3")
    asked = nbformat.v4.new_code_cell("...", metadata={"tags": ["exercise"]})
    notebook.cells = [copy, stated, asked]
    normalise(notebook)
    assert asked.id == "exercise-9-3"
    assert copy.id != asked.id
