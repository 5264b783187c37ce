"""A float that remembers its last call (chapter 02).

Automatic differentiation chains the gradients of primitives. Here the chain is one of
Python calls: the result of a primitive keeps a closure that knows the input, and the
input, if a primitive made it, keeps one of its own.

The names and the way of working are those of Huizi Mao, "Understand Autograd: a
bottom-up tutorial" (2019). Differences: `.grad` is None until a gradient arrives, a
forgotten seed is 1 instead of a silent 0, plain floats may be passed in, and what
cannot work is answered in words.
"""

from __future__ import annotations

import functools
import math
import types
from collections.abc import Callable
from typing import Protocol, Self, cast

from autograd_lib._halves import backward_value, forward_value, variable
from autograd_lib._real import Number, callable_with, name_of, real

Forward = Callable[[float], Number]
Backward = Callable[[float, float, float], Number]


class float_var(float):
    """A float with a gradient, and a way to pass the gradient on.

    Args:
        value: one real number.
        label: a name for drawings.

    Attributes:
        grad: the derivative of the last output that ran `backprop`, toward this
            number; None as long as none did.
        label: the name, or that of the primitive that made this number.
        parents: the input of that primitive, as a tuple; read by drawings alone.

    Raises:
        TypeError: if `value` is not one real number.
        ValueError: if `value` is NaN.

    >>> x = float_var(3.0)
    >>> y = square(x)
    >>> y.backprop()
    >>> float(y), x.grad
    (9.0, 6.0)
    """

    grad: float | None
    label: str
    parents: tuple[float_var, ...]

    def __new__(cls, value: Number, label: str = "") -> Self:
        return super().__new__(cls, real("float_var", "value", value))

    def __init__(self, value: Number, label: str = "") -> None:
        self.grad = None
        self.label = label
        self.parents = ()

    def backprop(self) -> None:
        """Seed the gradient with 1 if it is None; a leaf has nobody to pass it to."""
        self.grad = self.seed()

    def seed(self) -> float:
        """Return the gradient to start from: `grad`, or 1 where that is None.

        Raises:
            TypeError, ValueError: if `grad` was set to what is not a real number.
        """
        return 1.0 if self.grad is None else real("backprop", "grad", self.grad)


class Primitive(Protocol):
    """What `autograd_chainer` returns: a function that knows its two halves."""

    fw_func: Forward
    bw_func: Backward

    def __call__(self, val_in: Number) -> float_var: ...


def autograd_chainer(fw_func: Forward, bw_func: Backward) -> Primitive:
    """Make a primitive: `fw_func`, with `bw_func` hung on each of its results.

    Args:
        fw_func: ``fw_func(val_in)`` returns the value.
        bw_func: ``bw_func(val_in, val_out, grad_out)`` returns the gradient for the
            input, which is `grad_out` times the derivative of `fw_func` at `val_in`.

    Returns:
        a function of one number, which returns a `float_var`. A plain number is
        taken for a constant: there is nobody to tell its gradient.

    Raises:
        TypeError: if an argument is not a function of one and of three arguments.
            The primitive raises TypeError and ValueError where its input, or what
            one of the two returns, is not a real number; its `backprop` then leaves
            every gradient as it was.

    >>> double = autograd_chainer(lambda v: 2 * v, lambda val_in, val_out, g: 2 * g)
    >>> x = float_var(5.0)
    >>> y = double(double(x))
    >>> y.grad = 1.0
    >>> y.backprop()
    >>> float(y), x.grad
    (20.0, 4.0)
    """
    where = "autograd_chainer"
    callable_with(where, "fw_func", fw_func, "val_in")
    callable_with(where, "bw_func", bw_func, "val_in", "val_out", "grad_out")
    name = name_of(fw_func)

    def primitive(val_in: Number) -> float_var:
        val_in = variable(float_var, name, "val_in", val_in)
        val_out = float_var(forward_value(name, fw_func, val_in), label=name)
        val_out.parents = (val_in,)

        def backprop(self: float_var) -> None:
            before = self.grad, val_in.grad
            try:
                self.grad = self.seed()
                grad_in = backward_value(name, bw_func, val_in, self, self.grad)
                val_in.grad = real(name, "what bw_func returned", grad_in)
                val_in.backprop()
            except BaseException:
                self.grad, val_in.grad = before
                raise

        val_out.backprop = types.MethodType(backprop, val_out)  # type: ignore[method-assign]
        return val_out

    made = cast(Primitive, functools.update_wrapper(primitive, fw_func))
    made.fw_func, made.bw_func = fw_func, bw_func
    return made


def chained(bw_func: Backward) -> Callable[[Forward], Primitive]:
    """Make a primitive of the function below, as a decorator.

    Raises:
        TypeError: as `autograd_chainer` does.

    >>> @chained(lambda val_in, val_out, grad_out: grad_out * 3 * val_in**2)
    ... def cube(val_in):
    ...     return val_in**3
    >>> x = float_var(2.0)
    >>> cube(x).backprop()
    >>> x.grad
    12.0
    """
    callable_with("chained", "bw_func", bw_func, "val_in", "val_out", "grad_out")
    return lambda fw_func: autograd_chainer(fw_func, bw_func)


# The primitives. One line says what a function is and how it passes a gradient on.


@chained(lambda val_in, val_out, grad_out: grad_out * 2 * val_in)
def square(val_in: float) -> float:
    """Return the square."""
    return val_in * val_in


@chained(lambda val_in, val_out, grad_out: -grad_out)
def neg(val_in: float) -> float:
    """Return the number with the other sign."""
    return -val_in


@chained(lambda val_in, val_out, grad_out: -grad_out * val_out * val_out)
def reciprocal(val_in: float) -> float:
    """Return one over the number."""
    return 1 / val_in


@chained(lambda val_in, val_out, grad_out: grad_out * val_out * (1 - val_out))
def sigmoid(val_in: float) -> float:
    """Return 1 / (1 + exp(-x)), from the side on which exp stays below 1."""
    small = math.exp(-abs(val_in))
    return (1 if val_in >= 0 else small) / (1 + small)


@chained(lambda val_in, val_out, grad_out: grad_out if val_in > 0 else 0.0)
def relu(val_in: float) -> float:
    """Return the number where it is above 0, else 0; the derivative at 0 is 0."""
    return max(float(val_in), 0.0)


exp = autograd_chainer(math.exp, lambda val_in, val_out, grad_out: grad_out * val_out)
log = autograd_chainer(math.log, lambda val_in, val_out, grad_out: grad_out / val_in)
sin = autograd_chainer(
    math.sin, lambda val_in, val_out, grad_out: grad_out * math.cos(val_in)
)
cos = autograd_chainer(
    math.cos, lambda val_in, val_out, grad_out: -grad_out * math.sin(val_in)
)
tanh = autograd_chainer(
    math.tanh, lambda val_in, val_out, grad_out: grad_out * (1 - val_out * val_out)
)
sqrt = autograd_chainer(
    math.sqrt, lambda val_in, val_out, grad_out: grad_out / (2 * val_out)
)
