"""Checks notice small mistakes, or it is explained why these are none."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from autograd_lib.book import reals
from course.judge.strength import Tried, all_tried, explained, mutants_of, tried
from notebooks.exercises import Exercise

SAMPLE = ["0.1", "2.4", "4.4", "5.2", "11.3", "12.4", "14.1"]
SOLUTION = "def f(x, n):\n    y = 2 * x\n    return g(y, n) if n > 1 else (y, n)\n"


def test_mutants_are_sources_that_differ_and_have_names_that_differ() -> None:
    found = list(mutants_of(SOLUTION))
    sources = [ast.unparse(ast.parse(SOLUTION)), *(source for _, source in found)]
    assert len(set(sources)) == len(found) + 1
    assert len({what for what, _ in found}) == len(found)
    assert {"y = 2 * x → pass", "2 * x → 2 / x", "n > 1 → n >= 1"} <= dict(found).keys()
    assert "return g(n, y) if" in dict(found)["g(y, n) → g(n, y)"]
    assert "else (n, y)" in dict(found)["(y, n) → (n, y)"]


@pytest.mark.parametrize("label", SAMPLE)
def test_a_check_accepts_only_what_is_explained(label: str) -> None:
    (one,) = all_tried([label])
    assert sorted(one.survivors()) == sorted(explained().get(label, {}))


def test_every_explanation_is_of_a_change_and_has_a_reason() -> None:
    for label, reasons in explained().items():
        assert label.count(".") == 1
        assert all(" → " in what and why for what, why in reasons.items())


STUB = "def f(x):\n    ...\n\n\ncheck(f, lambda x: 2 * x, reals(1, 3))"


def doubling(solution: str) -> Tried:
    """Return an exercise that asks for twice a number, with a solution."""
    return tried(Exercise("0.9", 0, STUB, solution), {"reals": reals})


def test_what_a_check_accepts_survives() -> None:
    strong = doubling("def f(x):\n    return 2 * x")
    assert list(strong.survivors()) == []
    idle = doubling("def f(x):\n    n = 1\n    return 2 * x")
    assert list(idle.survivors()) == ["n = 1 → pass", "1 → 2"]


def test_code_that_fails_or_goes_on_for_ever_is_not_accepted() -> None:
    accepts = replace(doubling("def f(x):\n    return x + x"), seconds=0.2).accepts
    assert not accepts("def f(x):\n    while x > 0:\n        x += 1")
    assert not accepts("f = 1 / 0")
    assert not accepts("n = 1")


def test_a_check_that_refuses_the_solution_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"the check of 0\.9 refuses the solution"):
        doubling("def f(x):\n    return x")
