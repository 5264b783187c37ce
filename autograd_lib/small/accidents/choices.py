"""Accidents of the step `choices`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autograd_lib.small.accidents.arrays import GRAD, types_stay
from autograd_lib.small.accidents.bench import (
    Engine,
    accident,
    against_differences,
    holds,
    near,
    plain,
    refused,
    right_or_refused,
)

CHOICES = (*GRAD, "Tensor.sum", "Tensor.mean", "Tensor.reshape", "Tensor.swapaxes")
LOSS = (*CHOICES, "cross_entropy")


def loss_of(engine: Engine) -> Callable[[Any, Any], Any]:
    """Return cross entropy: a function of the engine, or a method of its tensors."""
    if hasattr(engine.module, "cross_entropy"):
        function: Callable[[Any, Any], Any] = engine.cross_entropy
        return function
    return lambda scores, labels: scores.cross_entropy(labels)


@accident(*CHOICES)
def choices_branch(engine: Engine) -> None:
    """The branch that is not picked gets 0, and no 0 · ∞, which is NaN."""
    t = engine.leaf([0.0, 2.0])
    y = np.where(t > 0, np.log(np.where(t > 0, t, 1.0)), 0.0)
    near(engine.slope(y, t), [0.0, 0.5], choices_branch.about)
    t = engine.leaf([0.0, 4.0])
    with np.errstate(divide="ignore"):
        root = np.sqrt(np.where(t > 0, t, 0.0))
        near(engine.slope(root, t), [0.0, 0.25], choices_branch.about)
    x, y = engine.leaf([1.0, 2.0]), engine.leaf(3.0)
    got = engine.slopes(np.where(np.array([True, False]), x, y) * 2.0, [x, y])
    near(got[0], [2.0, 0.0], choices_branch.about)
    near(got[1], 2.0, choices_branch.about)


@accident(*LOSS)
def choices_large(engine: Engine) -> None:
    """Subtract the largest score first, and take no logarithm of a 0."""
    scores = engine.leaf([[0.0, 1000.0]])
    loss = loss_of(engine)(scores, np.array([0]))
    near(loss, 1000.0, choices_large.about)
    near(engine.slope(loss, scores), [[-1.0, 1.0]], choices_large.about)


@accident(*LOSS)
def choices_loss(engine: Engine) -> None:
    """The loss is the mean over the examples of −log p of the right class."""
    z = np.array([[1.0, 2.0, 0.5], [0.1, -1.0, 3.0], [0.0, 0.0, 1.0], [2.0, 1.0, 1.0]])
    labels = np.array([2, 0, 1, 0])
    p = np.exp(z) / np.exp(z).sum(1, keepdims=True)
    scores = engine.leaf(z)
    loss = loss_of(engine)(scores, labels)
    near(loss, -np.log(p[np.arange(4), labels]).mean(), choices_loss.about)
    slope = engine.slope(loss, scores)
    near(slope, (p - np.eye(3)[labels]) / 4, "Its slope: (p − 1 where right) / 4.")


@accident(*LOSS)
def choices_labels(engine: Engine) -> None:
    """A label that no class has, or labels of another shape, are a mistake: refuse."""
    loss, scores = loss_of(engine), engine.leaf(np.zeros((4, 3)))
    words = "label", "class", "bounds", "shape", "range"
    for labels in ([0, 1, 2, 3], [0, 1, 2, -1], [[0], [0], [0], [0]]):
        refused(partial(loss, scores, np.array(labels)), words, choices_labels.about)
    scores, words = engine.leaf([[0.0, 1.0], [3.0, 0.0]]), ("label", "class", "integer")
    given, about = engine.Tensor([0, 1]), "Labels in a tensor are labels; or say so."
    right = np.log([1 + np.e, 1 + np.exp(3)]).mean()
    right_or_refused(partial(loss, scores, given), right, words, about)


@accident(*CHOICES)
def choices_shapes(engine: Engine) -> None:
    """A sum hands its gradient to each term; a shape goes back to what it was."""
    at = np.array([[0.5, 1.5, 1.0], [2.0, 0.7, -1.0]])
    against_differences(
        engine,
        {
            "sum(0)": lambda t: t.sum(0) * t,
            "sum(1, keepdims)": lambda t: t.sum(1, keepdims=True) * t,
            "sum()": lambda t: t.sum() * t,
            "sum((0, 1))": lambda t: t.sum((0, 1)) * t,
            "mean()": lambda t: t.mean() * t,
            "mean(1)": lambda t: t.mean(1),
            "np.sum(axis=-1)": lambda t: np.sum(t, axis=-1),
            "np.mean(axis=0)": lambda t: np.mean(t, axis=0) * t,
            "reshape": lambda t: t.reshape(1, 6) @ t.reshape((6, 1)),
            "reshape(-1)": lambda t: t.reshape(3, -1) @ t,
            "reshape of a row": lambda t: t.sum(0, keepdims=True).reshape(3, 1) * t.T,
            "swapaxes": lambda t: t.swapaxes(0, 1) @ t,
        },
        at,
    )
    near(engine.leaf([[1.0, 3.0]]).mean(1), [2.0], "This is the mean of 1 and 3.")
    shape = engine.leaf(np.ones((0, 3))).mean(1).shape
    holds(shape == (0,), f"Got {shape}, right is (0,).", "No rows have no means.")
    shape = engine.leaf(np.ones((2, 1, 3))).sum(1).shape
    holds(shape == (2, 3), f"Got {shape}, right is (2, 3).", choices_shapes.about)


@accident(*CHOICES)
def choices_types(engine: Engine) -> None:
    """float32 stays float32: a mean divides by a number of Python's, not of NumPy's."""
    functions: dict[str, Callable[[Any], Any]] = {
        "mean(0)": lambda t: t.mean(0),
        "mean()": lambda t: t.mean(),
        "sum(1)": lambda t: t.sum(1),
        "np.where": lambda t: np.where(t > 1.0, t * 2.0, 0.0),
        "np.maximum": lambda t: np.maximum(t, 0.0),
        "reshape": lambda t: t.reshape(3, 2),
    }
    for name, function in functions.items():
        t = engine.leaf(np.ones((2, 3), np.float32))
        types_stay(engine, function(t), t, f"{choices_types.about} This is {name}.")


@accident(*CHOICES)
def choices_maximum(engine: Engine) -> None:
    """The larger number gets the gradient; in a tie both get one gradient in all."""
    near(
        np.maximum(engine.leaf([np.nan, -2.0]), 0.0),
        [np.nan, 0.0],
        "NaN is not 0: a maximum that hides it hides a mistake.",
    )
    against_differences(
        engine,
        {"maximum": lambda t: np.maximum(t, np.array([1.0, 1.0, 0.0])) * t},
        [0.5, 1.5, -1.0],
    )
    x, y = engine.leaf([1.0, 2.0]), engine.leaf([1.0, 3.0])
    got = engine.slopes(np.maximum(x, y), [x, y])
    near(got[0] + got[1], [1.0, 1.0], choices_maximum.about)
    t = engine.leaf([-np.inf])
    got = engine.slope(np.maximum(t, -np.inf), t)
    near(got, [0.5], "Infinities tie, too, and their difference is not a number.")
    t = engine.leaf(np.ones(2, np.float32))
    found = plain(engine.slope(np.maximum(t, 0.0), t)).dtype.name
    holds(found == "float32", f"Got {found}, right is float32.", "float32 stays.")


@accident(*CHOICES)
def choices_comparisons(engine: Engine) -> None:
    """A comparison has no slope, and gives plain True and False, as NumPy does."""
    t = engine.leaf([1.0, 2.0, 3.0])
    for name, found, right in (
        ("t > 2", t > 2.0, [False, False, True]),
        ("t < 2", t < 2.0, [True, False, False]),
        ("t == 2", t == 2.0, [False, True, False]),
        ("t != 2", t != 2.0, [True, False, True]),
        ("t >= 2", t >= 2.0, [False, True, True]),
        ("t <= 2", t <= 2.0, [True, True, False]),
        ("array < t", np.full(3, 2.0) < t, [False, False, True]),
    ):
        got = np.asarray(plain(found))
        same = got.shape == (3,) and got.tolist() == right
        got_said = f"Got {got.tolist()}, right is {right}."
        holds(same, got_said, f"{choices_comparisons.about} This is {name}.")
    zero = bool(engine.leaf(0.0))
    holds(not zero, f"Got {zero}, right is False.", "if t: asks whether t is 0.")
    several = "Of several numbers, which one is asked?"
    refused(lambda: bool(t), ("truth", "ambiguous", "size", "one number"), several)
