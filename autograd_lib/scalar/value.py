"""A number whose history is data (chapter 03).

A `Value` keeps the numbers it was made from, its parents, and the slope with respect to
each, which is known when the operation is called. So a graph can be printed, drawn and
checked, and the backward pass only multiplies and adds.

Code that uses micrograd's `Value` (A. Karpathy, 2020) runs on it, also code that adds
operations with a `_backward`. What differs:

- a second `backward` adds to the gradients of leaves but not to those in between;
- slopes are those at the time of the calculation;
- a plain number in an operation is no node: `x + 1` has one parent;
- `-x`, `x - y` and `x / y` are operations of their own, and a neuron of `scalar.nn` is
  one node, "relu dot" or "dot";
- gradients are floats; outside a function's domain a result is inf or NaN, as in NumPy;
- an array as data is refused: `autograd_lib.Tensor` holds arrays;
- there is no recursion, so a graph may be as deep as memory allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
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
        data: the result.
        op: the operation's name, which is initially the result's label.
        x: the first operand; `dx` is the slope with respect to it, a float.
        y: the second operand, if there is one, with the slope `dy`.
    """
    v = _new(Value)  # a call of Value would check again that it is a number
    v.data = data if type(data) is float else scalar.whole(data)
    v.grad = 0.0
    v.label = v._op = op
    v._x = x
    v._dx = dx
    v._y = y
    v._dy = dy
    v._pending = 0
    return v


def children_of(children: Iterable[Value]) -> tuple[Value, ...]:
    """Return the children of an operation, each of them once, as in micrograd's set."""
    found = tuple(dict.fromkeys(children))
    for child in found:
        if not isinstance(child, Value):
            raise TypeError(
                f"Value: a child must be a Value, got {child!r}; make one of it, "
                "Value(...), or leave a constant out"
            )
    return found


def hand_over(v: Value, edges: tuple[tuple[Value, float], ...]) -> None:
    """Add to the gradient of each parent what `v` has for it."""
    for parent, slope in edges:
        parent.grad += slope * v.grad


def handed_over(v: Value) -> list[float]:
    """Return what the `_backward` of `v` adds to its children for a gradient of 1."""
    family = (v, *v._children)
    before = [member.grad for member in family]
    try:
        for member in family:
            member.grad = 0.0
        v.grad = 1.0
        v._backward()
        return [float(child.grad) for child in v._children]
    finally:
        for member, grad in zip(family, before, strict=True):
            member.grad = grad


def method(rule: Callable[[float], tuple[float, float]]) -> Callable[[Value], Value]:
    """Turn a function that returns a value and a slope into a method of Value."""

    name = "ReLU" if rule is scalar.relu else rule.__name__  # micrograd's name

    def apply(self: Value) -> Value:
        value, slope = rule(self.data)
        return node(value, name, self, slope)

    apply.__name__, apply.__doc__ = rule.__name__, rule.__doc__
    return apply


class Value(Compared):
    """A number that remembers what it was made from.

    Args:
        data: one real number; NaN and infinities are allowed. An int stays one.
        _children: what an operation of your own made it from; its `_backward`, a
            function of no arguments that is assigned afterwards, adds to the `grad` of
            each child. Text in this place is the label.
        _op: the name of that operation.
        label: its name.

    Attributes:
        data: the number. Changing it does not change earlier results.
        grad: for a leaf, the sum over all calls of `backward`; for any other number,
            the gradient of the last one. 0 before the first.
        label: a name for drawings; initially that of the operation.

    Raises:
        TypeError: if `data` is not one real number, or a child is no `Value`.

    >>> x = Value(3.0)
    >>> y = x * x + 2 * x
    >>> y.backward()
    >>> y.data, x.grad
    (15.0, 8.0)
    """

    __slots__ = (
        "__dict__",  # what programs keep on a number: a momentum, a name
        "__weakref__",
        *("_dx", "_dy", "_op", "_pending", "_x", "_y", "data", "grad", "label"),
    )
    __array_ufunc__ = None  # so that NumPy's numbers leave `2 * v` to Value
    _children: tuple[Value, ...] = ()  # of an operation from elsewhere,
    _closure: Callable[[], object] | None = None  # and its `_backward`

    def __init__(
        self,
        data: Number,
        _children: Iterable[Value] | str = (),
        _op: str = "",
        label: str = "",
    ) -> None:
        self.data = number("Value: data", data)
        self.grad = 0.0
        self._op = _op
        if isinstance(_children, str):
            self.label = _children
        else:
            self.label = label or _op
            if _children:
                self._children = children_of(_children)
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

    # Called in a pass for a leaf, and for an operation from elsewhere, which hands its
    # gradient over by `_backward`. A node with more than two parents overrides both.

    def _count(self, waiting: list[Any], leaves: list[tuple[Value, float]]) -> None:
        if not self._children:
            leaves.append((self, self.grad))
            return
        self.grad = 0.0
        for child in self._children:
            if not child._pending:
                waiting.append(child)
            child._pending += 1

    def _hand_over(self, ready: list[Any]) -> None:
        if not self._children:
            return
        self._backward()
        for child in self._children:
            child._pending -= 1
            if not child._pending:
                ready.append(child)

    @property
    def edges(self) -> tuple[tuple[Value, float], ...]:
        """The numbers this one was made from, each with its slope."""
        if self._children:
            return tuple(zip(self._children, handed_over(self), strict=True))
        both = (self._x, self._dx), (self._y, self._dy)
        return tuple([(v, float(slope)) for v, slope in both if v is not None])

    @property
    def parents(self) -> tuple[Value, ...]:
        """The numbers this one was made from."""
        return self._children or tuple([parent for parent, _ in self.edges])

    @property
    def slopes(self) -> tuple[float, ...]:
        """The derivative of this number with respect to each of its parents."""
        return tuple([slope for _, slope in self.edges])

    # micrograd's form of an operation, for those that a program adds.

    @property
    def _prev(self) -> set[Value]:
        return set(self.parents)

    @_prev.setter
    def _prev(self, children: Iterable[Value]) -> None:
        self._given_by(self._backward, children_of(children))

    @property
    def _backward(self) -> Callable[[], object]:
        own = () if self._children else self.edges
        return self._closure or partial(hand_over, self, own)

    @_backward.setter
    def _backward(self, closure: Callable[[], object]) -> None:
        self._given_by(closure, self.parents)

    def _given_by(
        self, closure: Callable[[], object], children: tuple[Value, ...]
    ) -> None:
        self._closure, self._children = closure, children
        self._x = self._y = None

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
