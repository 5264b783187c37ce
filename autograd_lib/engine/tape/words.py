"""What the tape says of what it cannot take (chapter 12)."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

ALIASES = {
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "divide",
    "pow": "power",
    "at_least": "clip",
    "at_most": "clip",
    "choose": "where",
    "replace": "nan_to_num",
    "logistic": "sigmoid",
    "log_one_plus_exp": "softplus",
    "normal_below": "gelu",
    "error_function": "erf",
    "times_transpose": "matmul",
    "transpose_times": "matmul",
}
"""The names of operations that another function calculates."""


def operation_name(function: Any) -> str:
    """Return the name of an operation that a function calculates, or a part of one."""
    function = getattr(function, "func", function)  # functools.partial
    name = getattr(function, "__name__", "an operation")
    return ALIASES.get(name, name)


def unlike_shapes(name: str, error: Exception, *operands: Any) -> Exception:
    """Return the error of an elementwise operation whose operands do not broadcast.

    Args:
        name: the operation.
        error: NumPy's, which is returned if the shapes are not to blame.
        operands: arrays or numbers.
    """
    shapes = [np.shape(x) for x in operands]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        return ValueError(
            f"{name}: shapes {' and '.join(map(str, shapes))} do not broadcast; "
            "counted from the last axis, lengths must be equal, or one of them 1: "
            "x[:, None] has one more axis, and np.reshape gives another shape"
        )
    return error


def refuse_subclass(what: str, x: Any) -> None:
    """Check that `x` isn't an array of a class that calculates in its own way.

    Nor a list that holds one.

    Raises:
        TypeError: if it is: an array with a mask, or with units, or a matrix.
    """
    kind = type(x)
    if kind is list or kind is tuple:
        for item in x if any(map(may_be_array, set(map(type, x)))) else ():
            refuse_subclass(what, item)
    elif issubclass(kind, np.ma.MaskedArray | np.matrix) or (
        issubclass(kind, np.ndarray)
        and kind.__array_ufunc__ is not np.ndarray.__array_ufunc__
    ):
        raise TypeError(
            f"{what} is a {kind.__name__}, and what that has beyond its numbers would "
            "be lost; np.asarray(x) is the bare array, and np.where takes a mask"
        )


def may_be_array(kind: type) -> bool:
    """Return whether something of this class is an array or may hold one."""
    return issubclass(kind, np.ndarray | list | tuple)


def truth(value: Any, name: str) -> bool:
    """Return True or False.

    Raises:
        TypeError: if it is neither.
    """
    if isinstance(value, bool | np.bool):
        return bool(value)
    raise TypeError(
        f"Tensor: {name} is True or False, got {value!r:.60}; several numbers are "
        "given in a list, such as Tensor([2.0, 3.0])"
    )


def freed() -> NoReturn:
    """Raise RuntimeError because a pass has gone through this graph before."""
    raise RuntimeError(
        "backward: a pass has gone through this graph before and freed what it saved; "
        "calculate the result again, or pass retain_graph=True first"
    )


def in_another_thread() -> NoReturn:
    """Raise RuntimeError because two threads are in passes through the same nodes."""
    raise RuntimeError(
        "backward: another thread is in a backward pass through the same graph or "
        "leaves; wait for it, or give each thread tensors of its own"
    )


def cyclic() -> NoReturn:
    """Raise RuntimeError because some nodes never got all their gradients."""
    raise RuntimeError(
        "backward: the graph has a cycle; a node's edges were set by hand so that it "
        "was made from itself"
    )
