"""Copies, and conversions to another type (chapter 10)."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.arithmetic import identity
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.mode import is_recording
from autograd_lib.engine.tape.record import array, result, unary
from autograd_lib.engine.tape.tensor import Tensor, constant


@operation(np.positive)
def positive(x: Any) -> Tensor:
    """Return +x, a copy."""
    return unary(np.positive, x, identity, None)


@operation(np.copy)
def copy(x: Any, order: Any = "K", subok: bool = False) -> Tensor:
    """Return a copy of the elements. Unlike `detach`, it passes gradients on.

    Args:
        x: the tensor.
        order: the memory layout of the copy: "C", "F", "A" or "K", as in NumPy.
        subok: has no effect.
    """
    return unary(lambda a: numpy().array(a, order=order), x, identity, None)


def copy_method(x: Tensor, order: Any = "C") -> Tensor:
    """Return a copy of the elements, in C order unless another is asked for."""
    return copy(x, order)


def clone(x: Tensor) -> Tensor:
    """Return a copy of the elements, which passes gradients on, like `copy`."""
    return copy(x)


@operation(np.astype)
def astype(x: Any, dtype: Any, *, copy: bool = True) -> Tensor:
    """Return the numbers in another type.

    Between floating-point or complex types, the gradient is converted back to the type
    of the input. Integers and truth values are constants.

    Args:
        x: the tensor.
        dtype: the type.
        copy: whether to copy even if the type is the same.

    Raises:
        TypeError: if complex numbers that need a gradient would become real, or the
            type isn't one of numbers.
    """
    a, to = numpy().asarray(array(x)), np.dtype(dtype)
    if to == a.dtype and not copy and isinstance(x, Tensor):
        return x
    needed = isinstance(x, Tensor) and x.node is not None and is_recording()
    if needed and a.dtype.kind == "c" != to.kind:
        raise TypeError(
            f"astype: a tensor of {a.dtype} that needs a gradient cannot become {to}, "
            "which has no room for the imaginary parts; take t.real first"
        )
    if to.kind not in "fiubc":
        raise TypeError(
            f"astype: tensors hold numbers, got {to}; t.data.astype has other types"
        )
    y = a.astype(to)
    return result(y, x, back_to_type, a.dtype) if to.kind in "fc" else constant(y)


@rule("linear", lambda t, _: t, complex=True)
def back_to_type(g: Any, dtype: Any) -> Any:
    """Convert the gradient to the input's type, or the complex type that matches it."""
    return g.astype(
        np.result_type(dtype, np.complex64) if g.dtype.kind == "c" else dtype
    )
