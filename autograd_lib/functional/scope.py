"""The arguments and results of a transform: leaves, connections, cuts (chapter 20).

`grad(f)` runs f on new arguments, so that a derivative with respect to one is never
mixed up with another use of the same tensor. To the function an argument is a leaf. In
the graph it is a copy of the caller's tensor, with an edge to that if it needs a
gradient: so a transform inside a transform is connected with it. A result keeps its
graph only if that leads outside, for example to the argument of an outer transform or
to a model's weight. Otherwise it is a constant.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from typing import Any

from autograd_lib.engine.leaves.grad_mode import no_grad
from autograd_lib.engine.leaves.leaf import carries
from autograd_lib.engine.ops.arithmetic import identity
from autograd_lib.engine.tape.mode import is_recording
from autograd_lib.engine.tape.node import LeafExtras, clock, new_node
from autograd_lib.engine.tape.record import result
from autograd_lib.engine.tape.tensor import Tensor

Moments = tuple[int, ...]
_times = itertools.count()
_repeated: ContextVar[Moments] = ContextVar("repeated", default=())


class Argument(LeafExtras):
    """Extras of an argument's node: a leaf to the function that gets it.

    Attributes:
        since: when the function got it, and
        until: when it returned, on a clock of their own.
    """

    def __init__(self, dtype: Any) -> None:
        super().__init__(dtype)
        self.collects = False  # its gradient is returned, not collected
        self.since, self.until = next(_times), inf

    @property
    def open(self) -> bool:
        """Whether the function is running, and may pass it to an inner transform.

        In what `checkpoint` runs again, also whether it was when that ran first.
        """
        return self.until == inf or any(
            self.since < moment < self.until for moment in _repeated.get()
        )


def moments() -> Moments:
    """Return what `repeating` needs to repeat a calculation that begins now."""
    return (*_repeated.get(), next(_times))


@contextmanager
def repeating(moments: Moments) -> Iterator[None]:
    """Inside, the arguments that were open at these moments are open again."""
    before = _repeated.set(moments)
    try:
        yield
    finally:
        _repeated.reset(before)


def argument(x: Tensor) -> Tensor:
    """Return a leaf that shares the array of `x`.

    An edge connects it with `x` if `x` needs a gradient and the caller records.
    Only here can a complex tensor be a leaf.
    """
    t = result(x._array, x, identity, None)
    if t.node is None:
        t.node = new_node((), t.shape, clock.now)
    extra, before = Argument(t.dtype), t.node.extra
    if before is not None:  # inside jvp it keeps its tangent (chapter 19)
        vars(extra).update({**vars(before), **vars(extra)})
    t.node.extra = extra
    return t


def close(arguments: Iterable[Tensor]) -> None:
    """Mark arguments as those of a function that has returned."""
    for t in arguments:
        if t.node is not None and isinstance(t.node.extra, Argument):
            t.node.extra.until = next(_times)


def leads_outside(tensors: Iterable[Tensor]) -> bool:
    """Return whether a gradient may be asked for through one of the tensors.

    That is so if it was made from an argument of a running function, even if an edge
    leads on from that, or from a leaf that isn't an argument.
    """
    todo = [t.node for t in tensors if t.node is not None]
    met = set(todo)
    while todo:
        v = todo.pop()
        if v.extra.open if isinstance(v.extra, Argument) else not v.edges:
            return True
        new = [p for p in v.parents if p not in met]
        met.update(new)
        todo += new
    return False


def let_out(t: Tensor) -> Tensor:
    """Return a tensor for the caller: a constant, unless it leads outside.

    A tensor that carries a tangent (chapter 19) keeps it for an outer derivative.
    """
    if t.node is None:
        return t
    if not is_recording() or not (carries(t.node) or leads_outside([t])):
        return cut(t)
    if isinstance(t.node.extra, Argument):  # the function returned its argument
        return result(t._array.copy(), t, identity, None)
    return t


def cut(t: Tensor) -> Tensor:
    """Return a constant with the numbers of `t`, in memory that no argument shows."""
    own = t.node is None or not isinstance(t.node.extra, Argument)
    shown = t._array.base is not None or not own
    with no_grad():
        return result(t._array.copy() if shown else t._array, t, identity, None)


def parameter(t: Tensor) -> Tensor:
    """Return a tensor as a model's parameter: a leaf connected with its history."""
    if t.is_leaf and t.requires_grad:
        return t
    connected = t.requires_grad and is_recording()
    return argument(t) if connected else t.detach().requires_grad_()
