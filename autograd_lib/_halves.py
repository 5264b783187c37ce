"""The two halves of a primitive, called so that errors have a name (chapter 02).

Python's own errors say "math domain error". These say which primitive, at which number,
and what to do.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar

from autograd_lib._real import Number, callable_with, real

Variable = TypeVar("Variable", bound=float)


def variable(kind: type[Variable], name: str, argument: str, value: Number) -> Variable:
    """Return an input of a primitive as a `kind`; a plain number becomes a constant.

    Raises:
        TypeError: if `value` is no number, or remembers its calls in another way, so
            that its gradient would be lost.
        ValueError: if `value` is NaN.
    """
    if isinstance(value, kind):
        return value
    if hasattr(value, "backprop"):
        raise TypeError(
            f"{name}: {argument} is a {type(value).__name__}, and this primitive works "
            f"on {kind.__name__}; use the primitives of one module, or pass "
            "float(...) for a constant"
        )
    return kind(real(name, argument, value))


def forward_value(name: str, fw_func: Callable[..., Number], *vals_in: float) -> float:
    """Return the value of `fw_func`, or say in which call it has none.

    Raises:
        TypeError: if the value is not a real number, or the number of inputs is wrong.
        ValueError: if the input is outside the domain, or the value is NaN.
        OverflowError: if the value is too large for a float.
    """
    call = f"{name}({', '.join(f'{float(v):g}' for v in vals_in)})"
    try:
        value = real(call, "what fw_func returned", fw_func(*vals_in))
        if math.isinf(value) and all(map(math.isfinite, vals_in)):
            raise OverflowError
    except OverflowError as error:
        raise OverflowError(
            f"{call} is larger than any float; scale the input down"
        ) from error
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(
            f"{call} has no real value; keep the input inside the function's domain"
        ) from error
    except TypeError:
        callable_with(name, name, fw_func, *(f"val{i}" for i in range(len(vals_in))))
        raise
    return value


def backward_value(name: str, bw_func: Callable[..., object], *args: object) -> object:
    """Return the value of `bw_func`; an error from it says which one and where.

    Raises:
        ValueError: if a number on the way to the derivative is infinite or too large.
    """
    try:
        return bw_func(*args)
    except ArithmeticError as error:
        raise ValueError(
            f"{name}: bw_func raised {type(error).__name__} at {args[0]!r}; the "
            "derivative, or a number on the way to it, is infinite or too large there"
        ) from error
    except Exception as error:
        error.add_note(f"This came from the bw_func of {name}, at {args[0]!r}.")
        raise
