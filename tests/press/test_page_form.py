"""A page's form: code behind icons, the place of its time, the minutes of its cells."""

from __future__ import annotations

from pathlib import Path

import pytest
from docutils import nodes

from press.sphinx.book_ext.cells import put_behind_an_icon
from press.sphinx.book_ext.frame import below
from press.sphinx.book_ext.live import minutes_of


def test_code_that_only_draws_or_imports_is_behind_an_icon() -> None:
    figure, other = (
        nodes.container(classes=["cell", f"tag_{t}"]) for t in ("figure", "x")
    )
    put_behind_an_icon(figure)
    put_behind_an_icon(other)
    assert figure["hide_mode"] == "input"
    assert figure["prompt_show"] == "The figure’s code"
    assert "book-icon" in figure["classes"]
    assert "hide_mode" not in other


@pytest.mark.parametrize(
    ("row", "expected"),
    [("tab", "abt"), ("tabF", "abtF"), ("tF", "tF"), ("t", "t")],
)
def test_the_time_stands_below_the_first_words(row: str, expected: str) -> None:
    kinds = {"F": nodes.container}
    section = nodes.section()
    section += [kinds.get(one, nodes.paragraph)("", nodes.Text(one)) for one in row]
    below(section[0])
    assert "".join(part.astext() for part in section) == expected


def test_minutes_are_told_where_there_is_more_than_one(tmp_path: Path) -> None:
    (tmp_path / "live").mkdir()
    rows = '"chapters/a" = { seconds = 500 }\n"chapters/b" = { seconds = 55 }\n'
    rows += '"chapters/d" = { seconds = 420, at_least = true }\n'
    (tmp_path / "live" / "minutes.toml").write_text(rows, encoding="utf-8")
    told = [minutes_of(tmp_path, f"chapters/{page}") for page in "abcd"]
    assert told == ["about 8 min", "", "", "more than 7 min"]
