"""Three gradient checks whose reference values come from no rule (chapter 11).

`gradcheck` compares each element of a gradient with a reference value, `dotcheck` a
whole gradient along one direction, `gradgradcheck` second derivatives too. For the
reference value the function is called, and only its values are used (see `reference`):
if it came from a gradient, a wrong rule would agree with itself.

All three also test that a gradient does not depend on what it must not (see
`invariance`): the size, zeros and memory layout of the incoming gradient, a second
pass, a second call in the same graph, other inputs that are constants. And they compare
each `Function.jvp` with its `backward` (see `transposed`).

They cannot notice, and other tests must cover:

- a rule that is wrong at other inputs: at another shape, at a tie or a kink elsewhere,
  for numbers beyond a limit, or once in a thousand calls; check at several inputs;
- a rule that is wrong in float32 only, or for numbers that are not finite;
- errors below the tolerance, and so any slope smaller than that: multiply the results
  by a large number, or give a smaller tolerance;
- errors next to a large slope of the same element: they are noticed above the tolerance
  times that slope, so differences don't show an error of 1 next to a slope of 1e8;
- errors hidden by the rounding of large results: if its element has no larger slope, a
  slope of 1 is distinguished from 0 for results up to about 1e10, and a slope of 1e-5
  for results up to 1e5;
- a slope that a rule calculates at its first call and reuses, if the inputs of that
  call are those of the check;
- a rule that treats very large or small gradients differently: scales up to 1024 and
  down to 1/1024 are tried, but not 1e±6;
- kinks where the slopes of both sides differ by less than a thousandth;
- a wrong JVP of a rule, declared by `rule` or `jvp_of`: compare `jvp` with `vjp`.

Sources: Griewank and Walther, *Evaluating Derivatives*, for ⟨Jv, u⟩ = ⟨v, Jᵀu⟩; Squire
and Trapp (1998) for the complex step.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.check.agreement import Agreement, WrongGradient, distinct_texts
from autograd_lib.check.comparison import (
    TOLERANCES,
    compare,
    default_names,
    known,
    names_of_gradients,
    tolerance_for,
    weighed,
)
from autograd_lib.check.inputs import results, validated
from autograd_lib.check.invariance import Question, steady_gradients
from autograd_lib.check.pullback import dot, pulled_back, tensors, weights
from autograd_lib.check.reference import Arrays, Function, outputs, reference_slopes
from autograd_lib.check.transposed import transposed
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.spelling import explain_keywords

__all__ = ["Agreement", "WrongGradient", "dotcheck", "gradcheck", "gradgradcheck"]


@explain_keywords
def gradcheck(f: Function, *inputs: Any, tolerance: float | None = None) -> Agreement:
    """Compare the gradient of `f`, element by element, with reference values.

    The reference value of each element comes from a complex step if `f` accepts
    complex numbers and central differences agree, otherwise from central differences.
    Two passes of `backward` are compared as well: the second must double the leaves'
    gradients.

    Args:
        f: takes tensors, and returns one or a tuple of several.
        inputs: where to check: float64 arrays, numbers or tensors. None is changed,
            and none needs `requires_grad`.
        tolerance: the allowed difference of two numbers, absolute below 1 and relative
            above; by default 1e-9 for a complex step, 1e-6 for a difference. Estimated
            errors of differences are added to it.

    Returns:
        How many numbers were compared, with what, and to which tolerance.

    Raises:
        WrongGradient: naming the input, the element and both numbers, or the condition
            that changes the gradient and must not.
        TypeError: if an input or a result is not float64.
        ValueError: if a number is not finite, `f` returns other numbers at a second
            call, the inputs are at a kink or at the edge of the domain of `f`, or the
            results are too large to show how they change.

    >>> gradcheck(lambda x, y: x * y, 2.0, [3.0, 4.0])
    ✓ 3 numbers by complex step, to 1e-09
    """
    return compare("gradcheck", f, inputs, tolerance)


@explain_keywords
def gradgradcheck(
    f: Function, *inputs: Any, tolerance: float | None = None
) -> Agreement:
    """Do the same as `gradcheck`, and compare the derivatives of the gradient too.

    The gradient is a function of the inputs and of the incoming gradient of each
    output. Its derivatives with respect to all of these are compared with differences
    of the gradient, whose values have been checked before. Then it is checked again
    with another function after `f`, so that the incoming gradient depends on the
    outputs.

    >>> gradgradcheck(lambda x: x * x * x, 2.0)
    ✓ 2 numbers by central difference, to 1e-06
    """
    compare("gradgradcheck", f, inputs, tolerance)
    at = validated("gradgradcheck", f, inputs, tolerance)
    ys = results("gradgradcheck", f, at)
    us = weights(ys, 1)
    of, wrt = names_of_gradients(at, ys)
    gradient = gradient_function(f, len(at))
    found = compare("gradgradcheck", gradient, [*at, *us], tolerance, (of, wrt))
    after = gradient_function(followed(f, ys), len(at))
    names = (
        [f"{name}, with a curve after the outputs," for name in of],
        wrt[: len(at)],
    )
    compare("gradgradcheck", lambda *x: after(*x, *tensors(us)), at, tolerance, names)
    return found


def gradient_function(f: Function, n: int) -> Function:
    """Return the gradient as a function of n inputs and of the outputs' gradients.

    It is recorded if one of its arguments needs a gradient.
    """

    def gradient(*arguments: Tensor) -> list[Tensor]:
        xs, us = arguments[:n], arguments[n:]
        leaves = [x if x.requires_grad else Tensor(x.numpy(), True) for x in xs]
        recorded = any(x.requires_grad for x in arguments)
        return pulled_back(f, leaves, us, create_graph=recorded)

    return gradient


def followed(f: Function, ys: Arrays) -> Function:
    """Return `f` with a smooth, curved function after each of its outputs."""
    sizes = [max(1.0, float(np.abs(y).max(initial=0.0))) for y in ys]

    def curved(*xs: Tensor) -> list[Any]:
        made = zip(outputs(f(*xs)), sizes, strict=True)
        return [y * (1.0 + y / (2.0 * size)) for y, size in made]

    return curved


@explain_keywords
def dotcheck(
    f: Function, *inputs: Any, tolerance: float | None = None, seed: int = 0
) -> Agreement:
    """Compare one number of the gradient, ⟨v, Jᵀu⟩, with a reference value, ⟨Jv, u⟩.

    J is the Jacobian of `f`, v a random direction, u a random gradient of the results.
    Jᵀu is the result of a backward pass, Jv the slope of the results along v. It takes
    a few calls of `f`, however many elements there are, and does not say which one is
    wrong. An error in one element is only noticed if it is above the tolerance of the
    whole sum. Arguments and errors are those of `gradcheck`.

    >>> dotcheck(lambda x, w: x @ w, np.ones((200, 100)), np.ones((100, 50)))
    ✓ 1 number by complex step, to 1e-09
    """
    at = validated("dotcheck", f, inputs, tolerance)
    ys = results("dotcheck", f, at)
    us, vs = weights(ys, seed), weights(at, seed + 1)
    asked = Question("dotcheck", f, at, default_names(ys, at))
    ours = dot(vs, steady_gradients(asked, ys, us))
    slopes = reference_slopes(f, at, vs)
    known(asked, slopes, ys, "all inputs")
    reference, error = weighed(slopes, us)
    limit = tolerance_for(slopes, tolerance)
    size = np.sqrt(max(1.0, dot(us, us)))  # of a sum of terms with mixed signs
    if not abs(ours - reference) <= limit * max(size, abs(reference)) + error:
        left, right, apart = distinct_texts(ours, reference)
        raise WrongGradient(
            f"dotcheck: ⟨v, Jᵀu⟩ is {left} by the rules, and ⟨Jv, u⟩ is {right} by "
            f"{slopes.by}.{apart} gradcheck says which element is wrong"
        )
    transposed(asked, tolerance or TOLERANCES[True])
    return Agreement(1, slopes.by, limit)
