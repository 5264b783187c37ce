"""What is declared of a rule, beside it, and two kinds of results (chapter 13).

A backward pass reads whether a rule's operation broadcasts. The other declarations are
read by later chapters: which rules are of views (17), which are right for complex
numbers, and what an operation does to a tangent (22).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias, TypeVar

import numpy as np

from autograd_lib.engine.numpy.coercion import memory_of
from autograd_lib.engine.tape.gradient import MAY_BROADCAST
from autograd_lib.engine.tape.node import Node, Rule
from autograd_lib.engine.tape.record import result
from autograd_lib.engine.tape.tensor import Tensor

Forward: TypeAlias = Callable[[Any, Any], Any]
Along: TypeAlias = Callable[[Any], tuple[Any, bool]]
Declared = TypeVar("Declared", bound=Callable[..., Any])

VIEWS: dict[Rule, Callable[..., np.ndarray]] = {}
"""For a rule of views, the function that makes the view again, of another array."""
view_watchers: list[Callable[[Tensor, Tensor], None]] = []
"""Called with a recorded tensor, and with another that shows elements of it."""
COMPLEX: set[Rule] = set()
ELEMENTWISE: set[Rule] = set()
SYMMETRIC: set[Rule] = set()
LINEAR: dict[Rule, Forward] = {}
REDUCING: dict[Rule, Along] = {}
OWN: dict[Rule, Forward] = {}
EACH: dict[Rule, Forward] = {}


def broadcasting(rule: Rule) -> Rule:
    """Declare a rule of an operation that broadcasts its inputs.

    What it returns has the shape of the output; the engine sums it over the copies. Of
    any other rule it demands the input's shape.
    """
    MAY_BROADCAST.add(rule)
    return rule


def complex_ready(rule: Rule) -> Rule:
    """Declare a rule that is right where numbers are complex, and so is its JVP.

    It is so of a rule that multiplies by the derivative of an analytic function, or
    that only moves or adds numbers, and conjugates nothing. All operations that have
    the rule must be right with it.
    """
    COMPLEX.add(rule)
    return rule


def elementwise(rule: Declared) -> Declared:
    """Declare a rule of an operation that works element by element.

    Output i depends on input i alone. The rule multiplies by the slope of each element,
    and so it is its own JVP. It is not enough that each output depends on one input: a
    roll or an index is linear, and needs `linear_as`.
    """
    ELEMENTWISE.add(rule)
    return rule


def symmetric(rule: Declared) -> Declared:
    """Declare a rule of an operation whose Jacobian is symmetric: its own transpose."""
    SYMMETRIC.add(rule)
    return rule


def linear_as(
    operation: Forward, each: Forward | None = None
) -> Callable[[Declared], Declared]:
    """Declare a rule of an operation that is linear in the input.

    Args:
        operation: the operation itself, as ``operation(tangent, saved)``.
        each: does it to several tangents, along a first axis, in one step; it may
            return None where they must be taken one by one.
    """

    def declare(rule: Declared) -> Declared:
        LINEAR[rule] = operation
        if each is not None:
            EACH[rule] = each
        return rule

    return declare


def reducing(along: Along) -> Callable[[Declared], Declared]:
    """Declare a rule of an operation that makes one number of many.

    Args:
        along: returns, of what was saved, the axes of the input that are made one, None
            for all, and whether they stay as axes of length 1.
    """

    def declare(rule: Declared) -> Declared:
        REDUCING[rule] = along
        return rule

    return declare


def jvp_of(rule: Rule) -> Callable[[Declared], Declared]:
    """Declare a function ``forward(tangent, saved)`` as the JVP that belongs to a rule.

    It gets what the rule gets, with the tangent of the input in the place of the
    gradient, and returns the tangent of the result. Like a rule it is written with
    operators and NumPy's functions, for arrays and for tensors.

    >>> def by_row_sum(g, n):
    ...     return np.repeat(g[:, None], n, axis=1)
    >>> @jvp_of(by_row_sum)
    ... def of_row_sum(tangent, n):
    ...     return tangent.sum(axis=1)
    """

    def declare(forward: Declared) -> Declared:
        OWN[rule] = forward
        return forward

    return declare


def is_view(node: Node) -> bool:
    """Return whether a node's one edge has a rule of views."""
    return bool(node.edges) and node.edges[0][1] in VIEWS  # type: ignore[index]


class SparseGradient:
    """A gradient that is zero but in a part; it is added to where it belongs at once.

    Attributes:
        g: the gradient of the part.
        shape: that of the whole.
    """

    __slots__ = ("g", "shape")

    def __init__(self, g: np.ndarray, shape: tuple[int, ...]) -> None:
        self.g, self.shape = g, shape

    def add_to(self, total: np.ndarray) -> None:
        """Add the part to a gradient of the whole, in place."""
        raise NotImplementedError

    def whole(self) -> np.ndarray:
        """Return the gradient of the whole."""
        total = np.zeros(self.shape, self.g.dtype)
        self.add_to(total)
        return total


def linear_map(transpose: Rule | None = None) -> Callable[[Rule], Rule]:
    """Make a linear map of arrays one of tensors too, as a decorator of a rule.

    A map of a tensor is recorded, and its own rule is the transpose. So a rule that
    calculates as only arrays can still has derivatives.

    Args:
        transpose: the rule of the map, of operations that tensors have; by default the
            map itself, which then is its own transpose.
    """

    def of_arrays(on_arrays: Rule) -> Rule:
        @wraps(on_arrays)
        def rule(g: Any, saved: Any) -> Any:
            if type(g) is not Tensor:
                return on_arrays(g, saved)
            y = on_arrays(g._array, saved)
            y = y.whole() if isinstance(y, SparseGradient) else y
            return result(y, g, transpose or rule, saved)

        if transpose is None:
            return symmetric(rule)
        linear_as(rule)(transpose)
        return linear_as(transpose)(rule)

    return of_arrays


def view(y: np.ndarray, x: Any, rule: Rule, saved: Any) -> Tensor:
    """Return a result that may show the elements of `x`, not copies of them.

    Its rule is in `VIEWS`.
    """
    t = result(y, x, rule, saved)
    if t._node is not None and memory_of(y) is memory_of(x._array):
        for watch in view_watchers:
            watch(x, t)
    return t
