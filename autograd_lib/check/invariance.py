"""Conditions that must not change a gradient (chapter 11).

The gradient of ⟨u, f⟩ is linear in u. It is the same in every pass and for every memory
layout of u, whether the function is called once or several times in one graph, and
whether its other inputs need gradients or are constants. And a pass writes nothing in
place. A rule that violates one of these may still be right in the one pass that is
compared with reference values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from autograd_lib.check.agreement import WrongGradient, distinct_texts
from autograd_lib.check.inputs import place
from autograd_lib.check.pullback import (
    gradients_of,
    leaves_of,
    pulled_back,
    tensors,
    weights,
)
from autograd_lib.check.reference import Arrays, Function, outputs
from autograd_lib.engine.numpy.coercion import from_numpy
from autograd_lib.engine.rules import is_view
from autograd_lib.engine.tape.tensor import Tensor

Names = tuple[list[str], list[str]]
SCALES = (1024.0, -1.0 / 1024)  # powers of two, which cause no rounding
SUMS = 1e-9  # relative error from another order of additions
AGAIN = 1e-12  # relative error between two passes that do the same


@dataclass(frozen=True)
class Question:
    """A function, its inputs, and names for messages.

    Attributes:
        where: the name of the check.
        f: the function.
        at: its inputs.
        names: the names of its outputs and of its inputs.
    """

    where: str
    f: Function
    at: Arrays
    names: Names

    def require_equal(
        self, ours: Arrays, right: Arrays, why: str, advice: str, near: float = SUMS
    ) -> None:
        """Raise WrongGradient if a gradient differs from the right one."""
        for i, (a, b) in enumerate(zip(ours, right, strict=True)):
            for k in differing(a, b, near):
                x, y, apart = distinct_texts(float(a[k]), float(b[k]))
                raise WrongGradient(
                    f"{self.where}: {why}, the gradient with respect to "
                    f"{self.names[1][i]}"
                    f"{place(k)} is {x}, and not {y}.{apart} {advice}"
                )


def differing(
    a: np.ndarray, b: np.ndarray, near: float = SUMS
) -> Iterator[tuple[int, ...]]:
    """Yield the indices at which `a` differs from finite numbers in `b`.

    Sums in another order are rounded differently, so the tolerance is relative to the
    element, or to 1, plus a much smaller fraction of the largest element.
    """
    largest = np.abs(b).max(initial=0.0, where=np.isfinite(b))
    allowed = near * np.maximum(1.0, np.abs(b)) + AGAIN * largest
    with np.errstate(invalid="ignore"):
        far = np.isfinite(b) & ~(np.abs(a - b) <= allowed)
    yield from (tuple(map(int, k)) for k in np.argwhere(far))


def steady_gradients(asked: Question, ys: Arrays, us: Arrays) -> list[np.ndarray]:
    """Return the gradient of ⟨u, f⟩ with respect to each input, if nothing changes it.

    Args:
        asked: the function, and its inputs.
        ys: its results for constants.
        us: the gradient of each output.

    Raises:
        WrongGradient: naming the condition that changes it, or the array that a pass
            wrote into.
    """
    leaves = leaves_of(asked.at)
    results = outputs(asked.f(*leaves))
    same_results(asked, results, ys)
    no_hidden_views(asked, results, leaves)
    ours = written_nowhere(asked, results, leaves, us)
    again = arrays(gradients_of(results, leaves, tensors(us)))
    asked.require_equal(
        again,
        ours,
        "in a second pass through the same graph",
        "Does a rule write into what was saved for it, or give other numbers at each "
        "call?",
        AGAIN,
    )
    linear(asked, results, leaves, us, ours)
    several_at_once(asked, results, leaves, us, ours)
    beside_constants(asked, us, ours)
    lying_elsewhere(asked, us, ours)
    return ours


def same_results(asked: Question, results: list[Tensor], ys: Arrays) -> None:
    """Raise WrongGradient if recording changes the results."""
    for j, (result, y) in enumerate(zip(results, ys, strict=True)):
        name = asked.names[0][j]
        if result.shape != y.shape:
            raise WrongGradient(
                f"{asked.where}: {name} has shape {result.shape} where it is recorded, "
                f"and {y.shape} for constants"
            )
        for k in differing(result.data, y):
            one, other, apart = distinct_texts(float(result.data[k]), float(y[k]))
            raise WrongGradient(
                f"{asked.where}: {name}{place(k)} is {one} where it is recorded, and "
                f"{other} for constants.{apart} Both must be the same numbers"
            )


def no_hidden_views(
    asked: Question, results: list[Tensor], leaves: list[Tensor]
) -> None:
    """Raise WrongGradient if a result is a view of an input, and its rule hides that.

    A write into either would change the other without the engine's knowledge.
    """
    for j, y in enumerate(results):
        for i, x in enumerate(leaves):
            node = y.node
            while node is not None and node is not x.node and is_view(node):
                node = node.parents[0]
            hidden = node is not None and node is not x.node
            if hidden and np.may_share_memory(y.data, x.data):
                raise WrongGradient(
                    f"{asked.where}: {asked.names[0][j]} shows the memory of "
                    f"{asked.names[1][i]}, so a write into one changes the other, and "
                    "its rule is not one of views; return a copy, or record it with "
                    '`view` and declare its rule by @rule("view", how)'
                )


def written_nowhere(
    asked: Question, results: list[Tensor], leaves: list[Tensor], us: Arrays
) -> list[np.ndarray]:
    """Return the gradient of a pass, if that pass writes nothing in place."""
    before = [x.data.copy() for x in leaves]
    try:
        ours = arrays(gradients_of(results, leaves, tensors(us)))
    except ValueError as error:  # the gradients that a pass starts with are read-only
        if "read-only" not in str(error):
            raise
        wrote_into(asked, "the gradient that it got")
    for name, now, then in zip(asked.names[1], leaves, before, strict=True):
        if not np.array_equal(now.data, then, equal_nan=True):
            wrote_into(asked, name)
    return ours


def wrote_into(asked: Question, kind: str) -> NoReturn:
    """Raise WrongGradient because a pass wrote in place."""
    raise WrongGradient(
        f"{asked.where}: the backward pass wrote into {kind}. A rule must return new "
        "arrays: it may write neither into the gradient that it gets nor into what was "
        "saved for it, since others have them too"
    )


def linear(
    asked: Question,
    results: list[Tensor],
    leaves: list[Tensor],
    us: Arrays,
    ours: Arrays,
) -> None:
    """Raise WrongGradient if a gradient isn't linear in u, or depends on u's layout."""

    def pulled(given: Arrays) -> list[np.ndarray]:
        lying = [from_numpy(np.asarray(u)) for u in given]  # keeps the memory layout
        return arrays(gradients_of(results, leaves, lying))

    kept = [w > 0 for w in weights(us, 2)]
    first = pulled([np.where(k, u, 0.0) for k, u in zip(kept, us, strict=True)])
    second = pulled([np.where(k, 0.0, u) for k, u in zip(kept, us, strict=True)])
    from_zero = pulled([np.zeros(u.shape) for u in us])
    large, small = ([g / s for g in pulled([s * u for u in us])] for s in SCALES)
    advice = "It must be linear in the gradient of the outputs."
    for how, got in (
        ("is 1024 times as large, and the result divided by 1024", large),
        ("is divided by -1024, and the result multiplied", small),
        ("is given in two parts, each with zeros", added(first, second)),
        ("is 0, and the result added", added(from_zero, ours)),
    ):
        asked.require_equal(got, ours, f"if that of the outputs {how}", advice)
    advice = "A rule must give the same wherever the numbers that it gets lie."
    for how, lay in LAYOUTS.items():
        got = pulled([lay(u) for u in us])
        asked.require_equal(
            got, ours, f"if that of the outputs lies {how} in memory", advice
        )


def several_at_once(
    asked: Question,
    results: list[Tensor],
    leaves: list[Tensor],
    us: Arrays,
    ours: Arrays,
) -> None:
    """Raise WrongGradient if calls of the function in one graph disturb each other."""
    others, more = weights(us, 3), weights(us, 4)
    near = nearby(asked)
    right_there = arrays(pulled_back(asked.f, leaves_of(near), tensors(others)))
    expected = added(ours, arrays(gradients_of(results, leaves, tensors(more))))
    here, there = leaves_of(asked.at), leaves_of(near)
    ys = [*outputs(asked.f(*here)), *outputs(asked.f(*there)), *outputs(asked.f(*here))]
    given = tensors([*us, *others, *more])
    got = arrays(gradients_of(ys, [*here, *there], given))
    why = "if the function is called several times in one graph"
    advice = "Does a rule keep numbers in one place for all calls?"
    asked.require_equal(got[: len(here)], expected, why, advice)
    asked.require_equal(got[len(here) :], right_there, why, advice)


def nearby(asked: Question) -> Arrays:
    """Return inputs slightly nearer to 0, or the same if f is undefined there."""
    near = [x * (1 - 2.0**-10) for x in asked.at]
    try:
        with np.errstate(all="ignore"):
            fine = all(
                np.isfinite(y.data).all() for y in outputs(asked.f(*leaves_of(near)))
            )
    except Exception:  # f may refuse these inputs in any way
        fine = False
    return near if fine else asked.at


def beside_constants(asked: Question, us: Arrays, ours: Arrays) -> None:
    """Raise WrongGradient if a gradient changes when other inputs need none."""
    for group in separating(len(asked.at)):
        inputs = [Tensor(x, i in group) for i, x in enumerate(asked.at)]
        try:
            got = arrays(pulled_back(asked.f, inputs, tensors(us)))
        except RuntimeError:  # the engine's, about a write into a constant
            continue
        right = [g if i in group else 0.0 * g for i, g in enumerate(ours)]
        why = (
            "if the other inputs are constants"
            if len(ours) == 2
            else ("if some of the other inputs are constants")
        )
        advice = "Does a rule belong to another input?"
        asked.require_equal(got, right, why, advice)


def lying_elsewhere(asked: Question, us: Arrays, ours: Arrays) -> None:
    """Raise WrongGradient if a gradient changes with the inputs' memory layout."""
    for how, lay in LAYOUTS.items():
        inputs = [from_numpy(lay(x)).requires_grad_() for x in asked.at]
        got = arrays(pulled_back(asked.f, inputs, tensors(us)))
        advice = "A rule must give the same wherever the numbers that it gets lie."
        asked.require_equal(got, ours, f"if the inputs lie {how} in memory", advice)


def separating(n: int) -> Iterator[set[int]]:
    """Yield groups so that each of any two inputs is in one without the other."""
    for bit in range(max(n - 1, 0).bit_length()):
        for value in (0, 1):
            yield {i for i in range(n) if i >> bit & 1 == value}


def arrays(gradients: list[Tensor]) -> list[np.ndarray]:
    """Return copies of the arrays of gradients."""
    return [g.detach().numpy().copy() for g in gradients]


def added(a: Arrays, b: Arrays) -> list[np.ndarray]:
    """Return the sums of arrays."""
    return [x + y for x, y in zip(a, b, strict=True)]


def by_columns(a: np.ndarray) -> np.ndarray:
    """Return an array in Fortran order."""
    return np.array(a, order="F")


def strided(a: np.ndarray) -> np.ndarray:
    """Return an array with strides of two elements, in reverse."""
    wide = np.zeros([2 * n for n in a.shape])
    every_second: Any = (*(slice(None, None, -2) for _ in a.shape), ...)
    lying: np.ndarray = wide[every_second]
    lying[...] = a
    return lying


LAYOUTS = {"in Fortran's order": by_columns, "strided": strided}
"""Memory layouts other than C order."""
