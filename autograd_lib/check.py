"""Is this gradient right? Three checks, none of which believes a rule (chapter 14).

`gradcheck` compares each element of a gradient with a witness, `dotcheck` a whole
gradient along one direction, `gradgradcheck` second derivatives too. The witness calls
the function and looks at numbers (see `_witness`). It never differentiates the gradient
that is checked: there, a wrong rule agrees with itself.

Sources: Griewank and Walther, *Evaluating Derivatives*, for ⟨Jv, u⟩ = ⟨v, Jᵀu⟩; Squire
and Trapp (1998) for the complex step.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib._checkable import results, validated
from autograd_lib._comparison import (
    Agreement,
    WrongGradient,
    compare,
    dot,
    names_of_gradients,
    pulled_back,
    tolerance_for,
    weights,
)
from autograd_lib._witness import Function, witness
from autograd_lib.tensor import Tensor

__all__ = ["Agreement", "WrongGradient", "dotcheck", "gradcheck", "gradgradcheck"]


def gradcheck(f: Function, *inputs: Any, tolerance: float | None = None) -> Agreement:
    """Compare the gradient of `f`, element by element, with a witness.

    The witness of each element is a complex step if `f` can be calculated with complex
    numbers and a difference roughly agrees, else a central difference. Two passes of
    `backward` are compared as well: the second must double what the first left.

    Args:
        f: takes tensors, and returns one or a tuple of several.
        inputs: where to check: float64 arrays, numbers or tensors. None is changed,
            and none needs `requires_grad`.
        tolerance: how far apart two numbers may be, absolute below 1 and relative
            above; by default 1e-9 for a complex step, 1e-6 for a difference.

    Returns:
        What was compared, with which witness.

    Raises:
        WrongGradient: naming the input, the element and both numbers.
        TypeError: if an input or a result is not float64.
        ValueError: if a number is not finite, or `f` is not the same function twice.

    >>> gradcheck(lambda x, y: x * y, 2.0, [3.0, 4.0])
    ✓ 3 numbers by complex step, to 1e-09
    """
    return compare("gradcheck", f, inputs, tolerance)


def gradgradcheck(
    f: Function, *inputs: Any, tolerance: float | None = None
) -> Agreement:
    """Do as `gradcheck`, and compare the derivatives of the gradient too.

    The gradient is a function of the inputs and of the gradient that arrives at each
    output. It is checked toward all of these, by differences of the gradient itself:
    not of a rule, and its own numbers have been checked a moment before.

    >>> gradgradcheck(lambda x: x * x * x, 2.0)
    ✓ 2 numbers by central difference, to 1e-06
    """
    compare("gradgradcheck", f, inputs, tolerance)
    at = validated("gradgradcheck", f, inputs)
    ys = results("gradgradcheck", f, at)

    def gradient(*arguments: Tensor) -> list[Tensor]:
        xs, us = arguments[: len(at)], arguments[len(at) :]
        leaves = [x if x.requires_grad else Tensor(x.numpy(), True) for x in xs]
        return pulled_back(f, leaves, us, create_graph=True)

    everything = [*at, *weights(ys, 1)]
    names = names_of_gradients(at, ys)
    return compare("gradgradcheck", gradient, everything, tolerance, names)


def dotcheck(
    f: Function, *inputs: Any, tolerance: float | None = None, seed: int = 0
) -> Agreement:
    """Compare one number of the gradient, ⟨v, Jᵀu⟩, with a witness, ⟨Jv, u⟩.

    J is the Jacobian of `f`, v a random direction, u a random gradient of the results.
    Jᵀu is what a backward pass gives, Jv how fast the results move along v. It takes a
    handful of calls of `f`, however many elements there are, and does not say which of
    them is wrong. Arguments and errors are those of `gradcheck`.

    >>> dotcheck(lambda x, w: x @ w, np.ones((200, 100)), np.ones((100, 50)))
    ✓ 1 number by complex step, to 1e-09
    """
    at = validated("dotcheck", f, inputs)
    us, vs = weights(results("dotcheck", f, at), seed), weights(at, seed + 1)
    leaves = [Tensor(x, requires_grad=True) for x in at]
    ours = dot(vs, [g.numpy() for g in pulled_back(f, leaves, list(map(Tensor, us)))])
    told = witness(f, at, vs)
    theirs = dot(told.slopes, us)
    limit = tolerance_for(told, tolerance)
    size = np.sqrt(max(1.0, dot(us, us)))  # of a sum in which signs are mixed
    if not abs(ours - theirs) <= limit * max(size, abs(theirs)) + told.noise * size:
        raise WrongGradient(
            f"dotcheck: ⟨v, Jᵀu⟩ is {ours:.8g} by the rules, and ⟨Jv, u⟩ is "
            f"{theirs:.8g} by {told.by}; gradcheck says which element is wrong"
        )
    return Agreement(1, told.by, limit)
