"""How long an engine is, and how many accidents it passes."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from autograd_lib.small import order
from autograd_lib.small.accidents.trial import load
from autograd_lib.small.cut import cut
from autograd_lib.small.so_far import lines, so_far

FILE = '''"""A module."""

import math  # for the root


class Root:
    """A root.

    It has two lines more.
    """

    text = """no docstring,
    but two lines"""

    # only a remark
    def of(self, x): return math.sqrt(x)
'''


def test_comments_and_docstrings_are_no_lines_of_code() -> None:
    assert lines(FILE) == 5
    assert lines("") == 0
    assert lines(cut("number")) == 12


def test_a_line_says_both_of_the_engine_of_a_page() -> None:
    page = SimpleNamespace(Number=order.Number, send_back=order.send_back)
    page.latest_first = order.latest_first
    said = f"Your engine: {lines(cut('order'))} lines, 7 of 7 accidents passed"
    assert so_far(page, "order") == said
    page.send_back = lambda y: None
    failing = so_far(page, "order")
    assert failing.startswith(f"Your engine: {lines(cut('order'))} lines, ")
    assert not failing.endswith(" 7 of 7 accidents passed")


def test_a_readers_file_is_counted_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(cut("order") + "\n\n# mine\nanswer = 42\n", encoding="utf-8")
    said = so_far(load(path), "order")
    number = lines(cut("order")) + 1
    assert said == f"Your engine: {number} lines, 7 of 7 accidents passed"


def test_a_step_that_is_none_is_an_error() -> None:
    page = SimpleNamespace(Number=order.Number, send_back=order.send_back)
    with pytest.raises(KeyError, match="ordre"):
        so_far(page, "ordre")
