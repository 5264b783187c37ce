"""What chapter 15 says of PyTorch, at ties and kinks and of powers, is what it says."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

from notebooks.notebook import ROOT, code_cells, python_source, read

torch: Any = None
try:
    torch = importlib.import_module("torch")
except ImportError:
    REASON = "PyTorch is not installed; pip install torch==2.13.0"
else:
    REASON = ""
NEEDS_TORCH = pytest.mark.skipif(torch is None, reason=REASON)

NAMES = (
    "def value_and_gradient",
    "kinks = {",
    "questions = {",
)
KINKS = {
    "relu at 0": lambda x: x.relu(),
    "abs at 0": lambda x: x.abs(),
    "max, of all": lambda x: x.max(),
    "max, along an axis": lambda x: x.max(0).values,
    "clip, at a bound": lambda x: x.clip(-1, 1),
    "norm at 0": lambda x: torch.linalg.norm(x),
    "std of equals": lambda x: x.std(correction=0),
    "two relus": lambda x: x.relu() - (-x).relu(),
}
QUESTIONS = {
    "where around log": lambda x: torch.where(x > 0, torch.log(x), 0.0),
    "x times its root": lambda x: x * torch.sqrt(x),
    "sigmoid": lambda x: 1 / (1 + torch.exp(-x)),
    "largest": lambda x: x.max(),
}
POWERS: dict[str, Any] = {
    "x**0, x = 0": (lambda x: x**0, 0.0),
    "x**y, (0, 0)": (lambda x, y: x**y, 0.0, 0.0),
    "x**y, (0, 2)": (lambda x, y: x**y, 0.0, 2.0),
    "x**3, x = -2": (lambda x: x**3, -2.0),
    "x**y, (-2, 3)": (lambda x, y: x**y, -2.0, 3.0),
    "x**0.5, x = -1": (lambda x: x**0.5, -1.0),
    "x**0.5, x = 0": (lambda x: x**0.5, 0.0),
}


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    """The names that the page's own cells define."""
    found: dict[str, Any] = {}
    cells = code_cells(read(ROOT / "chapters" / "15_edges.ipynb"))
    with np.errstate(all="ignore"):
        for i, cell in enumerate(cells):
            source = python_source(cell)
            if i in (1, 2) or any(name in source for name in NAMES):
                body = source.split("\nTable(")[0]
                exec(compile(body, f"cell {i}", "exec"), found)
    return found


def gradients(f: Any, at: Any) -> list[Any]:
    xs = [torch.tensor(a, dtype=torch.float64, requires_grad=True) for a in at]
    f(*xs).backward()
    return [x.grad.tolist() for x in xs]


@NEEDS_TORCH
def test_kinks_are_as_the_page_says(page: dict[str, Any]) -> None:
    assert KINKS.keys() == page["kinks"].keys() == page["pytorch"].keys()
    for name, (_, *at) in page["kinks"].items():
        assert gradients(KINKS[name], at) == [page["pytorch"][name]], name


@NEEDS_TORCH
def test_relu_and_a_maximum_with_0_choose_apart() -> None:
    nought = torch.zeros((), dtype=torch.float64)
    assert gradients(torch.relu, [0.0]) == [0.0]
    assert gradients(lambda x: torch.maximum(x, nought), [0.0]) == [0.5]


@NEEDS_TORCH
@pytest.mark.parametrize("table", ["questions", "powers"])
def test_elsewhere_pytorch_says_the_same(page: dict[str, Any], table: str) -> None:
    for name, (f, *at) in (POWERS if table == "powers" else page[table]).items():
        theirs = gradients(QUESTIONS.get(name, f), at)
        with np.errstate(all="ignore"):
            ours = page["value_and_gradient"](f, *at)[1]
        ours = [ours] if len(at) == 1 else ours
        # The page rounds to four digits.
        np.testing.assert_allclose(np.array(ours), np.array(theirs), rtol=1e-3)


def test_the_page_has_what_is_compared(page: dict[str, Any]) -> None:
    assert QUESTIONS.keys() == page["questions"].keys()
