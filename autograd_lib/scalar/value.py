"""A number whose history is data (chapter 04).

A `Value` keeps the numbers it was made from, its parents, and the slope with respect to
each, which is known when the operation is called. So a graph can be printed, drawn and
checked, and the backward pass only multiplies and adds.

Code that uses micrograd's `Value` (A. Karpathy, 2020) runs on it; code that defines new
operations, with a `_backward`, does not. Other differences: a second `backward` adds to
the gradients of leaves but not to those in between, there is no recursion, and a result
outside a function's domain is inf or NaN, as in NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograd_lib.scalar import functions as scalar
from autograd_lib.scalar.functions import Compared, constant, divide, number
from autograd_lib.scalar.real import Number

_new = object.__new__


def node(
    data: float,
    op: str,
    x: Value,
    dx: float,
    y: Value | None = None,
    dy: float = 0.0,
) -> Value:
    """Return the result of an operation.

    Args:
        data: the result, a float.
        op: the operation's name, which is initially the result's label.
        x: the first operand; `dx` is the slope with respect to it, a float.
        y: the second operand, if there is one, with the slope `dy`.
    """
    v = _new(Value)  # a call of Value would check again that it is a float
    v.data = data
    v.grad = 0.0
    v.label = v._op = op
    v._x = x
    v._dx = dx
    v._y = y
    v._dy = dy
    v._pending = 0
    return v


def method(rule: Callable[[float], tuple[float, float]]) -> Callable[[Value], Value]:
    """Turn a function that returns a value and a slope into a method of Value."""

    def apply(self: Value) -> Value:
        value, slope = rule(self.data)
        return node(value, rule.__name__, self, slope)

    apply.__name__, apply.__doc__ = rule.__name__, rule.__doc__
    return apply


class Value(Compared):
    """A number that remembers what it was made from.

    Args:
        data: one real number; NaN and infinities are allowed.
        label: its name.

    Attributes:
        data: the number. Changing it does not change earlier results.
        grad: for a leaf, the sum over all calls of `backward`; for any other number,
            the gradient of the last one. 0 before the first.
        label: a name for drawings; initially that of the operation.

    Raises:
        TypeError: if `data` is not one real number.

    >>> x = Value(3.0)
    >>> y = x * x + 2 * x
    >>> y.backward()
    >>> y.data, x.grad
    (15.0, 8.0)
    """

    __slots__ = ("_dx", "_dy", "_op", "_pending", "_x", "_y", "data", "grad", "label")
    __array_ufunc__ = None  # so that NumPy's numbers leave `2 * v` to Value

    def __init__(self, data: Number, label: str = "") -> None:
        self.data = number("Value: data", data)
        self.grad = 0.0
        self.label = label
        self._op = ""
        self._x: Value | None = None
        self._dx = 0.0
        self._y: Value | None = None
        self._dy = 0.0
        self._pending = 0

    def backward(self) -> None:
        """Add this number's derivative with respect to each leaf to the leaf's `grad`.

        Every number in between gets its own derivative as `grad`, replaced in each
        call. Slopes are those at the time of the calculation. If anything fails, the
        gradients of the leaves are unchanged.

        Raises:
            ValueError: if a number was made from itself, by setting parents by hand.
        """
        met: list[Any] = []
        waiting: list[Any] = [self]
        leaves: list[tuple[Value, float]] = []
        try:
            while waiting:  # count the uses
                v = waiting.pop()
                met.append(v)
                x, y = v._x, v._y
                if x is None:
                    v._count(waiting, leaves)
                    continue
                v.grad = 0.0
                if not x._pending:
                    waiting.append(x)
                x._pending += 1
                if y is not None:
                    if not y._pending:
                        waiting.append(y)
                    y._pending += 1
            self.grad += 1.0
            ready = [self]
            served = 0
            while ready:  # pass gradients on, each node after all its uses
                v = ready.pop()
                served += 1
                x, y, grad = v._x, v._y, v.grad
                if x is None:
                    v._hand_over(ready)
                    continue
                x.grad += v._dx * grad
                x._pending -= 1
                if not x._pending:
                    ready.append(x)
                if y is not None:
                    y.grad += v._dy * grad
                    y._pending -= 1
                    if not y._pending:
                        ready.append(y)
            if served < len(met):
                raise ValueError(
                    "backward: a number was made from itself; a graph has no cycle, so "
                    "make a new Value instead of changing the parents of an old one"
                )
        except BaseException:
            for v in (*met, *waiting):
                v._pending = 0
            for leaf, grad in leaves:
                leaf.grad = grad
            raise

    # Called in a pass for a leaf. A node with more than two parents overrides both.

    def _count(self, waiting: list[Any], leaves: list[tuple[Value, float]]) -> None:
        leaves.append((self, self.grad))

    def _hand_over(self, ready: list[Any]) -> None:
        pass

    @property
    def edges(self) -> tuple[tuple[Value, float], ...]:
        """The numbers this one was made from, each with its slope."""
        both = (self._x, self._dx), (self._y, self._dy)
        return tuple([(v, slope) for v, slope in both if v is not None])

    @property
    def parents(self) -> tuple[Value, ...]:
        """The numbers this one was made from."""
        return tuple([parent for parent, _ in self.edges])

    @property
    def slopes(self) -> tuple[float, ...]:
        """The derivative of this number with respect to each of its parents."""
        return tuple([slope for _, slope in self.edges])

    @property
    def _prev(self) -> set[Value]:
        return set(self.parents)

    def __repr__(self) -> str:
        label = f", label={self.label!r}" if self.label != self._op else ""
        return f"Value(data={self.data!r}, grad={self.grad!r}{label})"

    # Arithmetic: the result, the operation's name, and a slope for each parent.
    # A plain number is a constant, not a parent.

    def __add__(self, other: Value | Number) -> Value:
        if isinstance(other, Value):
            return node(self.data + other.data, "+", self, 1.0, other, 1.0)
        return node(self.data + constant("+", other), "+", self, 1.0)

    def __mul__(self, other: Value | Number) -> Value:
        if isinstance(other, Value):
            a, b = self.data, other.data
            return node(a * b, "*", self, b, other, a)
        return node(self.data * (c := constant("*", other)), "*", self, c)

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> Value:
        return node(-self.data, "neg", self, -1.0)

    def __sub__(self, other: Value | Number) -> Value:
        if isinstance(other, Value):
            return node(self.data - other.data, "-", self, 1.0, other, -1.0)
        return node(self.data - constant("-", other), "-", self, 1.0)

    def __rsub__(self, other: Number) -> Value:
        return node(constant("-", other) - self.data, "-", self, -1.0)

    def __truediv__(self, other: Value | Number) -> Value:
        a = self.data
        if isinstance(other, Value):
            b = other.data
            q = divide(a, b)
            return node(q, "/", self, divide(1.0, b), other, -divide(q, b))
        c = constant("/", other)
        return node(divide(a, c), "/", self, divide(1.0, c))

    def __rtruediv__(self, other: Number) -> Value:
        q = divide(constant("/", other), self.data)
        return node(q, "/", self, -divide(q, self.data))

    def __pow__(self, other: Value | Number) -> Value:
        if isinstance(other, Value):
            p, slope_a, slope_b = scalar.power(self.data, other.data)
            return node(p, "**", self, slope_a, other, slope_b)
        p, slope_a, _ = scalar.power(self.data, constant("**", other))
        return node(p, f"**{other}", self, slope_a)

    def __rpow__(self, other: Number) -> Value:
        p, _, slope_b = scalar.power(constant("**", other), self.data)
        return node(p, f"{other}**", self, slope_b)

    # Functions of one number: `functions.py` has their values and slopes.

    relu = method(scalar.relu)
    exp = method(scalar.exp)
    log = method(scalar.log)
    sqrt = method(scalar.sqrt)
    sin = method(scalar.sin)
    cos = method(scalar.cos)
    tanh = method(scalar.tanh)
    sigmoid = method(scalar.sigmoid)
    __abs__ = method(scalar.abs)
