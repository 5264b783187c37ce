"""Compare the gradient that the rules give with reference values (chapter 11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from autograd_lib.check.agreement import Agreement, WrongGradient, distinct_texts
from autograd_lib.check.inputs import place, results, validated
from autograd_lib.check.invariance import Names, Question, steady_gradients
from autograd_lib.check.pullback import leaves_of, pulled_back, tensors, unit, weights
from autograd_lib.check.reference import (
    COMPLEX,
    Arrays,
    Function,
    Slopes,
    flat,
    outputs,
    reference_slopes,
)
from autograd_lib.check.transposed import transposed

# A complex step has rounding errors only, a central difference errs by ε^(2/3), 4e-11,
# times the third derivative. Both leave room for the rounding of long calculations.
TOLERANCES = {True: 1e-9, False: 1e-6}
FEW = 1_000  # elements of the outputs that are searched for the wrong one


def compare(
    where: str,
    f: Function,
    inputs: Sequence[Any],
    tolerance: float | None,
    names: Names | None = None,
) -> Agreement:
    """Do the comparison of `check.gradcheck`; messages use `where` and `names`."""
    at = validated(where, f, inputs, tolerance)
    ys = results(where, f, at)
    us = weights(ys, 0)
    asked = Question(where, f, at, names or default_names(ys, at))
    ours = steady_gradients(asked, ys, us)
    add_up(asked, us, ours)
    wrong: list[tuple[int, tuple[int, ...], Slopes]] = []
    limits: dict[str, float] = {}
    for i, x in enumerate(at):
        for index in np.ndindex(x.shape):
            slopes = reference_slopes(f, at, unit(at, i, index))
            known(asked, slopes, ys, f"{asked.names[1][i]}{place(index)}")
            limit = limits[slopes.by] = tolerance_for(slopes, tolerance)
            value, error = weighed(slopes, us)
            allowed = limit * max(1.0, abs(value)) + error
            if not abs(ours[i][index] - value) <= allowed:
                wrong.append((i, index, slopes))
    if wrong:
        i, index, slopes = wrong[0]
        of_input = sum(j == i for j, _, _ in wrong)
        raise WrongGradient(
            f"{where}: {explained(asked, i, index, slopes, ys)} With respect to "
            f"{asked.names[1][i]}, {of_input} of {at[i].size} slopes are wrong."
        )
    transposed(asked, tolerance or TOLERANCES[True])
    size = sum(x.size for x in at)
    return Agreement(size, " and ".join(limits), max(limits.values(), default=0.0))


def add_up(asked: Question, us: Arrays, ours: Arrays) -> None:
    """Raise WrongGradient unless two passes of `backward` add up in leaves."""
    leaves = leaves_of(asked.at)
    ys = outputs(asked.f(*leaves))
    for passes in (1, 2):
        for y, u in zip(ys, tensors(us), strict=True):
            if y.requires_grad:
                y.backward(u, retain_graph=True)
        for i, (leaf, g) in enumerate(zip(leaves, ours, strict=True)):
            total = np.zeros(g.shape) if leaf.grad is None else leaf.grad.numpy()
            right = passes * g
            # The same numbers are added in another order.
            far = ~np.isclose(total, right, rtol=1e-9, atol=1e-12, equal_nan=True)
            for index in np.argwhere(far):
                k = tuple(index)
                got, expected, apart = distinct_texts(float(total[k]), float(right[k]))
                raise WrongGradient(
                    f"{asked.where}: after backward was called {passes} times, grad of "
                    f"{asked.names[1][i]}{place(k)} is {got}, and {passes} times what "
                    f"the function grad gives is {expected};{apart} passes must add up "
                    "in leaves, and start anew elsewhere"
                )


def known(asked: Question, slopes: Slopes, ys: Arrays, wrt: str) -> None:
    """Raise ValueError if there is no reference value."""
    for n in np.flatnonzero(slopes.unknown):
        j, at_j = list(output_elements(ys))[n]
        output = f"{asked.names[0][j]}{place(at_j)}"
        text = f"{asked.where}: no reference value for {output} with respect to {wrt}."
        if slopes.kinks[n]:
            raise ValueError(
                f"{text} To the left the slope is {slopes.left[n]:.4g}, to the right "
                f"{slopes.right[n]:.4g}: a kink is no place for a check; move the input"
            )
        if np.isinf(slopes.errors[n]):
            raise ValueError(
                f"{text} The input lies at the edge of what the function is defined "
                "for; move it"
            )
        raise ValueError(
            f"{text} A difference gives {slopes.values[n]:.2g}, and may be off by "
            f"{slopes.errors[n]:.1g}: the result, {ys[j][at_j]:.2g}, is rounded too "
            "roughly beside its slopes, or jumps nearby; take away what is constant, "
            "or move the input"
        )


def weighed(slopes: Slopes, us: Arrays) -> tuple[float, float]:
    """Return the sum of slopes times the outputs' gradients, and its error."""
    u = flat(us)
    return float(slopes.values @ u), 4 * float(np.linalg.norm(slopes.errors * u))


def explained(
    asked: Question, i: int, index: tuple[int, ...], slopes: Slopes, ys: Arrays
) -> str:
    """Return a text with the output whose slope is wrong, both numbers, and a hint."""
    leaves = leaves_of(asked.at)
    zeros = [np.zeros(y.shape) for y in ys]
    found: list[float] = []
    for _, (j, at_j) in zip(range(FEW), output_elements(ys), strict=False):
        us = tensors(unit(zeros, j, at_j))
        g = pulled_back(asked.f, leaves, us)[i]
        found.append(float(g.numpy()[index]))
    apart = np.abs(np.array(found) - slopes.values[: len(found)])
    n = int(np.argmax(np.where(np.isnan(apart), np.inf, apart)))
    j, at_j = list(output_elements(ys))[n]
    ours, reference, differ = distinct_texts(
        found[n], float(slopes.values[n]), 8 if slopes.by == COMPLEX else 6
    )
    text = (
        f"the slope of {asked.names[0][j]}{place(at_j)} with respect to "
        f"{asked.names[1][i]}"
        f"{place(index)} is {ours} by the rules, and {reference} by {slopes.by}."
        f"{differ}"
    )
    if slopes.blind is not None:
        text += (
            f" (The complex step gives {slopes.blind[n]:.4g}: the function is not "
            "analytic.)"
        )
    elif found[n] == 0.0:
        text += " Did a number leave its tensor? Look for detach, numpy() or no_grad."
    return text


def output_elements(ys: Arrays) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the output and index of each element, one output after the other."""
    for j, y in enumerate(ys):
        for index in np.ndindex(y.shape):
            yield j, index


def default_names(ys: Arrays, at: Arrays) -> Names:
    """Return the names of the outputs and of the inputs, for messages."""
    several = [f"output {j}" for j in range(len(ys))]
    return several if len(ys) > 1 else ["output"], [
        f"input {i}" for i in range(len(at))
    ]


def names_of_gradients(at: Arrays, ys: Arrays) -> Names:
    """Return the names of the gradients and of their inputs, for messages."""
    outs, ins = default_names(ys, at)
    return (
        [f"the gradient of {name}" for name in ins],
        [*ins, *(f"the gradient of {name}" for name in outs)],
    )


def tolerance_for(slopes: Slopes, wanted: float | None) -> float:
    """Return the allowed difference of two numbers."""
    return TOLERANCES[slopes.by == COMPLEX] if wanted is None else wanted
