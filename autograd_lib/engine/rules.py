"""What is declared of a rule, above it, and two kinds of results (chapter 13).

A backward pass reads whether a rule's operation broadcasts. What else is declared is
read by later chapters: which rules are of views (17), which are right for complex
numbers, and what an operation does to a tangent (22).
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
    """What is declared of a rule: the arguments of `rule`, or `jvp_of`'s function."""

    kind: Kind = ""
    how: Any = None
    each: Forward | None = None
    complex: bool = False


NATURES: dict[Rule, Nature] = {}
HAVE_HOW = ("linear", "view", "reducing", "own")
view_watchers: list[Callable[[Tensor, Tensor], None]] = []
"""Called with a recorded tensor, and with another that shows elements of it."""


def nature_of(rule: Rule) -> Nature:
    """Return what was declared of a rule, or what is so where nothing was."""
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
    """Declare what a rule, and the operation that it is of, is like.

    >>> @rule("elementwise", complex=True)
    ... def by_square(g, x):
    ...     return g * 2 * x

    Args:
        kind: what forward mode may conclude from the rule.

            - "elementwise": output i depends on input i alone. The rule multiplies by
              the slope of each element, and so it is its own JVP. It is not enough that
              each output depends on one input: a roll or an index is linear.
            - "symmetric": the Jacobian is symmetric, so the rule is its own JVP too.
            - "linear": the operation is linear in this input, and `how` is the
              operation itself, as ``how(tangent, saved)``.
            - "view": the result may show elements of the input, and `how` makes the
              view again, of another array, as ``how(array, saved, shape)``.
            - "reducing": the operation makes one number of many, and `how` returns, of
              what was saved, the axes of the input that are made one, None for all,
              and whether they stay as axes of length 1.
        how: the function that the kind asks for.
        each: does what a linear operation's `how` does to several tangents, along a
            first axis, in one step; it may return None where they must be taken one by
            one.
        broadcasts: the operation broadcasts its inputs. What the rule returns has the
            shape of the output; the engine sums it over the copies. Of any other rule
            it demands the input's shape.
        complex: the rule is right where numbers are complex, and so is its JVP. It is
            so of a rule that multiplies by the derivative of an analytic function, or
            that only moves or adds numbers, and conjugates nothing. All operations that
            have the rule must be right with it.

    Raises:
        TypeError: if `how` is missing where the kind needs it, or given where not.
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
        NATURES[rule] = nature_of(rule)._replace(kind="own", how=forward)
        return forward

    return declare


def is_view(node: Node) -> bool:
    """Return whether a node's one edge has a rule of views."""
    return bool(node.edges) and nature_of(node.edges[0][1]).kind == "view"  # type: ignore[index]


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
        total = numpy().zeros(self.shape, self.g.dtype)
        self.add_to(total)
        return total


def linear_map(
    transpose: Rule | None = None, *, complex: bool = False
) -> Callable[[Rule], Rule]:
    """Make a linear map of arrays one of tensors too, as a decorator of a rule.

    A map of a tensor is recorded, and its own rule is the transpose. So a rule that
    calculates as only arrays can still has derivatives.

    Args:
        transpose: the rule of the map, of operations that tensors have; by default the
            map itself, which then is its own transpose.
        complex: as of `rule`.
    """

    def of_arrays(on_arrays: Rule) -> Rule:
        @wraps(on_arrays)
        def mapped(g: Any, saved: Any) -> Any:
            if type(g) is not Tensor:
                return on_arrays(g, saved)
            y = on_arrays(g._array, saved)
            y = y.whole() if isinstance(y, SparseGradient) else y
            return result(y, g, transpose or mapped, saved)

        if transpose is None:
            return rule("symmetric", complex=complex)(mapped)
        NATURES[transpose] = nature_of(transpose)._replace(kind="linear", how=mapped)
        return rule("linear", transpose, complex=complex)(mapped)

    return of_arrays


def view(y: np.ndarray, x: Any, rule: Rule, saved: Any) -> Tensor:
    """Return a result that may show the elements of `x`, not copies of them.

    Its rule is declared a view's.
    """
    t = result(y, x, rule, saved)
    if t._node is not None and memory_of(y) is memory_of(x._array):
        for watch in view_watchers:
            watch(x, t)
    return t
