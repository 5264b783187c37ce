"""A program's comments are the reader's own lines, wherever these stand."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from autograd_lib.functional import value_and_grad
from autograd_lib.program import compile as recorded

CELL = "def f(x):\n    bent = np.sin(x * x)\n    return bent\n"


@pytest.fixture
def cell() -> Iterator[Any]:
    """A function of a cell that no file holds, as on a live page."""
    name = "<cell 3, run 1>"
    linecache.cache[name] = len(CELL), None, CELL.splitlines(keepends=True), name
    scope: dict[str, Any] = {"np": np, "__name__": "__main__"}
    exec(compile(CELL, name, "exec"), scope)
    yield scope["f"]
    del linecache.cache[name]


def test_a_line_of_a_cell_is_found(cell: Any) -> None:
    source = recorded(value_and_grad(cell)).program(np.array(1.2)).source
    assert "# bent = np.sin(x * x)\n" in source
    assert "bent = sin(" in source
