"""Errors for what traced code refuses (chapter 08)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy

from autograd_lib.designs.tracing_boxes import Node, getval


def loses(what: str) -> NoReturn:
    """Raise TypeError because a box was passed to code that doesn't know boxes."""
    raise TypeError(
        f"a box: {what} and would lose the gradient; call the function of that name in "
        "autograd_lib.designs.tracing_numpy, or getval(box) for a constant"
    )


def refuse_kinds(node: Node, *operands: Any) -> None:
    """Raise TypeError if an operand is complex or masked: rules are for real arrays."""
    for x in map(getval, operands):
        if isinstance(x, numpy.ma.MaskedArray):
            raise TypeError(
                f"{node.label}: one operand is a masked array, whose mask rules do not "
                "know; use where(mask, other, x) on its data"
            )
        kind = getattr(getattr(x, "dtype", None), "kind", "")
        if kind == "c" or isinstance(x, complex):
            raise TypeError(
                f"{node.label}: there are complex numbers, and rules are for real "
                "ones; calculate with the real and the imaginary part"
            )


def refuse_value(fun: Callable[..., Any]) -> None:
    """Raise TypeError if a function is expected and something else is passed."""
    if not callable(fun):
        raise TypeError(
            f"grad: fun must be a function, got {fun!r}; write grad(f)(x) in place of "
            "grad(f(x))"
        )


def refuse_write(ufunc: Any) -> NoReturn:
    """Raise TypeError because an operation would write into an array in place."""
    raise TypeError(
        f"a box: {ufunc.__name__} would write it into an array, and other names of the "
        "array would lose the gradient; write a = a + box in place of a += box"
    )
