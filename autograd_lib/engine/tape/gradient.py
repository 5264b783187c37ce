"""A gradient on its way along an edge: what a rule gets, what it may return, and sums.

Chapter 12. Such a gradient is what the field calls a cotangent, or an adjoint: how fast
the result of the whole calculation changes with the tensor at hand. Rules know nothing
of shapes that were broadcast, nor of accumulation: both are done here, once, for all.
"""

from __future__ import annotations

from collections.abc import Callable
from sys import getrefcount
from typing import Any, NoReturn

import numpy as np

from autograd_lib.engine.tape.kinds import KINDS
from autograd_lib.engine.tape.node import (
    Node,
    Rule,
    Saved,
    SavedOutput,
    name_of,
)
from autograd_lib.engine.tape.record import SparseGradient
from autograd_lib.engine.tape.rules import MAY_BROADCAST
from autograd_lib.engine.tape.sums import sum_to
from autograd_lib.engine.tape.tensor import Tensor, constant
from autograd_lib.engine.tape.words import refuse_subclass

_array, _add = np.ndarray, np.add


Opener = Callable[[Any, Node], Any]
"""Gets what a node saved, and the node, and returns what the rule gets of it."""


def own_output(saved: SavedOutput, v: Node) -> Tensor:
    """Return a node's output as a tensor made by it."""
    t = constant(saved.array)
    t._node = v
    return t


openers: dict[type, Opener] = {
    Tensor: lambda saved, v: saved._array,
    SavedOutput: lambda saved, v: saved.array,
    Saved: lambda saved, v: tuple([as_arrays(item, v) for item in saved.items]),
}
"""By the type of what was saved, for a pass that isn't recorded."""
recorded_openers: dict[type, Opener] = {
    SavedOutput: own_output,
    Saved: lambda saved, v: tuple([as_tensors(item, v) for item in saved.items]),
}
"""The same, for a pass that is recorded itself."""


def as_arrays(saved: Any, v: Node) -> Any:
    """Return what a node saved as its rule gets it where nothing is recorded."""
    opener = openers.get(type(saved))
    return saved if opener is None else opener(saved, v)


def as_tensors(saved: Any, v: Node) -> Any:
    """Return what a node saved as its rule gets it in a pass that is recorded."""
    opener = recorded_openers.get(type(saved))
    return saved if opener is None else opener(saved, v)


def fitted(v: Node, p: Node, rule: Rule, d: Any, record: bool) -> Any:
    """Return what the rule of an edge from `v` returned in the shape of its input, `p`.

    Where the operation broadcasts, the sum over the copies is made here.

    Raises:
        RuntimeError: if it is neither of the input's shape nor, where the operation
            broadcasts, of the output's; it names the rule.
    """
    if type(d) is _array and d.shape == p.shape and not (record or v.extra):
        return d  # as most are
    if p.shape is None:  # of an operation with several outputs
        return d
    if isinstance(d, SparseGradient):
        # Where there is a sum already, only the part is added to it (see `accumulate`).
        if p.grad is not None and not record and d.shape == p.shape:
            return d
        d = d.whole()
    d = in_shape(v, p, rule, d)
    return constant(d) if record and not isinstance(d, Tensor) else d


def in_shape(v: Node, p: Node, rule: Rule, d: Any) -> Any:
    """Return what a rule returned as numbers of the kind and shape of its input."""
    if type(d) is not _array and type(d) is not Tensor:
        d = plain(v, p, rule, d)
    if d.dtype.kind in KINDS:
        d = KINDS[d.dtype.kind].fitted(v, p, rule, d)
    return d if d.shape == p.shape else summed(v, p, rule, d)


def plain(v: Node, p: Node, rule: Rule, d: Any) -> np.ndarray:
    """Return what a rule returned as an array, if it is a number or of a subclass.

    Raises:
        RuntimeError: if it is neither.
        TypeError: if the subclass has more to it, such as a mask.
    """
    if not isinstance(d, np.generic | float):
        refuse_subclass(f"backward: what the rule {name_of(rule)} returned", d)
        if not isinstance(d, _array):
            wrong(v, p, rule, "None" if d is None else type(d).__name__)
    return np.asarray(d)


def summed(v: Node, p: Node, rule: Rule, d: Any) -> Any:
    """Return the sum of a gradient over the copies that broadcasting made.

    Raises:
        RuntimeError: if the operation does not broadcast, or `d` is of another shape.
    """
    if d.shape != v.shape or rule not in MAY_BROADCAST:
        kind = "a tensor" if isinstance(d, Tensor) else "an array"
        wrong(v, p, rule, f"{kind} of shape {d.shape}")
    return sum_to(d, p.shape or ())


def accumulate(p: Node, d: Any) -> Any:
    """Return the sum of the gradient that a node has got so far and one more.

    The sum is made in place where the array of the first is shared with nothing: where
    two references lead to it, the node's and that of the call which counts them, and it
    is no view. (A local variable would not do: from Python 3.14 on its reference is
    not always counted.)
    """
    own = getrefcount(p.grad) == 2 and type(p.grad) is _array and p.grad.base is None
    total = p.grad
    if own and type(d) is _array:
        try:
            return _add(total, d, total)
        except (TypeError, ValueError):  # it holds integers, or is for reading only
            return total + d
    if p.shape is None:
        return p.extra.add(p, d)  # type: ignore[union-attr]
    if isinstance(d, SparseGradient):
        own = own and total.flags.writeable
        dtype = np.result_type(total, d.g)
        total = total if own and total.dtype == dtype else np.array(total, dtype)
        d.add_to(total)
    else:
        total = total + d
    return total


def wrong(v: Node, p: Node, rule: Rule, got: str) -> NoReturn:
    """Raise RuntimeError for what cannot be the gradient of an input."""
    may = f" or of the output's, {v.shape}" if rule in MAY_BROADCAST else ""
    raise RuntimeError(
        f"backward: the rule {name_of(rule)} of {getattr(rule, '__module__', '?')} "
        f"returned {got}; a gradient must be an array of its input's shape, {p.shape}"
        f"{may}. Correct the rule"
    )
