"""Collectives as operations: the rule of each is its transpose (chapter 24).

Put the arrays of all ranks into one long list. A collective is a linear map of such
lists, a matrix of zeros and ones, so its rule is the transposed matrix, which is a
collective again; `TRANSPOSES` lists them. Each array is of one of two kinds:

- a *shared* array is one array that all ranks hold, such as the weights of a model. It
  is counted once, and so is its gradient, which all ranks hold.
- an *own* array differs from rank to rank, such as a part of a batch.

`to_all` and `sum_of_all` are f and g of Shoeybi et al., "Megatron-LM" (2019),
arXiv:1909.08053. All ranks must call the same collectives in the same order. A backward
pass calls their transposes in the reverse order. In checked mode, ranks compare what
they give as a shared array too, which shows that they mean the same one.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.forward.levels import dual_of
from autograd_lib.engine.leaves.leaf import extra_of
from autograd_lib.engine.ops.axes import one_axis
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.node import Rule
from autograd_lib.engine.tape.record import array, result
from autograd_lib.engine.tape.tensor import Tensor
from autograd_lib.parallel.ranks import Ranks, world

Operation = Callable[..., Tensor]
_turns = itertools.count(1)


def to_all(x: Any, ranks: Ranks | None = None) -> Tensor:
    """Return each rank's own copy of a shared array. The gradients are summed.

    Nothing is sent, since each rank has it: it marks that ranks differ from here on.

    Args:
        x: a shared tensor, of any shape.
        ranks: the processes; by default all.
    """
    ranks = ranks or world()
    a = numpy().array(array(x))
    ranks.shared(a, "to_all")
    return recorded(a, x, to_all, (ranks,))


def sum_of_all(x: Any, ranks: Ranks | None = None) -> Tensor:
    """Return the sum of the ranks' own arrays, shared. Each array gets its gradient.

    Args:
        x: each rank's tensor, of the same shape.
        ranks: the processes; by default all.

    Raises:
        TypeError: if MPI cannot add numbers of this type.
    """
    ranks = ranks or world()
    y = ranks.sum(numpy().asarray(array(x)), "sum_of_all")
    return recorded(y, x, sum_of_all, (ranks,))


def scatter(x: Any, axis: int = 0, ranks: Ranks | None = None) -> Tensor:
    """Return this rank's own part of a shared array. The gradients are gathered.

    Args:
        x: a shared tensor.
        axis: the axis that is split; lengths of parts differ by at most 1.
        ranks: the processes; by default all.
    """
    ranks, (a, axis) = ranks or world(), along("scatter", x, axis)
    ranks.shared(a, "scatter")
    y = numpy().array(
        np.moveaxis(np.moveaxis(a, axis, 0)[ranks.part(a.shape[axis])], 0, axis)
    )
    return recorded(y, x, scatter, (axis, ranks))


def gather(x: Any, axis: int = 0, ranks: Ranks | None = None) -> Tensor:
    """Return all ranks' parts joined, shared. Each part gets its part of the gradient.

    Args:
        x: each rank's part, of the length that `scatter` gives it.
        axis: the axis along which they are joined.
        ranks: the processes; by default all.

    Raises:
        ValueError: if the lengths are wrong. It is raised on every rank.
    """
    ranks, (a, axis) = ranks or world(), along("gather", x, axis)
    y = ranks.gather(a, axis, "gather")
    return recorded(y, x, gather, (axis, ranks))


def all_gather(x: Any, axis: int = 0, ranks: Ranks | None = None) -> Tensor:
    """Return all ranks' parts joined, with an own copy for each rank.

    It is `to_all` after `gather`, in one step. Ranks use their copies differently, so
    the gradients of the copies are summed, and each part gets its part of the sum.

    Args:
        x: each rank's part, of the length that `scatter` gives it.
        axis: the axis along which they are joined.
        ranks: the processes; by default all.

    Raises:
        ValueError: if the lengths are wrong. It is raised on every rank.
    """
    ranks, (a, axis) = ranks or world(), along("all_gather", x, axis)
    y = ranks.gather(a, axis, "all_gather")
    return recorded(y, x, all_gather, (axis, ranks))


def reduce_scatter(x: Any, axis: int = 0, ranks: Ranks | None = None) -> Tensor:
    """Return this rank's part of the sum of the ranks' own arrays.

    It is `scatter` after `sum_of_all`, in one step that sends half as much.

    Args:
        x: each rank's tensor, of the same shape.
        axis: the axis that is split.
        ranks: the processes; by default all.

    Raises:
        TypeError: if MPI cannot add numbers of this type.
    """
    ranks, (a, axis) = ranks or world(), along("reduce_scatter", x, axis)
    y = ranks.reduce_scatter(a, axis, "reduce_scatter")
    return recorded(y, x, reduce_scatter, (axis, ranks))


def all_to_all(x: Any, axis: int = 0, ranks: Ranks | None = None) -> Tensor:
    """Return, on rank i, part i of each rank's array, joined. Gradients go back.

    Args:
        x: each rank's tensor, of the same shape.
        axis: the axis that is split and joined.
        ranks: the processes; by default all.

    Raises:
        ValueError: if the axis cannot be split into equal parts.
    """
    ranks, (a, axis) = ranks or world(), along("all_to_all", x, axis)
    y = ranks.exchange(a, axis, "all_to_all")
    return recorded(y, x, all_to_all, (axis, ranks))


def token() -> Tensor:
    """Return a token: the number 0, as an argument of `receive`.

    `send` returns a token too. It stands for an array on another rank, so that a
    message has its place in this rank's graph. For a second derivative the token of a
    send is its own gradient: ``grad(end, x, end, create_graph=True)``.
    """
    return Tensor(0.0, requires_grad=True)


def send(x: Any, to: int, ranks: Ranks | None = None) -> Tensor:
    """Send a tensor to another rank; return a token, which leads back to x.

    Args:
        x: a tensor, of any shape.
        to: the rank that receives it, whose backward pass sends the gradient.
        ranks: the processes; by default all.

    Raises:
        ValueError: if there is no other rank of this number.
    """
    ranks = ranks or world()
    ranks.send(numpy().asarray(array(x)), to)
    return recorded(numpy().zeros(()), x, send, (to, ranks))


def receive(x: Any, source: int, ranks: Ranks | None = None) -> Tensor:
    """Return the tensor that another rank sends. Its gradient is sent back.

    Args:
        x: a token, from an earlier `send` or a new one.
        source: the rank that sends.
        ranks: the processes; by default all.

    Raises:
        ValueError: if there is no other rank of this number.
    """
    ranks = ranks or world()
    return recorded(ranks.receive(source), x, receive, (source, ranks))


TRANSPOSES: dict[Operation, Operation] = {
    to_all: sum_of_all,
    sum_of_all: to_all,
    scatter: gather,
    gather: scatter,
    all_gather: reduce_scatter,
    reduce_scatter: all_gather,
    all_to_all: all_to_all,
    send: receive,
    receive: send,
}
"""Each collective, and its transpose, which its rule applies to a gradient."""


def along(name: str, x: Any, axis: int) -> tuple[np.ndarray, int]:
    """Return the array of `x`, and the axis as a number from 0 up.

    Raises:
        AxisError: if it has no such axis.
    """
    a = numpy().asarray(array(x))
    return a, one_axis(name, axis, a.shape)


def recorded(y: np.ndarray, x: Any, operation: Operation, saved: Any) -> Tensor:
    """Record a collective, with its turn among those of this process.

    In a backward pass the latest comes first, on every rank, in whatever order a
    rank's operations have their operands.
    """
    t = result(y, x, RULES[operation], saved, operation)
    node, turn = t.node, next(_turns)
    while node is not None:
        extra_of(node).turn = turn
        dual = dual_of(node)
        node = None if dual is None else dual.primal.node
    return t


def of_arrays(operation: Operation) -> Rule:
    """Return a collective for use in rules: for an array it returns an array."""

    def on(g: Any, saved: Any) -> Any:
        y = operation(g, *saved)
        return y if isinstance(g, Tensor) else y._array

    on.__name__ = operation.__name__
    return on


def rule_of(operation: Operation) -> Rule:
    """Return the rule of a collective: its transpose."""
    transpose = of_arrays(TRANSPOSES[operation])
    transpose.__name__ = f"transpose_of_{operation.__name__}"
    return rule("linear", of_arrays(operation), complex=True)(transpose)


RULES = {operation: rule_of(operation) for operation in TRANSPOSES}
