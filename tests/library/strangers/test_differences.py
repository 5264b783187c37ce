"""What differs from each system is listed where users look, and nothing else is."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.library.strangers.differences import (
    MICROGRAD,
    SYSTEMS,
    Difference,
    printed,
)

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "pages" / "your_own_program.md"
ROWS = [(name, row) for name, system in SYSTEMS.items() for row in system.differences]
IDS = [f"{name}: {row.says[:40]}" for name, row in ROWS]


@pytest.mark.parametrize(("name", "row"), ROWS, ids=IDS)
def test_programs_print_here_what_the_list_says(name: str, row: Difference) -> None:
    for program, there, here in row.programs:
        assert printed(program, SYSTEMS[name]) == here
        assert there != here


@pytest.mark.parametrize("row", MICROGRAD, ids=[row.says[:40] for row in MICROGRAD])
def test_programs_print_with_micrograd_what_the_list_says(row: Difference) -> None:
    engine = pytest.importorskip("micrograd.engine")
    nn = importlib.import_module("micrograd.nn")
    upstream = SimpleNamespace(Value=engine.Value, Neuron=nn.Neuron)
    for program, there, _ in row.programs:
        assert printed(program, upstream) == there


@pytest.mark.parametrize(("name", "row"), ROWS, ids=IDS)
def test_each_sentence_stands_in_the_docstring_and_on_the_page(
    name: str, row: Difference
) -> None:
    says = folded(row.says)
    assert says in folded(SYSTEMS[name].modules[0].__doc__)
    assert says in folded(PAGE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_page_lists_no_difference_that_no_program_shows(name: str) -> None:
    text = PAGE.read_text(encoding="utf-8")
    section = text.partition(f"<!-- {name} -->")[2].partition("<!-- end -->")[0]
    assert section.strip().splitlines() == [
        f"- {folded(row.says)}" for row in SYSTEMS[name].differences
    ]


def folded(text: Any) -> str:
    """Return a text with its white space folded."""
    return re.sub(r"\s+", " ", str(text))
