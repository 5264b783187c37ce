"""What a rule may return: an array of its input's shape, or one that is summed to it.

Chapter 12. Where an operation broadcasts, its rules return gradients in the shape of
the output, and the sum over the copies is made here. Anything else is an error, which
names the rule.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from autograd_lib.broadcast import unbroadcast
from autograd_lib.engine.tape.node import KINDS, Node, Rule, name_of
from autograd_lib.engine.tape.tensor import Tensor

MAY_BROADCAST: set[Rule] = set()
"""Rules of operations that broadcast; what they return is summed over the copies."""


def in_shape(v: Node, p: Node, rule: Rule, d: Any) -> Any:
    """Return what a rule returned as numbers of the kind and shape of its input."""
    if type(d) is not np.ndarray and type(d) is not Tensor:
        d = Tensor._plain(v, p, rule, d)
    if d.dtype.kind in KINDS:
        d = KINDS[d.dtype.kind].fitted(v, p, rule, d)
    return d if d.shape == p.shape else summed(v, p, rule, d)


def summed(v: Node, p: Node, rule: Rule, d: Any) -> Any:
    """Return the sum of a gradient over the copies that broadcasting made.

    Raises:
        RuntimeError: if the operation does not broadcast, or `d` is of another shape.
    """
    if d.shape != v.shape or rule not in MAY_BROADCAST:
        kind = "a tensor" if isinstance(d, Tensor) else "an array"
        wrong(v, p, rule, f"{kind} of shape {d.shape}")
    return sum_to(d, p.shape or ())


def sum_to(x: Any, shape: tuple[int, ...]) -> Any:
    """Return the sum over the copies that broadcasting from a shape would make."""
    if type(x) is Tensor:
        return x if x.shape == shape else x._sum_to(shape)
    return unbroadcast(x, shape)


def wrong(v: Node, p: Node, rule: Rule, got: str) -> NoReturn:
    """Raise RuntimeError for what cannot be the gradient of an input."""
    may = f" or of the output's, {v.shape}" if rule in MAY_BROADCAST else ""
    raise RuntimeError(
        f"backward: the rule {name_of(rule)} of {getattr(rule, '__module__', '?')} "
        f"returned {got}; a gradient must be an array of its input's shape, {p.shape}"
        f"{may}. Correct the rule"
    )
