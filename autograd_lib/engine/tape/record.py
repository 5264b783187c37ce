"""How an operation is recorded (chapter 09).

An operation calculates its result in NumPy and passes it to a function here, with a
rule for each input. A rule is a function ``rule(gradient, saved)`` that returns the
gradient of the input. It is written once, with operators and NumPy's functions: on
arrays it calculates, and on tensors, for second derivatives, it is recorded itself.
A rule has no side effects: it never writes in place and keeps no state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib.engine.arrays import Making, asked, numpy
from autograd_lib.engine.tape.mode import is_recording
from autograd_lib.engine.tape.node import (
    KINDS,
    Edge,
    Node,
    NodeExtras,
    Rule,
    Saved,
    SavedOutput,
    clock,
)
from autograd_lib.engine.tape.tensor import STALE, Tensor, constant

OUTPUT = object()  # passed as `saved` for a rule that needs the operation's result
watchers: list[Callable[[Tensor], None]] = []
"""Called with each tensor when it is recorded."""

_new = object.__new__
_array, _ufunc = np.ndarray, np.ufunc
FLOAT64 = np.dtype(float)


def array(x: Any) -> Any:
    """Return a tensor's array; return NumPy arrays and numbers unchanged.

    Python's numbers stay as they are, so that ``0.1 * t`` keeps the type of t.

    Raises:
        TypeError: if `x` isn't numeric, or is an instance of an array subclass that
            carries more than numbers, such as a mask.
    """
    kind = type(x)
    if kind is Tensor:
        return x._array
    if kind is float or kind is int or (kind is _array and x.dtype.kind in "fiubc"):
        return x
    return Tensor._operand(x)


def unary(function: Callable[[Any], Any], x: Any, rule: Rule, saved: Any) -> Tensor:
    """Apply a function of NumPy to a tensor's array, and record it.

    Args:
        function: returns a new array.
        x: the input; anything but a tensor is a constant.
        rule: returns the gradient of `x`, given the gradient of the result and
            `saved`.
        saved: what the rule needs: a tensor, `OUTPUT` for the result, several values
            as ``Saved(…)``, or anything else. The rule gets tensors as arrays, or as
            tensors if it is recorded itself, and anything else unchanged. It must not
            write into them or into the gradient: other nodes may share the array.

    Raises:
        TypeError: if `x` isn't numeric.
    """
    if type(x) is not Tensor:
        return constant(numpy().asarray(function(array(x))))
    a, n = x._array, x._node
    y = function(a) if type(a) is _array else asked(function, a)
    if n is None or not is_recording():
        return made(y, (), function, None)
    y = y if type(y) is _array else numpy().asarray(y)
    n = x.node if n is STALE else n
    edges = ((n, rule, own(saved, y)),)
    apart = n.extra and n.extra.kind  # type: ignore[union-attr]
    return made(y, edges, function, special(y, edges, function) if apart else None)


def result(y: Any, x: Any, rule: Rule, saved: Any, by: Any = None) -> Tensor:
    """Record `y`, which `by` calculated from the tensor `x`, as in `unary`."""
    n = x._node if type(x) is Tensor else None
    if n is None or not is_recording():
        return made(y, (), by, None)
    y = y if type(y) is _array else numpy().asarray(y)
    n = x.node if n is STALE else n
    edges = ((n, rule, own(saved, y)),)
    e = n.extra
    apart = (e and e.kind) or y.dtype.kind in KINDS
    return made(y, edges, by, special(y, edges, by) if apart else None)


def binary(  # noqa: PLR0913 - a rule and what it needs, for each of two operands
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
        x: a tensor, an array or a number; `rule` and `saved` as in `unary`, but not
            `OUTPUT`.
        y: the second operand, with `rule_y` and `saved_y`.

    Raises:
        TypeError: if `x` or `y` isn't numeric.
        ValueError: if their shapes do not broadcast.
    """
    n = m = None
    if type(x) is Tensor:
        n, a = x._node, x._array
        n = x.node if n is STALE else n
    else:
        a = array(x)
        saved_y = saved_y if a is x else replaced(saved_y, x, a)
    if type(y) is Tensor:
        m, b = y._node, y._array
        m = y.node if m is STALE else m
    else:
        b = array(y)
        saved = saved if b is y else replaced(saved, y, b)
    try:
        noted = type(function) is _ufunc and numpy() is not Making
        z = asked(function, a, b) if noted else function(a, b)
    except ValueError as error:
        raise Tensor._explained(function, error, a, b) from None
    if (n is None and m is None) or not is_recording():
        return made(z, (), function, None)
    edges: tuple[Edge, ...]
    if n is not None and m is not None:
        edges, e, f = ((n, rule, saved), (m, rule_y, saved_y)), n.extra, m.extra
        mixed = a.dtype is not b.dtype
        apart = (e and e.kind) or (f and f.kind)
    else:
        edges = ((n, rule, saved) if m is None else (m, rule_y, saved_y),)
        other: Any = b if m is None else a
        t: Any = a if m is None else b
        e = edges[0][0].extra
        mixed = type(other) is not float and z.dtype is not t.dtype
        apart = (e and e.kind) or (mixed and z.dtype.kind in KINDS)
    if mixed:
        Tensor._widened(function, a, b)
    return made(z, edges, function, special(z, edges, function) if apart else None)


def record(y: Any, *edges: Edge, by: Any = None) -> Tensor:
    """Record the result `y` of an operation on any number of inputs.

    Args:
        y: the result.
        edges: ``(input, rule, saved)`` for each input, as in `unary`.
        by: the function that calculated it, for messages.
    """
    y = y if type(y) is _array else numpy().asarray(y)
    kept = [
        (x.node, rule, own(saved, y))
        for x, rule, saved in edges
        if type(x) is Tensor and x.node is not None
    ]
    if not kept or not is_recording():
        return made(y, (), by, None)
    if y.dtype is FLOAT64 and len(edges) > 1:
        Tensor._widened(by, *[x for x, _, _ in edges])
    return made(y, tuple(kept), by, special(y, tuple(kept), by))


def special(y: Any, edges: tuple[Edge, ...], by: Any) -> NodeExtras | None:
    """Return the extras of a result's node if it, or an input, isn't real."""
    kind = KINDS.get(y.dtype.kind)
    for p, _, _ in edges:
        if p.extra is not None and p.extra.kind is not None:
            kind = p.extra.kind
    return None if kind is None else kind.extra_of_result(y, edges, by)


def made(y: Any, edges: tuple[Edge, ...], by: Any, extra: NodeExtras | None) -> Tensor:
    """Return a tensor that `by` calculated, with a node if there are edges."""
    t: Tensor = _new(Tensor)
    y = y if type(y) is _array else numpy().asarray(y)
    t._array = y
    t._storage = None
    if not edges:
        t._node = None
        return t
    t._node = node = Node()
    node.edges = edges
    node.shape = y.shape
    node.version = clock.now
    node.operation = by
    node.stamp = None
    node.extra = extra
    if watchers:
        for watch in tuple(watchers):  # another thread may end a block
            watch(t)
    return t


def replaced(saved: Any, x: Any, a: Any) -> Any:
    """Return `saved` with an array in place of the list it was made from."""
    if type(saved) is Saved:
        return Saved(*[replaced(item, x, a) for item in saved.items])
    return a if saved is x else saved


def own(saved: Any, y: np.ndarray) -> Any:
    """Return `saved` with `SavedOutput` in place of `OUTPUT`."""
    if saved is OUTPUT:
        return SavedOutput(y)
    if type(saved) is Saved and any(item is OUTPUT for item in saved.items):
        return Saved(*[SavedOutput(y) if s is OUTPUT else s for s in saved.items])
    return saved
