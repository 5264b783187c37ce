"""A card of experiments that every design goes through (chapter 08).

Each experiment has one right answer. A design gives it, or another one, or says that
it cannot; only another one is bad. A `Probe` is how the card talks to a design.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograd_lib.book import Table

DEPTH = 100_000
DOUBLINGS = 1_000

Function = Callable[..., Any]


class Probe:
    """How the card talks to a design. A design's probe overrides what differs.

    Attributes:
        name: what the design is called.
    """

    name = ""

    def leaf(self, array: np.ndarray) -> Any:
        """Return a number of the design, which begins a graph, from an array."""
        raise NotImplementedError

    def total(self, t: Any) -> Any:
        """Return the sum of all elements."""
        return t.sum()

    def walk_back(self, result: Any) -> None:
        """Walk back from a result of one element."""
        result.backward()

    def grad(self, leaf: Any) -> Any:
        """Return the gradient that walks have given a leaf."""
        return leaf.grad

    def write(self, leaf: Any, number: float) -> None:
        """Write a number into the leaf, in the way that the design's users would."""
        leaf.data[...] = number

    def gradients(self, f: Function, *arrays: np.ndarray) -> list[Any]:
        """Return the gradient of f's result toward each of its arguments."""
        leaves = [self.leaf(array) for array in arrays]
        self.walk_back(f(*leaves))
        return [self.grad(leaf) for leaf in leaves]

    def after_two_walks(self, f: Function, array: np.ndarray) -> Any:
        """Return the gradient after two walks from one result."""
        leaf = self.leaf(array)
        result = f(leaf)
        self.walk_back(result)
        self.walk_back(result)
        return self.grad(leaf)

    def second(self, f: Function, array: np.ndarray) -> Any:
        """Return the second derivative of f."""
        raise NotImplementedError

    def after_a_write(self, f: Function, array: np.ndarray, number: float) -> Any:
        """Return the gradient where the leaf was written to before the walk."""
        leaf = self.leaf(array)
        result = f(leaf)
        self.write(leaf, number)
        self.walk_back(result)
        return self.grad(leaf)


@dataclass(frozen=True)
class Outcome:
    """What a design made of an experiment: "right", another answer, or an error."""

    said: str
    seconds: float


class Card:
    """What a design made of each experiment.

    Attributes:
        name: the design's name.
        outcomes: an `Outcome` for each experiment, by its name.
    """

    def __init__(self, name: str, outcomes: dict[str, Outcome]) -> None:
        self.name = name
        self.outcomes = outcomes

    def said(self) -> dict[str, str]:
        """Return what was said, by experiment."""
        return {name: outcome.said for name, outcome in self.outcomes.items()}

    def times(self) -> Table:
        """Return a table of how many milliseconds each took: no two runs agree."""
        rows = [[name, f"{1e3 * o.seconds:.1f}"] for name, o in self.outcomes.items()]
        return Table(["experiment", f"{self.name}, ms"], rows)

    def __repr__(self) -> str:
        return repr(side_by_side(self))

    def _repr_markdown_(self) -> str:
        return side_by_side(self)._repr_markdown_()


def side_by_side(*cards: Card) -> Table:
    """Return a table of what several designs said, a column for each."""
    rows = [[name, *(card.said()[name] for card in cards)] for name in EXPERIMENTS]
    return Table(["experiment", *(card.name for card in cards)], rows)


def probe(design: Probe) -> Card:
    """Put a design through all experiments."""
    outcomes = {}
    for name, (experiment, expected) in EXPERIMENTS.items():
        start = time.perf_counter()
        try:
            said = verdict(experiment(design), expected)
        except NotImplementedError:
            said = "cannot be asked"
        except Exception as error:  # whatever a design raises is its answer
            said = type(error).__name__
        outcomes[name] = Outcome(said, time.perf_counter() - start)
    return Card(design.name, outcomes)


def verdict(answers: Sequence[Any], expected: Sequence[Any]) -> str:
    """Say whether the answers have the expected shapes and, nearly, numbers.

    Nearly is a millionth: billions of roundings, and far from any wrong answer. Of
    several wrong numbers the first is told.
    """
    for answer, right in zip(answers, expected, strict=True):
        if answer is None:
            return "wrong: no gradient"
        plain = isinstance(answer, np.ndarray | np.generic | float | int)
        got = np.asarray(answer if plain else answer.data, dtype=float)
        if got.shape != np.shape(right):
            return f"wrong: shape {got.shape}"
        far = ~np.isclose(got, right, rtol=1e-6, atol=1e-9)
        if far.any():
            return f"wrong: {got[far][0]:.4g}"
    return "right"


def fan_out(design: Probe) -> Sequence[Any]:
    """The example of chapter 05, in which a number in the middle is used twice."""

    def f(a: Any) -> Any:
        b = a * a
        return (b + a) * b

    return design.gradients(f, np.array(1.0))


def depth(design: Probe) -> Sequence[Any]:
    """A long sum."""

    def f(a: Any) -> Any:
        y = a
        for _ in range(DEPTH):
            y = y + a
        return y

    return design.gradients(f, np.array(1.0))


def doublings(design: Probe) -> Sequence[Any]:
    """Two to the power of a thousand paths, halved on the way."""

    def f(a: Any) -> Any:
        y = a
        for _ in range(DOUBLINGS):
            y = (y + y) * 0.5
        return y

    return design.gradients(f, np.array(1.0))


def broadcasting(design: Probe) -> Sequence[Any]:
    """A column times a row."""
    column, row = np.array([[1.0], [2.0], [3.0]]), np.array([1.0, 10.0, 100.0, 1000.0])
    return design.gradients(lambda a, b: design.total(a * b), column, row)


def second_walk(design: Probe) -> Sequence[Any]:
    """Leaves accumulate; numbers in between do not (chapter 04)."""
    return [design.after_two_walks(lambda a: (a * a) * 2.0, np.array(3.0))]


def second_derivative(design: Probe) -> Sequence[Any]:
    """Of the third power."""
    return [design.second(lambda a: a * a * a, np.array(2.0))]


def write_before_the_walk(design: Probe) -> Sequence[Any]:
    """The slope belongs to the number of the time of the calculation."""
    return [design.after_a_write(lambda a: a * a, np.array(3.0), 5.0)]


def numpy_function(design: Probe) -> Sequence[Any]:
    """NumPy's own function, called on a number of the design."""
    return design.gradients(np.sin, np.array(0.5))


EXPERIMENTS: dict[str, tuple[Callable[[Probe], Sequence[Any]], Sequence[Any]]] = {
    "a number used twice": (fan_out, [7.0]),
    f"a sum of {DEPTH:,}": (depth, [DEPTH + 1.0]),
    f"{DOUBLINGS:,} doublings": (doublings, [1.0]),
    "broadcasting": (
        broadcasting,
        [np.full((3, 1), 1111.0), np.full(4, 6.0)],
    ),
    "a second walk": (second_walk, [24.0]),
    "a second derivative": (second_derivative, [12.0]),
    "a write before the walk": (write_before_the_walk, [6.0]),
    "np.sin": (numpy_function, [np.cos(0.5)]),
}
"""Each experiment by its name, with its right answer, a gradient for each argument."""
