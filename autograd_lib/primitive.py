"""How an operation is recorded, and made known (chapter 12).

An operation calculates its result in NumPy and hands it over, with a rule for each
input. A rule is a function ``rule(gradient, saved)`` that returns the gradient toward
the input. It is written once, with operators and NumPy's functions: on arrays it
calculates, and on tensors, where a second derivative is wanted, it is recorded itself.
So a rule is pure: it writes into nothing and remembers nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from autograd_lib._protocols import OPERATIONS
from autograd_lib.buffer import clock, share
from autograd_lib.node import Edge, Node, Own, Rule, Saved
from autograd_lib.ops import load
from autograd_lib.recording import switch
from autograd_lib.tensor import Tensor, constant

OUT = object()  # saved for a rule that needs the operation's own result
MAY_BROADCAST: set[Rule] = set()
VIEWS: dict[Rule, Callable[..., np.ndarray]] = {}  # how a view with this rule is made

Function = TypeVar("Function", bound=Callable[..., Any])
_new = object.__new__
_array = np.ndarray


class Partial:
    """A gradient that is zero but in a part; it is added to where it belongs at once.

    Attributes:
        g: the gradient of the part.
    """

    __slots__ = ("g",)

    def __init__(self, g: np.ndarray) -> None:
        self.g = g

    def add_to(self, total: np.ndarray) -> None:
        """Add the part to a gradient of the whole, in place."""
        raise NotImplementedError

    def whole(self, shape: tuple[int, ...]) -> np.ndarray:
        """Return the gradient of the whole, of the given shape."""
        total = np.zeros(shape, self.g.dtype)
        self.add_to(total)
        return total


def operation(*known: Any, method: str = "") -> Callable[[Function], Function]:
    """Make an operation known, as a decorator of a function of tensors.

    Args:
        known: NumPy's functions that it stands for; NumPy then calls it when it is
            given a tensor.
        method: the name under which tensors have it as a method.

    >>> @operation(np.sinc)
    ... def sinc(x):
    ...     return np.where(x == 0, 1.0, np.sin(np.pi * x) / (np.pi * x))
    """

    def make_known(function: Function) -> Function:
        for numpy_function in known:
            OPERATIONS[numpy_function] = function
        if method:
            setattr(Tensor, method, function)
        return function

    return make_known


def broadcasting(rule: Rule) -> Rule:
    """Declare a rule of an operation that broadcasts its inputs.

    What it returns has the shape of the output; the engine sums it over the copies. Of
    any other rule it demands the input's shape.
    """
    MAY_BROADCAST.add(rule)
    return rule


def array(x: Any) -> Any:
    """Return the array of a tensor, and anything else as it is, if it is numbers.

    Python's numbers stay as they are, so that ``0.1 * t`` keeps the type of t.

    Raises:
        TypeError: if `x` is not numbers.
    """
    kind = type(x)
    if kind is Tensor:
        return x._data
    if kind is float or kind is int or (kind is _array and x.dtype.kind in "fiubc"):
        return x
    converted = np.asarray(x)
    if converted.dtype.kind not in "fiubc":
        raise TypeError(
            f"an operand must be a tensor, an array or a number, got {x!r:.60}; "
            "where a list holds tensors, np.stack makes one of them"
        )
    return x if isinstance(x, bool | complex | np.generic) else converted


def unary(function: Callable[[Any], Any], x: Any, rule: Rule, saved: Any) -> Tensor:
    """Apply a function of NumPy to a tensor's array, and record it.

    Args:
        function: returns a new array.
        x: the input; anything but a tensor is a constant.
        rule: returns the gradient toward `x`, for the gradient toward the result and
            `saved`.
        saved: what the rule needs, which it gets as arrays, or as tensors where it is
            recorded: a tensor, `OUT` for the result, several as ``Saved(…)``, or
            anything else, which it gets as it is.

    Raises:
        TypeError: if `x` is not numbers.
    """
    if type(x) is not Tensor:
        return constant(np.asarray(function(array(x))))
    return result(function(x._data), x, rule, saved)


def result(y: Any, x: Any, rule: Rule, saved: Any) -> Tensor:
    """Record `y`, which was calculated from the tensor `x`, as `unary` does."""
    t: Tensor = _new(Tensor)
    t._data = y if type(y) is _array else np.asarray(y)
    t._buffer = None
    n = x.node if type(x) is Tensor else None
    if n is None or not switch.on:
        t.node = None
        return t
    if saved is OUT:
        saved = Own(t._data)
    elif type(saved) is Saved:
        saved = own(saved, t._data)
    t.node = node = Node()
    node.edges = ((n, rule, saved),)
    node.shape = t._data.shape
    node.time = clock.now
    node.stamp = None
    node.extra = None
    return t


def binary(
    function: Callable[[Any, Any], Any],
    x: Any,
    rule: Rule,
    saved: Any,
    y: Any,
    rule_y: Rule,
    saved_y: Any,
) -> Tensor:
    """Apply a function of NumPy to two operands, and record it.

    Args:
        function: returns a new array.
        x: a tensor, an array or a number.
        rule: returns the gradient toward `x`, as in `unary`.
        saved: what it needs; not `OUT`.
        y: the second operand.
        rule_y: returns the gradient toward `y`.
        saved_y: what it needs.

    Raises:
        TypeError: if `x` or `y` is not numbers.
    """
    n = m = None
    if type(x) is Tensor:
        n, a = x.node, x._data
    else:
        a = array(x)
    if type(y) is Tensor:
        m, b = y.node, y._data
    else:
        b = array(y)
    z = function(a, b)
    t: Tensor = _new(Tensor)
    t._data = z if type(z) is _array else np.asarray(z)
    t._buffer = None
    if (n is None and m is None) or not switch.on:
        t.node = None
        return t
    t.node = node = Node()
    if m is None:
        node.edges = ((n, rule, saved),)
    elif n is None:
        node.edges = ((m, rule_y, saved_y),)
    else:
        node.edges = ((n, rule, saved), (m, rule_y, saved_y))
    node.shape = t._data.shape
    node.time = clock.now
    node.stamp = None
    node.extra = None
    return t


def record(y: Any, *edges: Edge) -> Tensor:
    """Return the result `y` of an operation on any number of inputs.

    Args:
        y: the result.
        edges: ``(input, rule, saved)`` for each input, as in `unary`.
    """
    t: Tensor = _new(Tensor)
    t._data = y if type(y) is _array else np.asarray(y)
    t._buffer = t.node = None
    kept = []
    if switch.on:
        for x, rule, saved in edges:
            if type(x) is Tensor and x.node is not None:
                kept.append((x.node, rule, own(saved, t._data)))
    if kept:
        t.node = node = Node()
        node.edges = tuple(kept)
        node.shape = t._data.shape
        node.time = clock.now
        node.stamp = node.extra = None
    return t


def own(saved: Any, y: np.ndarray) -> Any:
    """Return what is saved with `Own` in the place of `OUT`."""
    if saved is OUT:
        return Own(y)
    if type(saved) is Saved:
        for item in saved.items:
            if item is OUT:
                return Saved(*[Own(y) if s is OUT else s for s in saved.items])
    return saved


def view(y: np.ndarray, x: Any, rule: Rule, saved: Any) -> Tensor:
    """Return a result that may show the elements of `x`, not copies of them."""
    t = result(y, x, rule, saved)
    if type(x) is Tensor and np.may_share_memory(y, x._data):
        share(x, t)
    return t


load()
