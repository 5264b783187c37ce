"""What an operation does to a tangent, told beside its rule (chapter 12; chapter 22).

A rule takes the gradient of a result back to an input, a vector-Jacobian product.
Forward mode needs the product from the other side: how the result moves where the input
moves along a tangent. For most operations that is known already. Where each element of
the result is made of one element of the input, the slope is the same in both
directions, and the rule itself will do (`elementwise`). A linear operation does to a
tangent what it does to numbers (`linear_as`). Where one number is made of many, the
tangents are added, each times its slope, which the rule has (`reducing`). Only what is
none of these needs a function of its own (`jvp_of`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias, TypeVar

import numpy as np

from autograd_lib.engine.node import Rule, name_of
from autograd_lib.engine.tensor import Tensor, constant
from autograd_lib.engine.writes.views import VIEWS

Forward: TypeAlias = Callable[[Any, Any], Any]
Along: TypeAlias = Callable[[Any], tuple[Any, bool]]
Declared = TypeVar("Declared", bound=Callable[..., Any])

ELEMENTWISE: set[Rule] = set()
SYMMETRIC: set[Rule] = set()
LINEAR: dict[Rule, Forward] = {}
REDUCING: dict[Rule, Along] = {}
OWN: dict[Rule, Forward] = {}
EACH: dict[Rule, Forward] = {}


def elementwise(rule: Declared) -> Declared:
    """Declare a rule of an operation that works element by element.

    Output i depends on input i alone. The rule multiplies by the slope of each element,
    and so it is its own JVP. It is not enough that each output depends on one input: a
    roll or an index is linear, and needs `linear_as`.
    """
    ELEMENTWISE.add(rule)
    return rule


def symmetric(rule: Declared) -> Declared:
    """Declare a rule of an operation whose Jacobian is symmetric: its own transpose."""
    SYMMETRIC.add(rule)
    return rule


def linear_as(
    operation: Forward, each: Forward | None = None
) -> Callable[[Declared], Declared]:
    """Declare a rule of an operation that is linear in the input.

    Args:
        operation: the operation itself, as ``operation(tangent, saved)``.
        each: does it to several tangents, along a first axis, in one step; it may
            return None where they must be taken one by one.
    """

    def declare(rule: Declared) -> Declared:
        LINEAR[rule] = operation
        if each is not None:
            EACH[rule] = each
        return rule

    return declare


def reducing(along: Along) -> Callable[[Declared], Declared]:
    """Declare a rule of an operation that makes one number of many.

    Args:
        along: returns, of what was saved, the axes of the input that are made one, None
            for all, and whether they stay as axes of length 1.
    """

    def declare(rule: Declared) -> Declared:
        REDUCING[rule] = along
        return rule

    return declare


def jvp_of(rule: Rule) -> Callable[[Declared], Declared]:
    """Declare a function ``forward(tangent, saved)`` as the JVP that belongs to a rule.

    It gets what the rule gets, with the tangent of the input in the place of the
    gradient, and returns the tangent of the result. Like a rule it is written with
    operators and NumPy's functions, for arrays and for tensors.

    >>> def by_row_sum(g, n):
    ...     return np.repeat(g[:, None], n, axis=1)
    >>> @jvp_of(by_row_sum)
    ... def of_row_sum(tangent, n):
    ...     return tangent.sum(axis=1)
    """

    def declare(forward: Declared) -> Declared:
        OWN[rule] = forward
        return forward

    return declare


def kind_of(rule: Rule) -> str:
    """Return what was declared for a rule, or "" where nothing was.

    It is "elementwise", "symmetric", "linear", "reducing" or "own".
    """
    kinds: dict[str, Any] = {
        "elementwise": ELEMENTWISE,
        "symmetric": SYMMETRIC,
        "linear": LINEAR | VIEWS,
        "reducing": REDUCING,
        "own": OWN,
    }
    return next((kind for kind, rules in kinds.items() if rule in rules), "")


def push(rule: Rule, tangent: Any, saved: Any, shape: tuple[int, ...]) -> Any:
    """Return the tangent of a result of this shape, from the tangent of one input.

    Args:
        rule: that of the edge from the result to the input.
        tangent: an array, or a tensor where the JVP is to be recorded.
        saved: what the rule gets.
        shape: that of the result.

    Raises:
        NotImplementedError: if nothing was declared for the rule.
    """
    if rule in ELEMENTWISE:
        return rule(stretched(tangent, shape), saved)
    if rule in SYMMETRIC:
        return rule(tangent, saved)
    forward = LINEAR.get(rule) or OWN.get(rule)
    if forward is not None:
        return forward(tangent, saved)
    if rule in VIEWS:
        return VIEWS[rule](tangent, saved, shape)
    if rule not in REDUCING:
        no_jvp(rule)
    axes, keepdims = REDUCING[rule](saved)
    ones: Any = np.ones(shape, tangent.dtype)
    slopes = rule(constant(ones) if isinstance(tangent, Tensor) else ones, saved)
    return (slopes * tangent).sum(axis=axes, keepdims=keepdims)


def push_each(rule: Rule, tangents: Any, saved: Any, shape: tuple[int, ...]) -> Any:
    """Do as `push` for several tangents, which are along the first axis.

    A rule of single elements takes all of them at once, and others that say how.
    """
    n = len(tangents)
    if rule in ELEMENTWISE:
        missing = (1,) * (len(shape) + 1 - tangents.ndim)
        tangents = tangents.reshape((n, *missing, *tangents.shape[1:]))
        return rule(stretched(tangents, (n, *shape)), saved)
    together = EACH[rule](tangents, saved) if rule in EACH else None
    if together is not None:
        return together
    found = [push(rule, tangent, saved, shape) for tangent in tangents]
    return np.stack([stretched(whole(d), shape) for d in found])


def whole(d: Any) -> Any:
    """Return a tangent with its zeros, where only the part that moves was returned."""
    return d.whole() if hasattr(d, "whole") else d


def stretched(tangent: Any, shape: tuple[int, ...]) -> Any:
    """Return a tangent in the shape of a result that broadcast its input."""
    return tangent if tangent.shape == shape else np.broadcast_to(tangent, shape)


def no_jvp(rule: Rule) -> NoReturn:
    """Raise NotImplementedError because nothing was declared for a rule."""
    name = name_of(rule)
    raise NotImplementedError(
        f"jvp: {name} is a rule for gradients, and nothing says\n"
        "what its operation does to a tangent. With what is in\n"
        f"autograd_lib.engine.forward.jvps, write above {name}\n"
        "  @elementwise           if output i depends on input i alone,\n"
        "  @linear_as(operation)  if the operation is linear,\n"
        "or give it a function forward(tangent, saved) with\n"
        f"  @jvp_of({name})"
    )
