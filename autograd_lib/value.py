"""A number whose history is data (chapter 04).

A `Value` keeps what it was made from, at most two parents, and the slope toward each,
which is known when the operation is called. So a graph can be printed, drawn and
checked, and the backward pass only multiplies and adds.

Code written for micrograd (A. Karpathy, 2020) runs on it. Differences: a second
`backward` adds to the gradients of leaves and not to those in between, there is no
recursion, and a result outside a function's domain is inf or nan, as in NumPy.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from autograd_lib import _scalar as scalar
from autograd_lib._real import Number
from autograd_lib._scalar import constant, divide, number


def method(rule: Callable[[float], tuple[float, float]]) -> Callable[[Value], Value]:
    """Make a method of Value of a function that returns a value and a slope."""

    def apply(self: Value) -> Value:
        value, slope = rule(self.data)
        return Value(value, "", rule.__name__, self, slope)

    apply.__name__, apply.__doc__ = rule.__name__, rule.__doc__
    return apply


def comparison(
    holds: Callable[[float, float], bool],
) -> Callable[[Value, Value | Number], bool]:
    """Make a method of Value that compares its number with another."""

    def compare(self: Value, other: Value | Number) -> bool:
        if isinstance(other, Value):
            return holds(self.data, other.data)
        return holds(self.data, constant(f"compared ({holds.__name__}) with", other))

    return compare


class Value:
    """A number that remembers what it was made from.

    Args:
        data: one real number; nan and infinities are numbers here.
        label: a name for drawings.

    Attributes:
        data: the number. Changing it changes nothing that was calculated before.
        grad: what `backward` calls have added up so far, toward a leaf; toward any
            other number, what the last one gave. 0 before the first.

    Raises:
        TypeError: if `data` is not one real number.

    >>> x = Value(3.0)
    >>> y = x * x + 2 * x
    >>> y.backward()
    >>> y.data, x.grad
    (15.0, 8.0)
    """

    __slots__ = ("_dx", "_dy", "_label", "_op", "_uses", "_x", "_y", "data", "grad")
    __array_ufunc__ = None  # so that NumPy's numbers leave `2 * v` to Value

    # After `label` comes what operations pass: a name, and each parent with a slope.
    def __init__(
        self,
        data: Number,
        label: str = "",
        _op: str = "",
        _x: Value | None = None,
        _dx: float = 0.0,
        _y: Value | None = None,
        _dy: float = 0.0,
    ) -> None:
        self.data = data if type(data) is float else number("Value: data", data)
        self.grad = 0.0
        self._label = label
        self._op = _op
        self._x = _x
        self._dx = _dx
        self._y = _y
        self._dy = _dy
        self._uses = 0

    def backward(self) -> None:
        """Add the derivative of this number, toward each leaf, to the leaf's `grad`.

        Every number in between gets its own derivative as `grad`, anew in each call.
        Slopes are those of the time of the calculation. If anything fails, the
        gradients of the leaves stay as they were.

        Raises:
            ValueError: if a number was made from itself, by setting parents by hand.
        """
        met, leaves = [self], []
        try:
            for v in met:  # count the uses; the list grows while it is read
                x, y = v._x, v._y
                if x is None:
                    leaves.append((v, v.grad))
                    continue
                v.grad = 0.0
                if not x._uses:
                    met.append(x)
                x._uses += 1
                if y is not None:
                    if not y._uses:
                        met.append(y)
                    y._uses += 1
            self.grad += 1.0
            ready = [] if self._uses else [self]
            for v in ready:  # hand over, and release what waits for no other use
                x, y, grad = v._x, v._y, v.grad
                if x is not None:
                    x.grad += v._dx * grad
                    x._uses -= 1
                    if not x._uses:
                        ready.append(x)
                    if y is not None:
                        y.grad += v._dy * grad
                        y._uses -= 1
                        if not y._uses:
                            ready.append(y)
            if len(ready) < len(met):
                raise ValueError(
                    "backward: a number was made from itself; a graph has no cycle, so "
                    "make a new Value instead of changing the parents of an old one"
                )
        except BaseException:
            for v in met:
                v._uses = 0
            for leaf, grad in leaves:
                leaf.grad = grad
            raise

    @property
    def parents(self) -> tuple[Value, ...]:
        """The numbers this one was made from, at most two."""
        return tuple(v for v in (self._x, self._y) if v is not None)

    @property
    def slopes(self) -> tuple[float, ...]:
        """The derivative of this number toward each of its parents."""
        return (self._dx, self._dy)[: len(self.parents)]

    @property
    def label(self) -> str:
        """The name it was given, or that of the operation that made it."""
        return self._label or self._op

    @label.setter
    def label(self, name: str) -> None:
        self._label = name

    @property
    def _prev(self) -> set[Value]:
        return set(self.parents)

    def __repr__(self) -> str:
        label = f", label={self._label!r}" if self._label else ""
        return f"Value(data={self.data!r}, grad={self.grad!r}{label})"

    # Arithmetic: the result, the operation's name, and the slope toward each parent.
    # A plain number is a constant, and no parent.

    def __add__(self, other: Value | Number) -> Value:
        if isinstance(other, Value):
            return Value(self.data + other.data, "", "+", self, 1.0, other, 1.0)
        return Value(self.data + constant("+", other), "", "+", self, 1.0)

    def __mul__(self, other: Value | Number) -> Value:
        if isinstance(other, Value):
            a, b = self.data, other.data
            return Value(a * b, "", "*", self, b, other, a)
        return Value(self.data * (c := constant("*", other)), "", "*", self, c)

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> Value:
        return Value(-self.data, "", "neg", self, -1.0)

    def __sub__(self, other: Value | Number) -> Value:
        if isinstance(other, Value):
            return Value(self.data - other.data, "", "-", self, 1.0, other, -1.0)
        return Value(self.data - constant("-", other), "", "-", self, 1.0)

    def __rsub__(self, other: Number) -> Value:
        return Value(constant("-", other) - self.data, "", "-", self, -1.0)

    def __truediv__(self, other: Value | Number) -> Value:
        a = self.data
        if isinstance(other, Value):
            b = other.data
            q = divide(a, b)
            return Value(q, "", "/", self, divide(1.0, b), other, -divide(q, b))
        return Value(
            divide(a, c := constant("/", other)), "", "/", self, divide(1.0, c)
        )

    def __rtruediv__(self, other: Number) -> Value:
        q = divide(constant("/", other), self.data)
        return Value(q, "", "/", self, -divide(q, self.data))

    def __pow__(self, other: Value | Number) -> Value:
        if isinstance(other, Value):
            p, toward_a, toward_b = scalar.power(self.data, other.data)
            return Value(p, "", "**", self, toward_a, other, toward_b)
        p, toward_a, _ = scalar.power(self.data, constant("**", other))
        return Value(p, "", f"**{other}", self, toward_a)

    def __rpow__(self, other: Number) -> Value:
        p, _, toward_b = scalar.power(constant("**", other), self.data)
        return Value(p, "", f"{other}**", self, toward_b)

    def relu(self) -> Value:
        """Return the number where it is above 0, else 0; the slope at 0 is 0."""
        a = self.data
        if a > 0:
            return Value(a, "", "relu", self, 1.0)
        return Value(0.0 if a == a else a, "", "relu", self, 0.0)

    # Functions of one number: `_scalar.py` says what each is, and its slope.

    exp = method(scalar.exp)
    log = method(scalar.log)
    sqrt = method(scalar.sqrt)
    sin = method(scalar.sin)
    cos = method(scalar.cos)
    tanh = method(scalar.tanh)
    sigmoid = method(scalar.sigmoid)
    __abs__ = method(scalar.abs)

    # Comparisons look at the numbers and give plain truth values. `==` stays identity:
    # two numbers that are equal are still two nodes, in sets and as keys.

    __lt__ = comparison(operator.lt)
    __le__ = comparison(operator.le)
    __gt__ = comparison(operator.gt)
    __ge__ = comparison(operator.ge)

    def __bool__(self) -> bool:
        return self.data != 0.0
