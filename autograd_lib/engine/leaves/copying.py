"""Copies of tensors, and tensors in files: `copy` and `pickle` (chapter 16).

A leaf and a constant are copied with their numbers. What an operation made is not: its
graph would have to come along, down to leaves that then were others. Nor is an argument
of a function that is differentiated: a gradient is asked for it, and not for the copy.
"""

from __future__ import annotations

import copy
from typing import Any, NoReturn

import numpy as np

from autograd_lib.engine.rules import view_watchers
from autograd_lib.engine.tape.node import LeafExtras
from autograd_lib.engine.tape.tensor import Tensor, constant


def shallow(t: Tensor) -> Tensor:
    """Return another tensor of the same array, made from the same.

    The copy of a leaf is a leaf of its own, without a gradient yet; that of an argument
    of a function that is differentiated is the argument. A write into either is a write
    into both.
    """
    other = constant(t._array)
    if stands_alone(t):
        other.requires_grad_(t.requires_grad)
    else:
        other.node = t.node
        for watch in view_watchers:  # so that a write gives both a new node
            watch(t, other)
    return other


def deep(t: Tensor, memo: dict[int, Any]) -> Tensor:
    """Return a leaf or constant with numbers, and a gradient, of its own.

    Raises:
        RuntimeError: if a recorded operation made the tensor, or a function that has it
            as an argument is differentiated.
    """
    if not stands_alone(t):
        refuse(RuntimeError, "copy.deepcopy", t)
    other = rebuilt(t._array.copy(), t.requires_grad)
    memo[id(t)] = other
    if t.requires_grad and t.grad is not None:
        other.grad = copy.deepcopy(t.grad, memo)
    return other


def reduced(t: Tensor, protocol: Any) -> tuple[Any, ...]:
    """Return what `pickle` writes: the numbers, and whether a gradient is collected.

    Raises:
        TypeError: if a recorded operation made the tensor, or a function that has it as
            an argument is differentiated.
    """
    if not stands_alone(t):
        refuse(TypeError, "pickle", t)
    return rebuilt, (t._array, t.requires_grad)


def rebuilt(array: np.ndarray, requires_grad: bool) -> Tensor:
    """Return a leaf or a constant around an array."""
    return constant(array).requires_grad_(requires_grad)


def stands_alone(t: Tensor) -> bool:
    """Return whether no gradient is asked for through t that a copy would lose.

    A transform that runs a function with t as an argument notes so (chapter 21).
    """
    if t.node is None:
        return True
    asked = getattr(t.node.extra, "open", False)
    return isinstance(t.node.extra, LeafExtras) and not asked


def refuse(error: type[Exception], who: str, t: Tensor) -> NoReturn:
    """Raise an error because a graph cannot be copied."""
    what = "a recorded operation made this tensor"
    if t.is_leaf:
        what = "a function is being differentiated with respect to this tensor"
    raise error(
        f"{who}: {what} of shape {t.shape}, and its graph cannot come along; "
        "t.detach() is a constant, t.copy() a recorded copy"
    )


for name, method in (
    ("__copy__", shallow),
    ("__deepcopy__", deep),
    ("__reduce_ex__", reduced),
):
    setattr(Tensor, name, method)
