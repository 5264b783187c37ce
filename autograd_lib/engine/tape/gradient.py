"""Checks of gradients that rules return, and un-broadcasting (chapter 09).

A rule returns a gradient of its input's shape. If its operation broadcasts, the
gradient may have the output's shape, and is summed over the copies here. Anything else
is an error, which names the rule.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from autograd_lib.broadcast import unbroadcast
from autograd_lib.engine.tape.node import KINDS, Node, Rule, name_of
from autograd_lib.engine.tape.tensor import Tensor

MAY_BROADCAST: set[Rule] = set()
"""Rules of operations that broadcast; their gradients are summed over the copies."""


def in_shape(v: Node, p: Node, rule: Rule, d: Any) -> Any:
    """Return a rule's gradient in the shape, and the kind of numbers, of its input."""
    if type(d) is not np.ndarray and type(d) is not Tensor:
        d = Tensor._plain(v, p, rule, d)
    if d.dtype.kind in KINDS:
        d = KINDS[d.dtype.kind].fitted(v, p, rule, d)
    return d if d.shape == p.shape else summed(v, p, rule, d)


def summed(v: Node, p: Node, rule: Rule, d: Any) -> Any:
    """Return a gradient summed over the copies that broadcasting made.

    Raises:
        RuntimeError: if the operation does not broadcast, or `d` is of another shape.
    """
    if d.shape != v.shape or rule not in MAY_BROADCAST:
        kind = "a tensor" if isinstance(d, Tensor) else "an array"
        wrong(v, p, rule, f"{kind} of shape {d.shape}")
    return sum_to(d, p.shape or ())


def sum_to(x: Any, shape: tuple[int, ...]) -> Any:
    """Return x summed over the copies that broadcasting from `shape` would make."""
    if type(x) is Tensor:
        return x if x.shape == shape else x._sum_to(shape)
    return unbroadcast(x, shape)


def wrong(v: Node, p: Node, rule: Rule, got: str) -> NoReturn:
    """Raise RuntimeError because a rule returned something other than a gradient."""
    may = f" or of the output's, {v.shape}" if rule in MAY_BROADCAST else ""
    raise RuntimeError(
        f"backward: the rule {name_of(rule)} of {getattr(rule, '__module__', '?')} "
        f"returned {got}; a gradient must be an array of its input's shape, {p.shape}"
        f"{may}. Correct the rule"
    )
