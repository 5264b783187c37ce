"""The probe card: its right answers are right, and other answers are told apart."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd_lib.graph import topological_order
from autograd_lib.scalar.numerical import COMPLEX_STEP
from autograd_lib.scalar.value import Value
from course.capstone import probe_card as card_module
from course.capstone.probe_card import (
    EXPERIMENTS,
    SPREAD,
    Probe,
    arrays_behind,
    probe,
    table,
    verdict,
)
from tests.course.helpers.probes import (
    OfDependency,
    OfFunction,
    OfTensor,
    OfTracing,
    OfValue,
)

NOT_RIGHT = {
    OfValue: {
        "broadcasting": "TypeError",
        "a second derivative": "cannot be asked",
        "a write to a constant": "TypeError",
        "a rule of the wrong shape": "TypeError",
        "np.sin": "TypeError",
        "kept for 10 layers": "TypeError",
        "runs for two gradients": "1",
    },
    OfDependency: {
        "a second derivative": "RuntimeError",
        "a rule of the wrong shape": "ValueError",
        "np.sin": "TypeError",
        "kept for 10 layers": "21 arrays",  # with the leaf's gradient of zeros
        "runs for two gradients": "1",
    },
    OfFunction: {
        "a second derivative": "wrong: no gradient",
        "a write before the walk": "wrong: 10",
        "a write to a constant": "wrong: 5",
        "a rule of the wrong shape": "wrong: 3",
        "np.sin": "TypeError",
        "kept for 10 layers": "20 arrays",
        "runs for two gradients": "1",
    },
    OfTracing: {
        "a write to a constant": "wrong: 5",
        "a rule of the wrong shape": "ValueError",
        "np.sin": "TypeError",
        "kept for 10 layers": "20 arrays",
        "runs for two gradients": "2",
    },
    OfTensor: {
        "a write before the walk": "RuntimeError",
        "a write to a constant": "wrong: 5",
        "a rule of the wrong shape": "RuntimeError",
        "kept for 10 layers": "10 arrays",
        "runs for two gradients": "1",
    },
}


@pytest.mark.parametrize("design", NOT_RIGHT, ids=lambda design: design.name)
def test_the_card_of(design: type[Probe]) -> None:
    said = probe(design())
    assert list(said) == list(EXPERIMENTS)
    assert {n: s for n, s in said.items() if s != "right"} == NOT_RIGHT[design]


class Witness(Probe):
    """Derivatives without a graph, by complex steps: the card's answers, once more."""

    name = "witness"

    def total(self, t: Any) -> Any:
        return np.sum(t)

    def gradients(self, f: Callable[..., Any], *arrays: np.ndarray) -> list[Any]:
        found = []
        for k, array in enumerate(arrays):
            gradient = np.empty(array.shape)
            for place in np.ndindex(array.shape):
                moved = [a.astype(complex) for a in arrays]
                moved[k][place] += 1j * COMPLEX_STEP
                gradient[place] = np.imag(f(*moved)) / COMPLEX_STEP
            found.append(gradient)
        return found

    def after_two_walks(self, f: Callable[..., Any], array: np.ndarray) -> Any:
        return sum(self.gradients(f, array) + self.gradients(f, array))

    def second(self, f: Callable[..., Any], array: np.ndarray) -> Any:
        h = 1e-4  # 3a² is of the second degree, where a central difference is exact
        ends = (np.asarray(array + step) for step in (h, -h))
        above, below = (self.gradients(f, end)[0] for end in ends)
        return (above - below) / (2 * h)

    def after_a_write(self, f: Callable[..., Any], array: np.ndarray, _: float) -> Any:
        return self.gradients(f, array)[0]

    def after_a_write_outside(
        self, f: Callable[..., Any], array: np.ndarray, write: Callable[[], None]
    ) -> Any:
        return self.gradients(f, array)[0]

    def spread(self, t: Any) -> Any:
        return t @ SPREAD  # the right rule, for once


def test_the_right_answers_are_those_of_a_witness() -> None:
    asked = [name for name, (_, expected) in EXPERIMENTS.items() if expected]
    said = probe(Witness())
    assert [said[name] for name in asked] == ["right"] * len(asked)


class Closures:
    """A small engine of arrays with the faults that such engines have.

    It accumulates in between too, reads the data when walked back, and has no idea of
    broadcasting.
    """

    def __init__(self, data: Any, parents: tuple[Any, ...] = ()) -> None:
        self.data, self.parents, self.grad = np.array(data), parents, np.array(0.0)
        self.rules: tuple[Callable[[Any], Any], ...] = ()

    def __add__(self, other: Any) -> Closures:
        out = Closures(self.data + other.data, (self, other))
        out.rules = (lambda g: g, lambda g: g)
        return out

    def __mul__(self, other: Any) -> Closures:
        if not isinstance(other, Closures):
            other = Closures(other)
        out = Closures(self.data * other.data, (self, other))
        out.rules = (lambda g: g * other.data, lambda g: g * self.data)
        return out

    def sum(self) -> Closures:
        out = Closures(self.data.sum(), (self,))
        out.rules = (lambda g: g,)
        return out

    def backward(self) -> None:
        self.grad = np.array(1.0)
        for v in reversed(topological_order(self)):
            for parent, rule in zip(v.parents, v.rules, strict=True):
                parent.grad = parent.grad + rule(v.grad)


class OfClosures(Probe):
    name = "closures"

    def leaf(self, array: np.ndarray) -> Any:
        return Closures(array)


def without(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    few = {name: e for name, e in EXPERIMENTS.items() if name not in names}
    monkeypatch.setattr(card_module, "EXPERIMENTS", few)


def test_wrong_answers_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "a sum of 100,000")  # it would take seconds
    said = probe(OfClosures())
    assert said["a number used twice"] == "right"
    assert said["broadcasting"] == "wrong: shape (4,)"
    assert said["a second walk"] == "wrong: 36"
    assert said["a second derivative"] == "cannot be asked"
    assert said["a write before the walk"] == "wrong: 10"
    assert said["a write to a constant"] == "right"  # it copies, as all its data


class Naive(OfValue):
    name = "naive"

    def walk_back(self, result: Any) -> None:
        result.grad = 1.0
        self._walk(result)

    def _walk(self, v: Value) -> None:
        for parent, slope in zip(v.parents, v.slopes, strict=True):
            parent.grad += slope * v.grad
        for parent in v.parents:
            self._walk(parent)


def test_the_naive_pass_of_chapter_05_is_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without(monkeypatch, "1,000 doublings")  # it would visit 2**1000 paths
    said = probe(Naive())
    assert said["a number used twice"] == "wrong: 13"
    assert said["a sum of 100,000"] == "RecursionError"


def test_a_design_that_says_nothing_of_itself_cannot_be_asked() -> None:
    assert set(probe(Probe()).values()) == {"cannot be asked"}


@pytest.mark.parametrize(
    ("answers", "expected", "said"),
    [
        ([7.0], [7.0], "right"),
        ([np.float64(7)], [7.0], "right"),
        ([np.array(7.0)], [7.0], "right"),
        ([Value(7.0)], [7.0], "right"),
        ([7], [7.0], "right"),
        ([7.0 + 1e-9], [7.0], "right"),  # rounding
        ([7.001], [7.0], "wrong: 7.001"),
        ([13.0], [7.0], "wrong: 13"),
        ([math.nan], [7.0], "wrong: nan"),
        ([math.inf], [7.0], "wrong: inf"),
        ([None], [7.0], "wrong: no gradient"),
        ([np.ones(1)], [1.0], "wrong: shape (1,)"),
        ([1.0, np.ones(3)], [1.0, np.ones((3, 1))], "wrong: shape (3,)"),
        ([np.array([1.0, 5.0, 6.0])], [np.ones(3)], "wrong: 5"),
        ([1.0, 3.0], [1.0, 2.0], "wrong: 3"),
    ],
)
def test_verdict(answers: list[Any], expected: list[Any], said: str) -> None:
    assert verdict(answers, expected) == said


class Endless(Probe):
    name = "endless"

    def gradients(self, f: Callable[..., Any], *arrays: np.ndarray) -> list[Any]:
        while True:
            arrays = (*arrays[:1],)


def test_what_never_ends_is_said_to(monkeypatch: pytest.MonkeyPatch) -> None:
    only = [name for name in EXPERIMENTS if name != "1,000 doublings"]
    without(monkeypatch, *only)
    monkeypatch.setattr(card_module, "PATIENCE", 0.1)
    assert probe(Endless()) == {"1,000 doublings": "never ends"}


def test_arrays_are_found_wherever_they_are_kept() -> None:
    a, b, c = np.ones(2), np.ones(3), np.ones(4)

    def closure(default: Any = b) -> Any:
        return a, default

    held = {"function": closure, "views": [c[1:], c[::2]], "class": np.ndarray}
    assert {id(array) for array in arrays_behind(held)} == {id(a), id(b), id(c)}


def test_a_gradient_too_few_is_an_error() -> None:
    with pytest.raises(ValueError, match="zip"):
        verdict([1.0], [1.0, 2.0])


def test_a_card_is_a_table_in_which_what_is_wrong_has_a_sign() -> None:
    shown = table("mine", {"depth": "right", "broadcasting": "wrong: 1"})
    assert shown.columns == ["experiment", "mine"]
    assert shown.rows == [["depth", "right"], ["broadcasting", "✗ wrong: 1"]]
