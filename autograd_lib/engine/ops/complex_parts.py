"""The parts of complex numbers, of which a real number has one (chapter 13).

Rules are for real numbers, and code that is written for both calls these functions on
reals too. There the real part and the conjugate are the number itself, and the gradient
passes. The imaginary part is 0 and the angle 0 or π: these are constants, plain arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.ops.arithmetic import same
from autograd_lib.engine.ops.axes import as_tensor
from autograd_lib.engine.ops.comparisons import on_arrays
from autograd_lib.engine.record import operation, unary
from autograd_lib.engine.tensor import Tensor, constant


@operation(np.real)
def real(x: Any) -> Tensor:
    """Return the real part; a real tensor itself, as NumPy does with an array."""
    t = as_tensor(x)
    return constant(t._array.real) if t.dtype.kind == "c" else t


@operation(np.conjugate)
def conjugate(x: Any) -> Tensor:
    """Return the conjugate; of a real tensor a copy."""
    return unary(np.conjugate, x, same, None)


@operation(method="conj")
def conj(x: Tensor) -> Tensor:
    """Return the conjugate; a real tensor itself, as NumPy does with an array."""
    return conjugate(x) if x.dtype.kind == "c" else x


@operation(np.real_if_close)
def real_if_close(x: Any, tol: float = 100) -> Tensor:
    """Return the real part if all imaginary parts are nearly 0; otherwise x."""
    t = as_tensor(x)
    if t.dtype.kind != "c":
        return t
    return constant(np.asarray(np.real_if_close(t._array, tol)))


for constant_part in (np.imag, np.angle, np.iscomplex, np.isreal):
    operation(constant_part)(on_arrays(constant_part))
setattr(Tensor, "conjugate", conj)  # noqa: B010 - the class names no operation
setattr(Tensor, "real", property(real))  # noqa: B010
setattr(Tensor, "imag", property(lambda x: x._array.imag))  # noqa: B010
