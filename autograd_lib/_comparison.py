"""The gradient that the rules give, beside the witness's (chapter 14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograd_lib._checkable import place, results, validated
from autograd_lib._witness import (
    COMPLEX,
    Arrays,
    Function,
    Statement,
    outputs,
    witness,
)
from autograd_lib.backward import grad
from autograd_lib.tensor import Tensor

# A complex step errs by rounding, a central difference by ε^(2/3), 4e-11, times the
# third derivative. Both leave room for the roundings of long calculations.
TOLERANCES = {True: 1e-9, False: 1e-6}
KINK = 1e-3  # how far the slopes of the two sides part, at least
FEW = 1_000  # so many elements of the outputs are looked at to find which is wrong

Names = tuple[list[str], list[str]]


class WrongGradient(AssertionError):
    """A gradient is not what its witness says."""


@dataclass(frozen=True)
class Agreement:
    """What a check found where nothing is wrong.

    Attributes:
        compared: how many numbers were compared with a witness.
        by: which witness: "complex step", "central difference", or both.
        tolerance: how far apart they may be: absolute below 1, relative above.
    """

    compared: int
    by: str
    tolerance: float

    def __repr__(self) -> str:
        numbers = "1 number" if self.compared == 1 else f"{self.compared} numbers"
        if not self.compared:
            return "✓ there was no number to compare"
        return f"✓ {numbers} by {self.by}, to {self.tolerance:.0e}"


def compare(
    where: str,
    f: Function,
    inputs: Sequence[Any],
    tolerance: float | None,
    names: Names | None = None,
) -> Agreement:
    """Do what `check.gradcheck` says; messages begin with `where`, and use `names`."""
    at = validated(where, f, inputs)
    us = weights(results(where, f, at), 0)
    ours = gradients(where, f, at, us)
    names = names or default_names(us, at)
    wrong: list[tuple[int, tuple[int, ...], Statement]] = []
    told_by: dict[str, float] = {}
    for i, x in enumerate(at):
        for index in np.ndindex(x.shape):
            told = witness(f, at, unit(at, i, index))
            limit = told_by[told.by] = tolerance_for(told, tolerance)
            theirs = dot(told.slopes, us)
            noise = told.noise * sum(float(np.abs(u).sum()) for u in us)
            allowed = limit * max(1.0, abs(theirs)) + noise
            if not abs(ours[i][index] - theirs) <= allowed:
                wrong.append((i, index, told))
    if wrong:
        i, index, told = wrong[0]
        of_input = sum(j == i for j, _, _ in wrong)
        raise WrongGradient(
            f"{where}: {explained(f, at, i, index, told, names)} Toward {names[1][i]}, "
            f"{of_input} of {at[i].size} slopes are wrong."
        )
    size = sum(x.size for x in at)
    return Agreement(size, " and ".join(told_by), max(told_by.values(), default=0.0))


def gradients(where: str, f: Function, at: Arrays, us: Arrays) -> Arrays:
    """Return the gradient toward each input, by `grad` and by `backward`, twice."""
    leaves = [Tensor(x, requires_grad=True) for x in at]
    given = [Tensor(u) for u in us]
    ours = [g.numpy().copy() for g in pulled_back(f, leaves, given)]
    ys = outputs(f(*leaves))
    for passes in (1, 2):
        for y, u in zip(ys, given, strict=True):
            if y.requires_grad:
                y.backward(u, retain_graph=True)
        for i, (leaf, g) in enumerate(zip(leaves, ours, strict=True)):
            total = np.zeros(g.shape) if leaf.grad is None else leaf.grad.numpy()
            right = passes * g
            # The same numbers, added up in another order.
            far = ~np.isclose(total, right, rtol=1e-9, atol=1e-12, equal_nan=True)
            for index in np.argwhere(far):
                k = tuple(index)
                raise WrongGradient(
                    f"{where}: after backward was called {passes} times, grad of "
                    f"input {i}{place(k)} is {total[k]:.8g}, and {passes} times what "
                    f"the function grad gives is {right[k]:.8g}; passes must add up in "
                    "leaves, and start anew elsewhere"
                )
    return ours


def pulled_back(
    f: Function,
    leaves: Sequence[Tensor],
    us: Sequence[Tensor],
    create_graph: bool = False,
) -> list[Tensor]:
    """Return the gradient of ⟨u, f⟩ toward each leaf, 0 where none is recorded.

    Raises:
        WrongGradient: if one has another shape than its leaf.
    """
    recorded = [
        (y, u) for y, u in zip(outputs(f(*leaves)), us, strict=True) if y.requires_grad
    ]
    found: Sequence[Tensor | None] = [None] * len(leaves)
    if recorded:
        ys, given = zip(*recorded, strict=True)
        found = grad(ys, leaves, given, create_graph=create_graph, allow_unused=True)
    gradients: list[Tensor] = []
    for i, (g, x) in enumerate(zip(found, leaves, strict=True)):
        g = Tensor(np.zeros(x.shape)) if g is None else g
        if g.shape != x.shape:
            raise WrongGradient(
                f"input {i} has shape {x.shape}, and its gradient {g.shape}"
            )
        gradients.append(g)
    return gradients


def explained(
    f: Function,
    at: Arrays,
    i: int,
    index: tuple[int, ...],
    told: Statement,
    names: Names,
) -> str:
    """Say which output's slope is wrong, both numbers, and what may be the reason."""
    leaves = [Tensor(x, requires_grad=True) for x in at]
    shapes = [y.shape for y in told.slopes]
    places = [(j, at) for j, shape in enumerate(shapes) for at in np.ndindex(shape)]
    found: list[tuple[float, int, tuple[int, ...]]] = []
    for j, at_j in places[:FEW]:
        zeros = [np.zeros(shape) for shape in shapes]
        us = list(map(Tensor, unit(zeros, j, at_j)))
        slope = float(pulled_back(f, leaves, us)[i].numpy()[index])
        found.append((slope, j, at_j))
    slope, j, at_j = max(found, key=lambda one: badness(one[0], told, *one[1:]))
    theirs = float(told.slopes[j][at_j])
    digits = 8 if told.by == COMPLEX else 5
    text = (
        f"the slope of {names[0][j]}{place(at_j)} toward {names[1][i]}{place(index)} "
        f"is {slope:.{digits}g} by the rules, and {theirs:.{digits}g} by {told.by}."
    )
    left, right = (float(side[j][at_j]) for side in told.sides)
    if not np.isfinite(theirs):
        text += " The input lies at the edge of what the function is defined for."
    elif abs(left - right) > KINK * max(1.0, abs(left), abs(right)):
        text += (
            f" To the left the slope is {left:.4g}, to the right {right:.4g}: a kink "
            "is no place for a check; move the input."
        )
    elif told.rejected is not None:
        text += (
            f" (The complex step says {told.rejected[j][at_j]:.4g}: the function is "
            "not analytic.)"
        )
    elif slope == 0.0:
        text += " Did a number leave its tensor? Look for detach, numpy() or no_grad."
    return text


def badness(slope: float, told: Statement, j: int, at_j: tuple[int, ...]) -> float:
    """Return how far apart two slopes are; NaN is farthest."""
    apart = abs(slope - float(told.slopes[j][at_j]))
    return np.inf if np.isnan(apart) else apart


def default_names(ys: Arrays, at: Arrays) -> Names:
    """Return what messages call the outputs and the inputs."""
    several = [f"output {j}" for j in range(len(ys))]
    return several if len(ys) > 1 else ["output"], [
        f"input {i}" for i in range(len(at))
    ]


def names_of_gradients(at: Arrays, ys: Arrays) -> Names:
    """Return what messages call gradients, and what these depend on."""
    outs, ins = default_names(ys, at)
    return (
        [f"the gradient of {name}" for name in ins],
        [*ins, *(f"the gradient of {name}" for name in outs)],
    )


def tolerance_for(told: Statement, wanted: float | None) -> float:
    """Return how far apart two numbers may be."""
    return TOLERANCES[told.by == COMPLEX] if wanted is None else wanted


def weights(like: Arrays, seed: int) -> list[np.ndarray]:
    """Return arrays of the given ones' shapes, of ±(0.5 to 1.5), no two alike."""
    rng = np.random.default_rng(seed)
    return [
        np.asarray(rng.uniform(0.5, 1.5, x.shape) * rng.choice([-1.0, 1.0], x.shape))
        for x in like
    ]


def unit(like: Arrays, i: int, index: tuple[int, ...]) -> list[np.ndarray]:
    """Return zeros of the given arrays' shapes, with a single 1."""
    zeros = [np.zeros(x.shape) for x in like]
    zeros[i][index] = 1.0
    return zeros


def dot(a: Arrays, b: Arrays) -> float:
    """Return the inner product of two lists of arrays."""
    return float(sum(np.vdot(x, y) for x, y in zip(a, b, strict=True)))
