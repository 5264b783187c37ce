"""Copies of tensors, and tensors in files: `copy` and `pickle` (chapter 13).

Leaves and constants can be copied. The result of a recorded operation can't: its whole
graph would have to be copied too, down to new leaves. Nor can an argument of a function
that is being differentiated: its gradient is asked for, not the copy's.
"""

from __future__ import annotations

import copy
from typing import Any, NoReturn

import numpy as np

from autograd_lib.engine.leaves.leaf import is_parameter
from autograd_lib.engine.rules import loan_watchers, view_watchers
from autograd_lib.engine.tape.node import LeafExtras
from autograd_lib.engine.tape.tensor import Tensor, constant


def shallow(t: Tensor) -> Tensor:
    """Return another tensor with the same array, and the same node unless it is a leaf.

    The copy of a leaf is a new leaf without a gradient; the copy of an argument of a
    function that is being differentiated has the argument's node. A write into either
    tensor writes into both.
    """
    other = constant(t._array)
    if stands_alone(t):
        as_trained_as(t, other)
        for watch in loan_watchers if t.node is None else ():
            watch(t, other)
    else:
        other.node = t.node
        for watch in view_watchers:  # so that a write gives both a new node
            watch(t, other)
    return other


def deep(t: Tensor, memo: dict[int, Any]) -> Tensor:
    """Return a leaf or constant with its own copies of the array and the gradient.

    Raises:
        RuntimeError: if a recorded operation made the tensor, or it is an argument of a
            function that is being differentiated.
    """
    if not stands_alone(t):
        refuse(RuntimeError, "copy.deepcopy", t)
    other = as_trained_as(t, constant(t._array.copy()))
    memo[id(t)] = other
    if t.grad is not None:
        other.grad = copy.deepcopy(t.grad, memo)
    return other


def reduced(t: Tensor, protocol: Any) -> tuple[Any, ...]:
    """Return what `pickle` writes: the array, whether it is a leaf, or a frozen one.

    Raises:
        TypeError: if a recorded operation made the tensor, or it is an argument of a
            function that is being differentiated.
    """
    if not stands_alone(t):
        refuse(TypeError, "pickle", t)
    frozen = is_parameter(t) and not t.requires_grad
    return rebuilt, (t._array, t.requires_grad, frozen)


def rebuilt(array: np.ndarray, requires_grad: bool, frozen: bool = False) -> Tensor:
    """Return a leaf, a frozen one, or a constant, around an array."""
    t = constant(array).requires_grad_(requires_grad or frozen)
    return t.requires_grad_(False) if frozen else t


def as_trained_as(t: Tensor, other: Tensor) -> Tensor:
    """Return a constant as what `t` is: a leaf, a frozen one, or a constant."""
    if is_parameter(t):
        other.requires_grad_()
    return other.requires_grad_(t.requires_grad)


def stands_alone(t: Tensor) -> bool:
    """Return whether a copy of t would lose no gradient.

    A transform marks the arguments of the function that it differentiates (chapter 20).
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
