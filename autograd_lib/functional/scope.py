"""What a transform lets in, and what it lets out (chapter 21).

`grad(f)` runs f on arguments of its own, so that a derivative with respect to one is
never mixed up with another use of the same tensor. An argument is a leaf to the
function, and to the graph a copy of what the caller gave: where that needs a gradient,
an edge leads back to it, and so a transform inside a transform is connected with it.

What comes out keeps its graph only if it leads to something outside, such as the
argument of a transform around this one or a model's weight. Else it is a constant.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograd_lib.engine.leaves.grad_mode import no_grad
from autograd_lib.engine.leaves.leaf import carries
from autograd_lib.engine.ops.arithmetic import same
from autograd_lib.engine.tape.mode import is_recording
from autograd_lib.engine.tape.node import LeafExtras, new_node
from autograd_lib.engine.tape.record import result
from autograd_lib.engine.tape.tensor import Tensor


class Argument(LeafExtras):
    """Says that a node is an argument's: a leaf to the function that it is given to.

    Attributes:
        open: whether the function is running, and may hand it to a transform inside.
    """

    def __init__(self, dtype: Any) -> None:
        super().__init__(dtype)
        self.collects = False  # its gradient is handed out, not collected
        self.open = True


def argument(x: Tensor) -> Tensor:
    """Return a leaf with the numbers of `x`, which it shares.

    An edge connects it with `x`, if `x` needs a gradient and the caller records.
    Complex numbers are leaves only here.
    """
    t = result(x._array, x, same, None)
    if t.node is None:
        t.node = new_node((), t.shape, 0)
    extra, before = Argument(t.dtype), t.node.extra
    if before is not None:  # inside jvp it keeps its tangent (chapter 22)
        vars(extra).update({**vars(before), **vars(extra)})
    t.node.extra = extra
    return t


def close(arguments: Iterable[Tensor]) -> None:
    """Note that the function which had these arguments has returned."""
    for t in arguments:
        if t.node is not None and isinstance(t.node.extra, Argument):
            t.node.extra.open = False


def leads_outside(tensors: Iterable[Tensor]) -> bool:
    """Return whether a tensor was made from what may be asked about.

    That is an argument of a function that is running, also where an edge leads on from
    it, and any leaf that is no argument.
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

    One that carries a tangent (chapter 22) keeps it: a derivative around this one wants
    to know how it moves.
    """
    if t.node is None:
        return t
    if not is_recording() or not (carries(t.node) or leads_outside([t])):
        return cut(t)
    if isinstance(t.node.extra, Argument):  # the function returned its argument
        return result(t._array.copy(), t, same, None)
    return t


def cut(t: Tensor) -> Tensor:
    """Return a constant with the numbers of `t`."""
    with no_grad():
        return result(t._array, t, same, None)


def parameter(t: Tensor) -> Tensor:
    """Return a tensor as a model's parameter: a leaf, connected with what made it."""
    if t.is_leaf and t.requires_grad:
        return t
    connected = t.requires_grad and is_recording()
    return argument(t) if connected else t.detach().requires_grad_()
