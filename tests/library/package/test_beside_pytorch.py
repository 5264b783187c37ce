"""Each row of *Here and in PyTorch* is so: here, and there where it is installed."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import tests.library.leaves.test_leaves_agreement as leaves
from tests.library.beside_pytorch.rows import Row, Side, row, sections
from tests.library.beside_pytorch.sides import here, in_pytorch, outcome
from tests.library.operations.case import all_cases

ROWS = [row for section in sections() for row in section.rows]
VERSION = "2.13"
each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.topic)


@pytest.fixture(scope="module")
def torch() -> Iterator[Any]:
    torch = pytest.importorskip(
        "torch",
        reason="PyTorch is not installed, so no row's other side is run here; "
        "pip install torch==2.13.0",
    )
    if not torch.__version__.startswith(f"{VERSION}."):
        pytest.skip(f"the rows are about PyTorch {VERSION}, not {torch.__version__}")
    always, before = torch.is_warn_always_enabled(), torch.get_rng_state()
    torch.set_warn_always(True)  # some warnings come once in a program
    yield torch
    torch.set_warn_always(always)
    torch.set_rng_state(before)


def compare(side: Side, names: dict[str, Any]) -> None:
    """Run one side: the value is as written; messages begin as written."""
    found, warned = outcome(side.code, names)
    kind, _, message = side.gives.partition(": ")
    if message and kind.isidentifier():
        assert found.startswith(side.gives)
    else:
        assert found == side.gives
    for text in warned:
        assert text.startswith(side.warns or "no warning"), text
    for text in side.warns:
        assert any(w.startswith(text) for w in warned), text


@each_row
def test_a_row_is_so_here(row: Row) -> None:
    compare(row.here, here())


@each_row
def test_a_row_is_so_in_pytorch(torch: Any, row: Row) -> None:
    compare(row.pytorch, in_pytorch())


@each_row
def test_a_row_is_complete(row: Row) -> None:
    assert row.why.endswith((".", "?", "!"))
    for side in (row.here, row.pytorch):
        assert side.gives
        assert max(map(len, side.code.splitlines())) <= 88


def test_topics_have_names_of_their_own() -> None:
    for section in sections():
        topics = Counter(row.topic for row in section.rows)
        assert [topic for topic, n in topics.items() if n > 1] == []


def test_an_unknown_key_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown keys"):
        row({"topic": "x", "chapter": 1, "why": "y.", "here_give": ""})


def test_what_other_tests_found_to_differ_has_a_row() -> None:
    covered = {name for row in ROWS for name in row.covers}
    operations = {case.operation for case in all_cases() if case.difference}
    assert operations <= covered
    assert set(leaves.DIFFERENCES) <= covered


def test_writes_and_numbers_that_differ_have_a_row(torch: Any) -> None:
    covered = {name for row in ROWS for name in row.covers}
    writes = importlib.import_module("tests.library.writes.test_in_place_agreement")
    numbers = importlib.import_module("tests.library.scalar.test_value_agreement")
    assert {program.__name__ for program, *_ in writes.DIFFERENT} <= covered
    assert {name.partition("(")[0] for name in numbers.DIFFERENCES} <= covered


def test_a_wrong_row_is_noticed() -> None:
    compare(Side("1 + 1", "2", ()), {})
    for wrong in (
        Side("1 + 1", "3", ()),
        Side("1 + 1", "2", ("UserWarning: x",)),
        Side("import warnings\nwarnings.warn('y')\n2", "2", ()),
        Side("1 / 0", "ZeroDivisionError: something else", ()),
    ):
        with pytest.raises(AssertionError):
            compare(wrong, {})
