"""Functions whose values stay or jump, so that no gradient passes them (chapter 13).

Comparisons, tests, roundings, positions and shapes return plain arrays and numbers: a
derivative that is 0 wherever it exists tells an optimiser nothing, and what needs none
should not be recorded. The remainder is what rounding takes away, and has a slope.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lib._protocols import OPERATIONS
from autograd_lib.node import Saved
from autograd_lib.ops.arithmetic import flipped, plain, same
from autograd_lib.primitive import array, binary, broadcasting, operation
from autograd_lib.tensor import Tensor

COMPARABLE = (Tensor, np.ndarray, np.generic, bool, int, float, complex, list, tuple)
COMPARISONS: dict[str, Any] = {
    "__eq__": np.equal,
    "__ne__": np.not_equal,
    "__lt__": np.less,
    "__le__": np.less_equal,
    "__gt__": np.greater,
    "__ge__": np.greater_equal,
}
ELEMENTWISE: tuple[Any, ...] = (
    *(np.logical_and, np.logical_or, np.logical_not, np.logical_xor),
    *(np.isnan, np.isfinite, np.isinf, np.signbit),
    *(np.floor, np.ceil, np.trunc, np.rint, np.sign),
)
OF_ARRAYS: tuple[Any, ...] = (
    *(np.allclose, np.isclose, np.array_equal, np.argsort, np.searchsorted),
    *(np.count_nonzero, np.nonzero, np.flatnonzero, np.argwhere),
    *(np.shape, np.ndim, np.size, np.result_type),
    *(np.shares_memory, np.may_share_memory, np.iscomplexobj, np.isrealobj),
    *(np.zeros_like, np.ones_like, np.empty_like),
)
WITH_OUT: tuple[Any, ...] = (np.argmax, np.argmin, np.all, np.any, np.round, np.around)
METHODS: dict[str, Any] = {
    "round": np.round,
    "argmax": np.argmax,
    "argmin": np.argmin,
    "argsort": np.argsort,
    "nonzero": np.nonzero,
    "all": np.all,
    "any": np.any,
}


def on_arrays(function: Any) -> Callable[..., Any]:
    """Return a function of NumPy that takes tensors for their arrays."""

    def call(*inputs: Any, **options: Any) -> Any:
        return function(
            *map(plain, inputs), **{name: plain(x) for name, x in options.items()}
        )

    return named(call, function)


def without_out(function: Any) -> Callable[..., Any]:
    """Return the same for a function with the argument out= in the third place."""
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
    """Give a function the name of NumPy's, for messages and drawings."""
    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = f"Return what numpy.{function.__name__} returns for the arrays."
    return call


@operation(np.full_like)
def full_like(x: Any, fill_value: Any, **options: Any) -> Any:
    """Return an array of the shape of x, full of one number.

    Raises:
        TypeError: if the number needs a gradient.
    """
    if isinstance(fill_value, Tensor) and fill_value.node is not None:
        raise TypeError(
            f"numpy.full_like: would lose the gradient of fill_value, of shape "
            f"{fill_value.shape}; use np.broadcast_to(fill_value, x.shape)"
        )
    return np.full_like(plain(x), plain(fill_value), **options)


@operation(np.floor_divide, method="__floordiv__")
def floor_divide(x: Any, y: Any) -> Any:
    """Return the quotient rounded down, plain."""
    return np.floor_divide(array(x), array(y))


@operation(np.remainder, method="__mod__")
def remainder(x: Any, y: Any) -> Tensor:
    """Return x - ⌊x/y⌋·y, which has the sign of y."""
    return binary(np.remainder, x, same, None, y, by_modulus, Saved(x, y))


@broadcasting
def by_modulus(g: Any, saved: Any) -> Any:
    """d(x - ⌊x/y⌋·y)/dy = -⌊x/y⌋."""
    return -(g * np.floor_divide(*saved))


def comparison(function: Any) -> Callable[..., Any]:
    """Return a comparison, as an operator of tensors too."""
    equality = function in (np.equal, np.not_equal)

    def compare(x: Any, y: Any) -> Any:
        if equality and not isinstance(y, COMPARABLE):
            return NotImplemented  # Python then takes the two for different objects
        return function(array(x), array(y))

    return named(compare, function)


for method, function in COMPARISONS.items():
    operation(function, method=method)(comparison(function))
for function in (*ELEMENTWISE, *OF_ARRAYS):
    operation(function)(on_arrays(function))
for function in WITH_OUT:
    operation(function)(without_out(function))
for name, function in METHODS.items():
    setattr(Tensor, name, OPERATIONS[function])
for name, reflected in (("__rfloordiv__", floor_divide), ("__rmod__", remainder)):
    setattr(Tensor, name, flipped(reflected))
