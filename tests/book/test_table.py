"""Small tables, as Markdown and as text."""

import math

import numpy as np
import pytest

from autograd_lib.book.table import Table, cell_text


def test_columns_line_up_as_text():
    table = Table(["x", "long name"], [[12345, 1], [2, "two"]])
    assert repr(table).splitlines() == [
        "x     | long name",
        "------|----------",
        "12345 | 1",
        "2     | two",
    ]


def test_a_notebook_gets_markdown_with_pipes_escaped():
    table = Table(["|x|", "y"], [["a|b", None]])
    assert table._repr_markdown_().splitlines() == [
        "| \\|x\\| | y |",
        "| --- | --- |",
        "| a\\|b |  |",
    ]


def test_a_table_without_rows_shows_its_columns():
    assert repr(Table(["x"], [])) == "x\n-"


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, ""),
        (1 / 3, "0.3333"),
        (np.float64(1e-9), "1e-09"),
        (1234567, "1234567"),
        (True, "True"),
        (math.nan, "nan"),
        ("sin", "sin"),
    ],
)
def test_cells_are_short_and_none_is_empty(cell, text):
    assert cell_text(cell) == text


def test_rows_may_come_from_a_generator():
    assert repr(Table(["n"], ([n] for n in range(2)))).endswith("0\n1")


@pytest.mark.parametrize("row", [[], [1], [1, 2, 3]])
def test_a_row_of_another_length_is_named(row):
    with pytest.raises(ValueError, match=f"row 1 has {len(row)} cells for 2 columns"):
        Table(["x", "y"], [[1, 2], row])
