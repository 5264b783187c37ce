"""A neuron's weighted sum as one node of the graph (chapter 05).

Built from products and sums, a neuron with n inputs has 2n nodes, and each is made,
counted, processed and freed on its own. A `Dot` is one node, and a backward pass
processes its operands a whole `Vector` at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from operator import mul
from typing import Any

from autograd_lib.scalar import functions as scalar
from autograd_lib.scalar.real import Number
from autograd_lib.scalar.value import Value


class Vector:
    """Numbers that are used together: a backward pass treats them as one node.

    Each user of the vector passes a gradient and a row of slopes. After the last one,
    each number gets the sum of gradient times slope, over its column of the rows.

    Args:
        items: each a `Value`, or a plain number, which is a constant.

    Attributes:
        items: the same, as a tuple.
        numbers: their values when they were last read.

    Raises:
        TypeError: if an item is neither a `Value` nor one real number.
    """

    __slots__ = ("_gradients", "_pending", "_rows", "_values", "items", "numbers")
    _x = _y = None  # not made by an operation of Value,
    grad = 0.0  # read by a backward pass, but not used

    def __init__(self, items: Iterable[Value | Number]) -> None:
        try:
            self.items = tuple(items)
        except TypeError:
            raise TypeError(
                f"Vector: items must be a list of numbers, got {items!r}; put a single "
                "number into a list"
            ) from None
        self._values = tuple(v for v in self.items if isinstance(v, Value))
        self._pending = 0
        self.numbers: tuple[float, ...] = ()
        self._gradients: list[float] = []
        self._rows: list[tuple[float, ...]] = []
        self.read()

    def read(self) -> None:
        """Read the present values of the numbers, for the calculations that follow."""
        if len(self._values) == len(self.items):  # as for the weights of a neuron
            numbers = tuple([v.data for v in self._values])
            if numbers != self.numbers:  # otherwise keep sharing one tuple
                self.numbers = numbers
            return
        self.numbers = tuple(
            v.data if isinstance(v, Value) else scalar.number("Vector: an item", v)
            for v in self.items
        )

    def receive(self, gradient: float, row: tuple[float, ...]) -> None:
        """Store a user's gradient, and its slope for each item."""
        self._gradients.append(gradient)
        self._rows.append(row)

    def _count(self, waiting: list[Any], leaves: list[tuple[Value, float]]) -> None:
        self._gradients, self._rows = [], []
        for v in self._values:
            if not v._pending:
                waiting.append(v)
            v._pending += 1

    def _hand_over(self, ready: list[Any]) -> None:
        gradients, rows = self._gradients, self._rows
        self._gradients, self._rows = [], []
        columns: Iterable[tuple[float, ...]] = repeat(())  # if all neurons are off
        if rows:
            columns = zip(*rows, strict=True)
        for v, column in zip(self.items, columns, strict=False):
            if isinstance(v, Value):
                v.grad += sum(map(mul, gradients, column))
                v._pending -= 1
                if not v._pending:
                    ready.append(v)


class Dot(Value):
    """The sum of weights times inputs, and optionally its relu, as one number.

    The slope with respect to a weight is its input, and vice versa. If relu is 0, no
    gradient is passed on.

    Args:
        weights: n numbers; the bias is a weight whose input is the constant 1.
        inputs: n numbers. A shared `Vector`, of either, is processed once in a pass.
        relu: whether to take the relu of the sum.

    Raises:
        ValueError: if the numbers of inputs and weights differ.

    >>> w, x = Value(2.0), Value(5.0)
    >>> y = Dot(Vector([1.0, w]), Vector([3.0, x]))
    >>> y.backward()
    >>> y.data, w.grad, x.grad
    (13.0, 5.0, 2.0)
    """

    __slots__ = ("_inputs", "_slope", "_w", "_weights", "_x_row")

    def __init__(
        self,
        weights: Vector | Iterable[Value | Number],
        inputs: Vector | Iterable[Value | Number],
        relu: bool = False,
    ) -> None:
        if not isinstance(weights, Vector):
            weights = Vector(weights)
        if not isinstance(inputs, Vector):
            inputs = Vector(inputs)
        w, x = weights.numbers, inputs.numbers
        if len(w) != len(x):
            raise ValueError(
                f"Dot: there are {len(w)} weights and {len(x)} inputs; give one input "
                "for each weight"
            )
        total, slope = sum(map(mul, w, x), 0.0), 1.0
        if relu:
            total, slope = scalar.relu(total)
        self.data = total  # not by Value, which would check again that it is a float
        self.grad = 0.0
        self.label = self._op = "relu dot" if relu else "dot"
        self._x = self._y = None
        self._dx = self._dy = 0.0
        self._pending = 0
        self._weights, self._inputs = weights, inputs
        self._w, self._x_row = w, x
        self._slope = slope

    def _count(self, waiting: list[Any], leaves: list[tuple[Value, float]]) -> None:
        self.grad = 0.0
        weights, inputs = self._weights, self._inputs
        if not weights._pending:
            waiting.append(weights)
        weights._pending += 1
        if not inputs._pending:
            waiting.append(inputs)
        inputs._pending += 1

    def _hand_over(self, ready: list[Any]) -> None:
        weights, inputs = self._weights, self._inputs
        if self._slope:
            weights.receive(self.grad, self._x_row)
            inputs.receive(self.grad, self._w)
        weights._pending -= 1
        if not weights._pending:
            ready.append(weights)
        inputs._pending -= 1
        if not inputs._pending:
            ready.append(inputs)

    @property
    def edges(self) -> tuple[tuple[Value, float], ...]:
        """The weights and inputs that are a `Value`, each with its slope."""
        items = (*self._weights.items, *self._inputs.items)
        factors = (*self._x_row, *self._w)
        return tuple(
            (v, factor if self._slope else 0.0)
            for v, factor in zip(items, factors, strict=True)
            if isinstance(v, Value)
        )
