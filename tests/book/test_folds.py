"""Folds are few, stand in no figure's way, and their answers come into the open."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from notebooks.folds import (
    MOST,
    Piece,
    before_the_figure,
    folds,
    given_away,
    pieces,
    unanswered,
)
from notebooks.notebook import ROOT, chapter_paths, normalise, read

NEW = nbformat.v4
QUESTIONS = 2
PATHS = [ROOT / "index.ipynb", *chapter_paths()]
LEFT = tomllib.loads(Path(__file__).with_name("folds_left.toml").read_text("utf-8"))
COUNTED: dict[str, tuple[Callable[[list[Piece]], list[Piece]], int]] = {
    "folds": (folds, MOST),
    "questions": (lambda page: [p for p in page if p.kind == "answer"], QUESTIONS),
    "before_the_figure": (before_the_figure, 0),
    "unanswered": (unanswered, 0),
    "given_away": (given_away, 0),
}


@pytest.mark.parametrize("what", COUNTED)
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_page_keeps_the_limits_or_its_row_in_the_list(path: Path, what: str) -> None:
    count, most = COUNTED[what]
    found = count(pieces(read(path)))
    allowed = LEFT.get(path.stem, {}).get(what, most)
    told = "\n".join(f"cell {one.cell}: {one.name}" for one in found)
    assert len(found) <= allowed, f"{what}: {len(found)} of {allowed}\n{told}"


def test_the_list_names_pages_and_counts() -> None:
    assert {*LEFT} <= {path.stem for path in PATHS}
    assert {what for row in LEFT.values() for what in row} <= {*COUNTED}


def code(source: str, printed: str = "", *marks: str, name: str = "") -> NotebookNode:
    cell = NEW.new_code_cell(source, metadata={"tags": list(marks)})
    if name:
        cell.metadata.mystnb = NotebookNode(code_prompt_show=name)
    if printed == "drawn":
        data = {"image/svg+xml": "<svg/>", "text/plain": "a figure"}
        cell.outputs = [NEW.new_output("display_data", data)]
    elif printed:
        cell.outputs = [NEW.new_output("stream", text=printed)]
    return cell


def page(*cells: NotebookNode | str) -> list[Piece]:
    """Return the pieces of a notebook; a text stands for a cell of Markdown."""
    made = [NEW.new_markdown_cell(c) if isinstance(c, str) else c for c in cells]
    notebook = NEW.new_notebook(cells=made)
    normalise(notebook)
    return pieces(notebook)


def answer(text: str) -> str:
    return f'<details class="answer"><summary>Which?</summary>\n\n{text}\n\n</details>'


def test_code_behind_an_icon_is_no_fold_and_the_rest_is_of_its_kind() -> None:
    found = page(
        code("import numpy", "", "imports"),
        code("Plot(fig)", "drawn", "figure"),
        code("print(7)", "7\n", "predicted", name="7 or 8?"),
        code("x = 1", "", "hide-cell", name="A proof"),
        "Open.\n\n<details><summary>A listing</summary>lines</details>\n\nOpen.",
        "**Exercise 1.1.** Why?\n\n<details><summary>A hint</summary>no</details>",
    )
    kinds = " ".join(piece.kind for piece in found)
    assert kinds == "figure answer more prose more prose prose exercise"
    assert [p.name for p in folds(found)] == ["7 or 8?", "A proof", "A listing"]


def test_a_listing_between_a_question_and_its_figure_is_found() -> None:
    listing = code("x = 1", "", "hide-input", name="A listing")
    figure = code("Plot(fig)", "drawn", "figure")
    assert before_the_figure(page("Why?", listing, figure)) != []
    assert before_the_figure(page(listing, "Why?", figure)) == []


def test_an_answer_that_stays_folded_is_found() -> None:
    asked = [
        "# Twelve?\n\nWhat does it print, with 5?",
        code("f(5)"),
        answer("It is 24."),
    ]
    assert unanswered(page(*asked, "Now to another matter, of 5 lines."))
    assert not unanswered(page(*asked, "Next.", code("print(f(5))", "24\n")))
    assert not unanswered(page(*asked, "Next.", "Twice, **24** came out."))
    assert unanswered(page(*asked, answer("Again 24."), "The end."))


def test_an_answer_that_is_given_away_beside_or_above_it_is_found() -> None:
    asked = ["# A pass\n\nWhat does it print?", code("f(5)"), answer("It is 12.")]
    assert given_away(page(*asked, "Twelve, since both arrive."))
    assert given_away(page(*asked, "A first paragraph.\n\nTwelve, after that."))
    assert given_away(page(*asked, "## Next\n\nFor each of the 12, a turn."))
    listing = code("x = 1", "", "hide-input", name="A listing")
    assert given_away(page(*asked, "Why?", listing, "Twelve, after a closed fold."))
    assert not given_away(page(*asked, "Now run it.", code("f(5)"), "Twelve."))
    figure = code("Plot(fig)", "drawn", "figure")
    assert not given_away(page(*asked, figure, "Twelve, as drawn."))
    assert not given_away(page(*asked, f"{'One word more. ' * 60}Twelve."))
    assert given_away(page("# Why 12", code("f(5)"), answer("It is 12.")))
    assert not given_away(page("# Why 12", "# A pass", *asked[1:]))


def test_an_answer_in_times_is_not_judged_by_them() -> None:
    asked = ["What takes longer?", code("f(5)")]
    times = code("race()", "27 ms and 12 ms\n", "predicted", name="I have decided")
    assert given_away(page(*asked, times, "Twelve of them stay in the cache."))
    times.metadata.tags.append("nbval-ignore-output")
    assert not given_away(page(*asked, times, "Twelve of them stay in the cache."))
    assert not unanswered(page(*asked, times, "To another matter."))
