"""What an operation does to a tangent, by what is declared of its rule (chapter 22).

A rule takes the gradient of a result back to an input, a vector-Jacobian product.
Forward mode needs the product from the other side: how the result moves where the input
moves along a tangent. For most operations that is known already. Where each element of
the result is made of one element of the input, the slope is the same in both
directions, and the rule itself will do ("elementwise"). A linear operation does to a
tangent what it does to numbers ("linear"). Where one number is made of many, the
tangents are added, each times its slope, which the rule has ("reducing"). Only what is
none of these needs a function of its own (`jvp_of`). `rules` explains the words.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.rules import nature_of
from autograd_lib.engine.tape.node import Rule, name_of
from autograd_lib.engine.tape.tensor import Tensor, constant


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
    kind, how, *_ = nature_of(rule)
    if kind == "elementwise":
        return rule(stretched(tangent, shape), saved)
    if kind == "symmetric":
        return rule(tangent, saved)
    if kind in ("linear", "own"):
        return how(tangent, saved)
    if kind == "view":
        return how(tangent, saved, shape)
    if kind != "reducing":
        no_jvp(rule)
    axes, keepdims = how(saved)
    ones: Any = numpy().ones(shape, tangent.dtype)
    slopes = rule(constant(ones) if isinstance(tangent, Tensor) else ones, saved)
    return (slopes * tangent).sum(axis=axes, keepdims=keepdims)


def push_each(rule: Rule, tangents: Any, saved: Any, shape: tuple[int, ...]) -> Any:
    """Do as `push` for several tangents, which are along the first axis.

    A rule of single elements takes all of them at once, and others that say how.
    """
    n, nature = len(tangents), nature_of(rule)
    if nature.kind == "elementwise":
        missing = (1,) * (len(shape) + 1 - tangents.ndim)
        tangents = tangents.reshape((n, *missing, *tangents.shape[1:]))
        return rule(stretched(tangents, (n, *shape)), saved)
    together = nature.each(tangents, saved) if nature.each else None
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
        f"autograd_lib.engine.rules, write above {name}\n"
        '  @rule("elementwise")        if output i depends on input i alone,\n'
        '  @rule("linear", operation)  if the operation is linear,\n'
        "or give it a function forward(tangent, saved) with\n"
        f"  @jvp_of({name})"
    )
