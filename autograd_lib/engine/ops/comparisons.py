"""Piecewise constant functions, through which no gradient passes (chapter 10).

Comparisons, tests, roundings, positions and shapes return plain arrays and numbers: a
derivative that is 0 wherever it exists tells an optimiser nothing, so recording them
would be a waste. The remainder, which rounding leaves, does have a slope.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.exceptions import AxisError

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.mistakes import TORCH_WORDS, misfit, unknown_keywords
from autograd_lib.engine.numpy.operands import unlike_shapes
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.arithmetic import array_of, identity
from autograd_lib.engine.ops.axes import as_tensor, needs_gradient
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import array, binary, unary
from autograd_lib.engine.tape.tensor import Tensor

COMPARABLE = (Tensor, np.ndarray, np.generic, bool, int, float, complex, list, tuple)
COMPARISONS: tuple[Any, ...] = (
    *(np.equal, np.not_equal),
    *(np.less, np.less_equal, np.greater, np.greater_equal),
)
OF_BITS: tuple[Any, ...] = (
    *(np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.bitwise_not),
    *(np.left_shift, np.right_shift),
)
ELEMENTWISE: tuple[Any, ...] = (
    *(np.logical_and, np.logical_or, np.logical_not, np.logical_xor),
    *(np.isnan, np.isfinite, np.isinf, np.signbit),
    *(np.floor, np.ceil, np.trunc, np.rint),
)
OF_ARRAYS: tuple[Any, ...] = (
    *(np.allclose, np.isclose, np.array_equal, np.array_equiv),
    *(np.argsort, np.argpartition, np.searchsorted, np.digitize, np.isin),
    *(np.count_nonzero, np.nonzero, np.flatnonzero, np.argwhere),
    *(np.shape, np.ndim, np.size, np.result_type),
    *(np.shares_memory, np.may_share_memory, np.iscomplexobj, np.isrealobj),
    *(np.zeros_like, np.ones_like, np.empty_like),
)
WITH_OUT: tuple[Any, ...] = (np.argmax, np.argmin, np.all, np.any, np.round, np.around)


def on_arrays(function: Any) -> Callable[..., Any]:
    """Return a function of NumPy that replaces tensors by their arrays."""

    def call(*inputs: Any, **options: Any) -> Any:
        arrays = [array_of(x) for x in inputs]
        given = {name: array_of(x) for name, x in options.items()}
        try:
            return function(*arrays, **given)
        except (TypeError, ValueError) as error:
            raise explained(function, error, arrays, given) from None

    return named(call, function)


def explained(function: Any, error: Exception, arrays: Any, options: Any) -> Exception:
    """Return NumPy's error in our words, if we have some for it."""
    name = function.__name__
    if isinstance(error, AxisError):
        axis = options.get("axis", arrays[1] if len(arrays) > 1 else None)
        return misfit(name, np.shape(arrays[0]), error, axis=axis)
    if isinstance(error, ValueError):
        others = (np.isclose, np.allclose, np.heaviside)
        together = function in ELEMENTWISE or function in others
        return unlike_shapes(name, error, *arrays) if together else error
    unknown = TORCH_WORDS.keys() & options
    return unknown_keywords(name, function, unknown) if unknown else error


def without_out(function: Any) -> Callable[..., Any]:
    """Like `on_arrays`, for a function whose third argument is out=."""
    on_array = on_arrays(function)

    def call(x: Any, second: Any = None, *more: Any, **options: Any) -> Any:
        if more or options.get("out") is not None:
            raise TypeError(
                f"numpy.{function.__name__}: out= would write over an array without a "
                "record; assign the result instead, and give other arguments by name"
            )
        return on_array(x, *(() if second is None else (second,)), **options)

    return named(call, function)


def named(call: Callable[..., Any], function: Any) -> Callable[..., Any]:
    """Give a function the name of NumPy's function, for messages and drawings."""
    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = f"Return what numpy.{function.__name__} returns for the arrays."
    return call


@operation(np.full_like)
def full_like(x: Any, fill_value: Any, **options: Any) -> Any:
    """Return an array of the shape of x, filled with one number.

    Raises:
        TypeError: if the number needs a gradient.
    """
    if isinstance(fill_value, Tensor) and fill_value.node is not None:
        raise TypeError(
            f"numpy.full_like: would lose the gradient of fill_value, of shape "
            f"{fill_value.shape}; use np.broadcast_to(fill_value, x.shape)"
        )
    return np.full_like(array_of(x), array_of(fill_value), **options)


@operation(np.fix)
def fix(x: Any) -> Any:
    """Return the elements rounded towards 0, a plain array."""
    return np.fix(array_of(x))


@operation(np.heaviside)
def heaviside(x1: Any, x2: Any) -> Any:
    """Return 0 below 0, x2 at 0, and 1 above, a plain array.

    Raises:
        TypeError: if x2 needs a gradient.
    """
    if isinstance(x2, Tensor) and needs_gradient(x2):
        raise TypeError(
            "heaviside: would lose the gradient of its value at 0; use "
            "np.where(x == 0, value, x > 0)"
        )
    return on_arrays(np.heaviside)(x1, x2)


@operation(np.floor_divide)
def floor_divide(x: Any, y: Any) -> Any:
    """Return the quotient rounded down, a plain array."""
    a, b = array(x), array(y)
    try:
        return np.floor_divide(a, b)
    except ValueError as error:
        raise unlike_shapes("floor_divide", error, a, b) from None


@operation(np.remainder)
def remainder(x: Any, y: Any) -> Tensor:
    """Return x - ⌊x/y⌋·y, which has the sign of y."""
    return binary(np.remainder, x, identity, None, y, by_modulus, Saved(x, y))


@operation(np.fmod)
def fmod(x: Any, y: Any) -> Tensor:
    """Return x - trunc(x/y)·y, which has the sign of x."""
    return binary(np.fmod, x, identity, None, y, by_divisor_of_rest, Saved(x, y))


@rule("elementwise", broadcasts=True)
def by_divisor_of_rest(g: Any, saved: Any) -> Any:
    """d(x - trunc(x/y)·y)/dy = -trunc(x/y)."""
    x, y = map(array_of, saved)
    return -(g * np.rint((x - np.fmod(x, y)) / y))  # exact even where x/y rounds up


@operation(np.divmod)
def divmod(x: Any, y: Any) -> tuple[Any, Tensor]:
    """Return the quotient rounded down, a plain array, and the remainder."""
    return floor_divide(x, y), remainder(x, y)


@operation(np.modf)
def modf(x: Any) -> tuple[Tensor, Any]:
    """Return the fractional part, and the integer part as a plain array."""
    whole = np.trunc(numpy().asarray(array(x), np.result_type(as_tensor(x).dtype, 1.0)))
    return unary(lambda a: np.modf(a)[0], x, identity, None), whole


def round_to(x: Tensor, digits: int | None = None) -> Any:
    """Return the elements rounded as Python's `round` does, a plain array."""
    return np.round(x._array, digits or 0)


def bitwise(function: Any) -> Callable[..., Any]:
    """Return an operation on the bits of integers or truth values."""

    def call(*inputs: Any) -> Any:
        arrays = [numpy().asarray(array(x)) for x in inputs]
        for a in arrays:
            if a.dtype.kind not in "iub":
                raise TypeError(
                    f"{function.__name__}: needs whole numbers or truth values, got "
                    f"{a.dtype} of shape {a.shape}; compare first, such as "
                    "(t > 0) & (t < 1)"
                )
        return function(*map(array, inputs))

    return named(call, function)


@rule("elementwise", broadcasts=True)
def by_modulus(g: Any, saved: Any) -> Any:
    """d(x - ⌊x/y⌋·y)/dy = -⌊x/y⌋."""
    return -(g * np.floor_divide(*saved))


def comparison(function: Any) -> Callable[..., Any]:
    """Return a comparison that works as an operator of tensors too."""
    equality = function in (np.equal, np.not_equal)

    def compare(x: Any, y: Any) -> Any:
        if equality and not isinstance(y, COMPARABLE):
            return NotImplemented  # Python then treats them as unequal
        a, b = array(x), array(y)
        try:
            return function(a, b)
        except ValueError as error:
            raise unlike_shapes(function.__name__, error, a, b) from None

    return named(compare, function)


for function in COMPARISONS:
    operation(function)(comparison(function))
for function in (*ELEMENTWISE, *OF_ARRAYS):
    operation(function)(on_arrays(function))
for function in WITH_OUT:
    operation(function)(without_out(function))
for function in OF_BITS:
    operation(function)(bitwise(function))
