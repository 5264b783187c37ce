"""Many inputs, each used many times (chapter 02).

The closures of `float_var`, with two changes: a primitive may take several inputs, and
the gradients of a number that was used more than once are summed before they are passed
on. In the order of `graph.topological_order` every sum is complete when it is used.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Self

from autograd_lib.graph import topological_order
from autograd_lib.scalar import float_var as univariate
from autograd_lib.scalar.calls import backward_value, forward_value, variable
from autograd_lib.scalar.float_var import Primitive
from autograd_lib.scalar.real import Number, callable_with, name_of, real

Backward = Callable[[Sequence[float], float, float], Sequence[Number]]


class multi_var(float):
    """A float that remembers the call that made it, with any number of inputs.

    Args:
        value: one real number.
        label: a name for drawings.

    Attributes:
        grad: the derivative of the last output that ran `backprop`, with respect to
            this number; None if none has.
        label: the name, or that of the primitive that made this number.
        parents: the inputs of that primitive.

    Raises:
        TypeError: if `value` is not one real number.
        ValueError: if `value` is NaN.

    >>> x = multi_var(3.0)
    >>> y = mul(x, x)
    >>> y.backprop()
    >>> x.grad
    6.0
    """

    grad: float | None
    label: str
    parents: tuple[multi_var, ...]
    _gradients: Callable[[float, float], Sequence[float]]

    def __new__(cls, value: Number, label: str = "") -> Self:
        return super().__new__(cls, real("multi_var", "value", value))

    def __init__(self, value: Number, label: str = "") -> None:
        self.grad = None
        self.label = label
        self.parents = ()
        self._gradients = lambda val_out, grad_out: ()

    def backprop(self, seed: Number = 1.0) -> None:
        """Set the gradients of all numbers that this one was made from.

        Gradients of an earlier pass are replaced. If a `bw_func` fails, no gradient is
        changed.

        Args:
            seed: the gradient to start from, 1 for the derivative of this number.

        Raises:
            TypeError, ValueError: if the seed, or a gradient from a `bw_func`, is not a
                real number.
        """
        order = topological_order(self)
        totals = {id(node): 0.0 for node in order}
        totals[id(self)] = real("backprop", "seed", seed)
        for node in reversed(order):
            grad_out = real("backprop", "a sum of gradients", totals[id(node)])
            shares = node._gradients(node, grad_out)
            for parent, share in zip(node.parents, shares, strict=True):
                totals[id(parent)] += share
        for node in order:
            node.grad = totals[id(node)]


def multi_chainer(
    fw_func: Callable[..., Number], bw_func: Backward
) -> Callable[..., multi_var]:
    """Make a primitive of several inputs.

    Args:
        fw_func: ``fw_func(*vals_in)`` returns the value.
        bw_func: ``bw_func(vals_in, val_out, grad_out)`` returns a sequence with the
            gradient for each input: `grad_out` times the partial derivative.

    Returns:
        a function that returns a `multi_var`. Plain numbers are constants.

    Raises:
        TypeError: if `fw_func` is not a function, or `bw_func` not one of three
            arguments. The primitive raises TypeError and ValueError if an input, or the
            result of one of the two, is not a real number.

    >>> import math
    >>> hypot = multi_chainer(
    ...     math.hypot, lambda v, out, g: (g * v[0] / out, g * v[1] / out)
    ... )
    >>> x, y = multi_var(3.0), multi_var(4.0)
    >>> hypot(x, y).backprop()
    >>> x.grad, y.grad
    (0.6, 0.8)
    """
    where = "multi_chainer"
    callable_with(where, "bw_func", bw_func, "vals_in", "val_out", "grad_out")
    if not callable(fw_func):
        raise TypeError(
            f"{where}: fw_func must be a function, called as fw_func(*vals_in), "
            f"got {fw_func!r}"
        )
    name = name_of(fw_func)

    def primitive(*inputs: Number) -> multi_var:
        vals_in = tuple(
            variable(multi_var, name, f"input {i}", v) for i, v in enumerate(inputs)
        )
        val_out = multi_var(forward_value(name, fw_func, *vals_in), label=name)
        val_out.parents = vals_in

        def gradients(val_out: float, grad_out: float) -> Sequence[float]:
            shares = backward_value(name, bw_func, vals_in, val_out, grad_out)
            if not isinstance(shares, Sequence) or len(shares) != len(vals_in):
                raise TypeError(
                    f"{name}: bw_func must return a sequence of {len(vals_in)} "
                    f"gradients, one for each input, got {shares!r}"
                )
            return [
                real(name, f"gradient {i} from bw_func", s)
                for i, s in enumerate(shares)
            ]

        val_out._gradients = gradients
        return val_out

    return functools.update_wrapper(primitive, fw_func)


def multi_chained(
    bw_func: Backward,
) -> Callable[[Callable[..., Number]], Callable[..., multi_var]]:
    """Turn the function below into a primitive of several inputs, as a decorator.

    Raises:
        TypeError: as in `multi_chainer`.
    """
    return lambda fw_func: multi_chainer(fw_func, bw_func)


def lifted(primitive: Primitive) -> Callable[..., multi_var]:
    """Return a primitive of chapter 02 that works on `multi_var`."""
    return multi_chainer(
        primitive.fw_func,
        lambda vals_in, val_out, grad_out: (
            primitive.bw_func(vals_in[0], val_out, grad_out),
        ),
    )


@multi_chained(lambda vals_in, val_out, grad_out: (grad_out, grad_out))
def add(a: float, b: float) -> float:
    """Return a + b."""
    return a + b


@multi_chained(lambda vals_in, val_out, grad_out: (grad_out, -grad_out))
def sub(a: float, b: float) -> float:
    """Return a - b."""
    return a - b


@multi_chained(
    lambda vals_in, val_out, grad_out: (grad_out * vals_in[1], grad_out * vals_in[0])
)
def mul(a: float, b: float) -> float:
    """Return a * b."""
    return a * b


@multi_chained(
    lambda vals_in, val_out, grad_out: (
        grad_out / vals_in[1],
        -grad_out * val_out / vals_in[1],
    )
)
def div(a: float, b: float) -> float:
    """Return a / b."""
    return a / b


square = lifted(univariate.square)
neg = lifted(univariate.neg)
reciprocal = lifted(univariate.reciprocal)
sigmoid = lifted(univariate.sigmoid)
relu = lifted(univariate.relu)
exp = lifted(univariate.exp)
log = lifted(univariate.log)
sin = lifted(univariate.sin)
cos = lifted(univariate.cos)
tanh = lifted(univariate.tanh)
sqrt = lifted(univariate.sqrt)
