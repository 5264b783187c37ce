"""Tensors: arrays that remember what they were made from (chapter 09).

A tensor is an array and a node of the graph, or no node if it needs no gradient.
Arithmetic and everything else that can be differentiated is in `ops`, a file for each
idea. The class here has no operators; `engine/methods.py` lists all that it is given.

Names that concern gradients are PyTorch's; all others are NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from autograd_lib.engine.surface import Operations
from autograd_lib.engine.tape.node import Node

STALE: Any = object()  # instead of a node that is made on demand


class Tensor(Operations):
    """An array that remembers what it was made from, if its gradient is wanted.

    `autograd_lib/engine/methods.py` lists its operators and methods, by family.

    Args:
        data: numbers, which are copied (`from_numpy` shares them): an array, a number,
            or a list of either.
        requires_grad: whether `backward` computes a gradient of this tensor. Only
            floating-point numbers can have one.
        dtype: the type of the numbers; by default that of `data`.

    Raises:
        TypeError: if `data` isn't numeric, or a gradient is asked for integers.
        ValueError: if lists within a list differ in length.

    >>> x = Tensor([1.0, 2.0], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    Tensor([2., 4.])
    """

    __slots__ = ("_array", "_frozen", "_lender", "_node", "_stale", "_storage")

    _array: np.ndarray
    _node: Any  # the node, or STALE
    _frozen: Node  # the node of a leaf that is a constant for now (chapter 13)
    _storage: Any  # a `Storage`, or None; chapter 14 has it, `_lender` (`views.lend`),
    _stale: Any  # and what is needed to renew a STALE node

    def __init__(
        self, data: Any, requires_grad: bool = False, dtype: Any = None
    ) -> None:
        self._array = self._copied(data, dtype)
        self._storage = None
        self._node = None
        if requires_grad is not False:
            self._begin(requires_grad)

    def __init_subclass__(cls) -> NoReturn:
        raise TypeError(
            "Tensor has no subclasses: results would not be of them; hold one instead"
        )

    @property
    def node(self) -> Node | None:
        """The node that it was made by, or None if it needs no gradient."""
        # A property and not `__getattr__`, which would make all attributes slow.
        node: Node | None = self._node
        return self._renewed() if node is STALE else node

    @node.setter
    def node(self, node: Node | None) -> None:
        self._node = node

    @property
    def data(self) -> np.ndarray:
        """The array itself. The engine doesn't notice writes into it.

        Assigning one of the same shape and type, as ``t.data -= 1`` does, is a write.
        """
        return self._array

    @data.setter
    def data(self, array: Any) -> None:
        self._replace(array)

    # Defined by `numpy` (13), `leaves` (16) and `writes` (17), and set in `methods`.
    _copied: Callable[[Any, Any], np.ndarray]
    _operand: Callable[[Any], Any]
    _plain: Callable[[Any, Any, Any, Any], np.ndarray]
    _explained: Callable[..., Exception]
    _begin: Callable[[Any], None]
    _renewed: Callable[[], Node | None]
    _replace: Callable[[Any], None]
    _widened: Callable[..., None]
    _sum_to: Callable[[tuple[int, ...]], Tensor]
    size: int

    shape = property(lambda self: self._array.shape, doc="How long each axis is.")
    ndim = property(lambda self: self._array.ndim, doc="How many axes it has.")
    dtype = property(lambda self: self._array.dtype, doc="The type of its elements.")

    def __repr__(self) -> str:
        text = np.array2string(self._array, separator=", ", prefix="Tensor(")
        usual = self.dtype in (np.dtype(float), np.dtype(int), np.dtype(bool))
        kind = "" if usual else f", dtype={self.dtype}"
        made = ", requires_grad=True" if self.requires_grad else ""
        if self.grad_fn is not None:
            made = f", grad_fn={self.grad_fn!r}"
        return f"Tensor({text}{kind}{made})"


def constant(array: np.ndarray) -> Tensor:
    """Return a tensor around an array, without copying or checking it."""
    t: Tensor = object.__new__(Tensor)
    t._array = array
    t._storage = t._node = None
    return t


def read_only(t: Tensor) -> Tensor:
    """Return a read-only tensor of the same array, which other nodes may share."""
    other = constant(t._array.view())
    other._array.flags.writeable = False
    other.node = t.node
    return other
