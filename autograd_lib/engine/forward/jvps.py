"""JVPs of operations, from what is declared about their rules (chapter 19).

A rule maps the gradient of a result to that of an input: a vector-Jacobian product. A
JVP maps a tangent of the input to that of the result: a Jacobian-vector product. For
most operations nothing new has to be written. If each element of the result depends on
one element of the input, the Jacobian is diagonal, and the rule is its own JVP
("elementwise"). A linear operation maps tangents as it maps numbers ("linear"). If
many numbers are reduced to one, the tangents are summed, each times its slope, which
the rule yields ("reducing"). Anything else needs a function of its own (`jvp_of`).
`rules` explains the words.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.ops.options import sum_in_rule
from autograd_lib.engine.rules import nature_of
from autograd_lib.engine.tape.node import Rule, name_of
from autograd_lib.engine.tape.tensor import Tensor, constant


def push(rule: Rule, tangent: Any, saved: Any, shape: tuple[int, ...]) -> Any:
    """Return a result's tangent, given the tangent of one input.

    Args:
        rule: the rule of the edge from the result to the input.
        tangent: an array, or a tensor if the JVP is to be recorded.
        saved: the rule's saved values.
        shape: the shape of the result.

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
    return sum_in_rule(slopes * tangent, axes, keepdims)


def push_each(rule: Rule, tangents: Any, saved: Any, shape: tuple[int, ...]) -> Any:
    """Apply `push` to several tangents, stacked along the first axis.

    Elementwise rules take all tangents at once, as do those with a batched JVP
    (`each`).
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
    """Return a tangent as a dense array."""
    return d.whole() if hasattr(d, "whole") else d


def stretched(tangent: Any, shape: tuple[int, ...]) -> Any:
    """Return a tangent broadcast to the shape of a result."""
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
