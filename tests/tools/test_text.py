"""The command that collects the chapters' prose."""

from __future__ import annotations

import nbformat
import pytest

from tools.text import common_only, plain, prose


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("# A *title* of **two** words", "A title of two words"),
        ("see [order](04_order.ipynb#x), `f(x)`", "see order, f(x)"),
        ("- one\n- two, *three*", "one\ntwo, three"),
        ("> quoted", "quoted"),
        ("| a | b |\n| --- | --- |\n| 1 | 2 |", ""),
        ("before\n```python\nx = 1\n```\nafter", "before\nafter"),
        (
            "<details><summary>Answer</summary>\n\nx < 3 and 4 > y",
            "Answer\nx < 3 and 4 > y",
        ),
        ("a line  \nbroken", "a line\nbroken"),
        ("$3 * 4$ is 3*4*5", "3 * 4 is 3*4*5"),
        (r"$\frac{\partial L}{\partial w_3}$", "d L/d w_3"),
        (r"as $\bar{\mathbf{x}}_1 \cdot 2 \leq \sqrt{e}$.", "as x_1 * 2 <= sqrt(e)."),
        ("so:\n\n$$y = x^2$$", "so:"),
        ("1 − 2… × 3", "1 - 2... * 3"),
    ],
)
def test_marks_are_taken_off(markdown: str, text: str) -> None:
    assert plain(markdown) == text


def test_only_markdown_cells_are_prose() -> None:
    cells = [
        nbformat.v4.new_markdown_cell("# Title\n\nA sentence."),
        nbformat.v4.new_code_cell("x = 1"),
        nbformat.v4.new_markdown_cell("$$x$$\n\nAnother."),
    ]
    notebook = nbformat.v4.new_notebook(cells=cells)
    assert prose(notebook) == "Title\n\nA sentence.\n\nAnother."


def test_rare_characters_are_left_out() -> None:
    assert common_only("abab" * 8 + "z") == "abab" * 8
