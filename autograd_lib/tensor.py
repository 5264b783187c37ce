"""An array that remembers what it was made from (chapter 12).

A tensor is an array and a node of the graph, or no node if it needs no gradient. The
arithmetic and everything else that can be differentiated is in `ops`, a file for each
idea; each operation makes itself known to this class and to NumPy.

The names of what concerns gradients are PyTorch's; all others are NumPy's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from autograd_lib._gradients import Gradients
from autograd_lib._protocols import Protocols, numbers, plain
from autograd_lib.buffer import Buffer, buffer_of, share
from autograd_lib.node import Node


class Tensor(Gradients, Protocols):
    """An array that remembers what it was made from, if its gradient is wanted.

    Args:
        data: numbers, which are copied (`from_numpy` shares them): an array, a number,
            or a list of either.
        requires_grad: whether `backward` shall give this tensor a gradient. Only
            floating-point numbers can have one.
        dtype: the type of the numbers; by default that of `data`.

    Attributes:
        node: what the tensor was made from, or None where it needs no gradient.

    Raises:
        TypeError: if `data` is not numbers, or gradients are asked for integers.

    >>> x = Tensor([1.0, 2.0], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    Tensor([2., 4.])
    """

    __slots__ = ("__weakref__", "_buffer", "_data", "_frozen", "node")

    _buffer: Buffer | None
    _data: np.ndarray
    node: Node | None

    def __init__(
        self, data: Any, requires_grad: bool = False, dtype: Any = None
    ) -> None:
        data = plain(data, "Tensor()") if isinstance(data, Tensor) else data
        self._data = numbers(np.array(data, subok=False), "Tensor", dtype)
        self._buffer = None
        self.node = None
        if requires_grad:
            self.requires_grad_()

    def __init_subclass__(cls) -> NoReturn:
        raise TypeError(
            "Tensor has no subclasses: results would not be of them; hold one instead"
        )

    shape = property(lambda self: self._data.shape, doc="How long each axis is.")
    ndim = property(lambda self: self._data.ndim, doc="How many axes it has.")
    size = property(lambda self: self._data.size, doc="How many elements it has.")
    dtype = property(lambda self: self._data.dtype, doc="The type of its elements.")

    @property
    def data(self) -> np.ndarray:
        """The array itself. The engine does not see what is written into it.

        Assigning one of the same shape and type is a write, and so is ``t.data -= 1``.
        """
        return self._data

    @data.setter
    def data(self, array: Any) -> None:
        array = np.asarray(getattr(array, "_data", array))
        if array.shape != self.shape or array.dtype != self.dtype:
            raise ValueError(
                f"data: a tensor of shape {self.shape} and {self.dtype} cannot take an "
                f"array of shape {array.shape} and {array.dtype}; make a new tensor"
            )
        if array is not self._data:
            self._data, self._buffer = array, Buffer(self)
        buffer_of(self).mark()

    def detach(self) -> Tensor:
        """Return a constant that shares this tensor's array."""
        t = constant(self._data)
        share(self, t)
        return t

    def __repr__(self) -> str:
        text = np.array2string(self._data, separator=", ", prefix="Tensor(")
        usual = self.dtype in (np.dtype(float), np.dtype(int), np.dtype(bool))
        kind = "" if usual else f", dtype={self.dtype}"
        made = ", requires_grad=True" if self.requires_grad else ""
        if self.grad_fn is not None:
            made = f", grad_fn={self.grad_fn!r}"
        return f"Tensor({text}{kind}{made})"

    if TYPE_CHECKING:  # the operations of `ops`, which make themselves known

        def __getattr__(self, name: str) -> Any: ...
        def __getitem__(self, index: Any) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __add__(self, other: Any) -> Tensor: ...

        __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __add__
        __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __matmul__ = __add__


def constant(array: np.ndarray) -> Tensor:
    """Return a tensor around an array, without a copy or a check."""
    t: Tensor = object.__new__(Tensor)
    t._data = array
    t._buffer = None
    t.node = None
    return t


def from_numpy(array: np.ndarray) -> Tensor:
    """Return a tensor that shares an array's memory.

    Raises:
        TypeError: if it is not an array of numbers.
    """
    if not isinstance(array, np.ndarray):
        raise TypeError(
            f"from_numpy: shares an array, got {type(array).__name__}; Tensor(data) "
            "copies what is not one"
        )
    return constant(numbers(np.asarray(array), "from_numpy"))


import autograd_lib.primitive  # noqa: E402, F401 - makes the operations known
