"""Declarations about rules, as decorators, and sparse gradients (chapter 10).

The backward pass itself needs only whether an operation broadcasts. Later chapters
read the rest: which rules are those of views (17), which are right for complex numbers,
and how an operation maps a tangent (22).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.coercion import memory_of
from autograd_lib.engine.tape.gradient import MAY_BROADCAST
from autograd_lib.engine.tape.node import Node, Rule
from autograd_lib.engine.tape.record import result
from autograd_lib.engine.tape.tensor import Tensor

Forward: TypeAlias = Callable[[Any, Any], Any]
Kind: TypeAlias = Literal[
    "", "elementwise", "symmetric", "linear", "view", "reducing", "own"
]
Declared = TypeVar("Declared", bound=Callable[..., Any])


class Nature(NamedTuple):
    """Declared properties of a rule: the arguments of `rule`, or of `jvp_of`."""

    kind: Kind = ""
    how: Any = None
    each: Forward | None = None
    complex: bool = False


NATURES: dict[Rule, Nature] = {}
HAVE_HOW = ("linear", "view", "reducing", "own")
view_watchers: list[Callable[[Tensor, Tensor], None]] = []
"""Called with a recorded tensor and a view of it."""
loan_watchers: list[Callable[[Tensor, Tensor], None]] = []
"""Called with a tensor and a view of it that was made without a record."""


def nature_of(rule: Rule) -> Nature:
    """Return what was declared about a rule; the defaults if nothing was."""
    return NATURES.get(rule, UNDECLARED)


UNDECLARED = Nature()


def rule(
    kind: Kind = "",
    how: Callable[..., Any] | None = None,
    *,
    each: Forward | None = None,
    broadcasts: bool = False,
    complex: bool = False,
) -> Callable[[Declared], Declared]:
    """Declare properties of a rule and of its operation.

    >>> @rule("elementwise", complex=True)
    ... def by_square(g, x):
    ...     return g * 2 * x

    Args:
        kind: what forward mode may conclude from the rule.

            - "elementwise": output i depends on input i alone. The rule multiplies by
              the slope of each element, so it is its own JVP. An operation whose
              output i depends on another single input, as in a roll, is linear.
            - "symmetric": the Jacobian is symmetric, so the rule is its own JVP too.
            - "linear": the operation is linear in this input, and `how` is the
              operation itself, as ``how(tangent, saved)``.
            - "view": the result may be a view of the input, and `how` makes the same
              view of another array, as ``how(array, saved, shape)``.
            - "reducing": the operation reduces many numbers to one. ``how(saved)``
              returns the axes of the input that are reduced, None for all, and whether
              they are kept with length 1.
        how: the function that the kind needs.
        each: a batched `how`: it maps several tangents, stacked along a first axis, in
            one step. It may return None if they must be mapped one by one.
        broadcasts: the operation broadcasts its inputs. The rule returns a gradient in
            the output's shape, and the engine sums it over the copies. Any other rule
            must return the input's shape.
        complex: the rule, and its JVP, are right for complex numbers too. This holds if
            the rule multiplies by the derivative of an analytic function, or only moves
            or adds numbers, and conjugates nothing. It must hold for every operation
            that has the rule.

    Raises:
        TypeError: if `how` is missing and the kind needs it, or the reverse.
    """
    if (how is not None) is not (kind in HAVE_HOW):
        which = "no function" if how is None else "a function"
        raise TypeError(
            f'rule: kind is "{kind}", and {which} is given; "linear", "view" and '
            '"reducing" need one as second argument, and no other kind takes one'
        )

    def declare(rule: Declared) -> Declared:
        NATURES[rule] = Nature(kind, how, each, complex)
        if broadcasts:
            MAY_BROADCAST.add(rule)
        return rule

    return declare


def jvp_of(rule: Rule) -> Callable[[Declared], Declared]:
    """Declare a function ``forward(tangent, saved)`` as the JVP of a rule.

    It gets the tangent of the input instead of the gradient, with the same saved
    values, and returns the tangent of the result. Like a rule, it is written with
    operators and NumPy's functions, which work on arrays and on tensors.

    >>> def by_row_sum(g, n):
    ...     return np.repeat(g[:, None], n, axis=1)
    >>> @jvp_of(by_row_sum)
    ... def of_row_sum(tangent, n):
    ...     return tangent.sum(axis=1)
    """

    def declare(forward: Declared) -> Declared:
        NATURES[rule] = nature_of(rule)._replace(kind="own", how=forward)
        return forward

    return declare


def is_view(node: Node) -> bool:
    """Return whether a node's operation is declared a view."""
    return bool(node.edges) and nature_of(node.edges[0][1]).kind == "view"  # type: ignore[index]


class SparseGradient:
    """A gradient that is zero outside one part; only the part is added to a sum.

    Attributes:
        g: the gradient of the part.
        shape: the shape of the whole gradient.
    """

    __slots__ = ("g", "shape")

    def __init__(self, g: np.ndarray, shape: tuple[int, ...]) -> None:
        self.g, self.shape = g, shape

    def add_to(self, total: np.ndarray) -> None:
        """Add the part to a gradient of the whole, in place."""
        raise NotImplementedError

    def whole(self) -> np.ndarray:
        """Return the gradient as a dense array."""
        total = numpy().zeros(self.shape, self.g.dtype)
        self.add_to(total)
        return total


def linear_map(
    transpose: Rule | None = None, *, complex: bool = False
) -> Callable[[Rule], Rule]:
    """Record a linear map of arrays when it is applied to a tensor; decorates a rule.

    The rule of the recorded map is its transpose. So a rule that is written for arrays
    alone still has derivatives.

    Args:
        transpose: the rule of the map, written for arrays and tensors; by default the
            map itself, which then is its own transpose.
        complex: as in `rule`.
    """

    def of_arrays(on_arrays: Rule) -> Rule:
        @wraps(on_arrays)
        def mapped(g: Any, saved: Any) -> Any:
            if type(g) is not Tensor:
                return on_arrays(g, saved)
            y = on_arrays(g._array, saved)
            if y is g._array:
                return g
            y = y.whole() if isinstance(y, SparseGradient) else y
            return result(y, g, transpose or mapped, saved)

        if transpose is None:
            return rule("symmetric", complex=complex)(mapped)
        NATURES[transpose] = nature_of(transpose)._replace(kind="linear", how=mapped)
        return rule("linear", transpose, complex=complex)(mapped)

    return of_arrays


def view(y: np.ndarray, x: Any, rule: Rule, saved: Any) -> Tensor:
    """Return a result that may be a view of `x`.

    Its rule is declared with the kind "view".
    """
    t = result(y, x, rule, saved)
    known = type(x) is Tensor and (x._node is not None or x._storage is not None)
    if known and memory_of(y) is memory_of(x._array):
        for watch in loan_watchers if t._node is None else view_watchers:
            watch(x, t)
    return t
