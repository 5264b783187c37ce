"""The parts of complex numbers, and of real ones (chapter 10).

The real part of z, the imaginary part and the angle are real numbers that change by the
real part of some w·dz, with w = 1, -i and -i/z. Such a function has the rule "times w":
`complex.convention` says why that works in both modes.

Code that is written for complex numbers calls these functions on real ones too. There
the real part and the conjugate are the number itself, and the gradient passes through.
The imaginary part is 0 and the angle 0 or π: constants, as plain arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.arithmetic import array_of, identity, multiply, times
from autograd_lib.engine.ops.axes import as_tensor
from autograd_lib.engine.ops.choices import absolute
from autograd_lib.engine.ops.comparisons import on_arrays
from autograd_lib.engine.ops.kinks import with_kink
from autograd_lib.engine.ops.reductions import one_for_zero
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.record import result, unary
from autograd_lib.engine.tape.tensor import Tensor


@operation(np.real)
def real(x: Any) -> Tensor:
    """Return the real part, as a copy; a real tensor unchanged."""
    t = as_tensor(x)
    if t.dtype.kind != "c":
        return t
    return result(t._array.real.copy(), t, identity, None, np.real)


@operation(np.imag)
def imag(x: Any) -> Any:
    """Return the imaginary part; for a real tensor a plain array of zeros."""
    t = as_tensor(x)
    if t.dtype.kind != "c":
        return t._array.imag
    return result(t._array.imag.copy(), t, times, -1j, np.imag)


@operation(np.conjugate)
def conjugate(x: Any) -> Tensor:
    """Return the conjugate; for a real tensor a copy."""
    complex_one = isinstance(x, Tensor) and x.dtype.kind == "c"
    return unary(np.conjugate, x, conjugated if complex_one else identity, None)


@rule("symmetric", complex=True)
def conjugated(g: Any, _: None) -> Any:
    """Re(ȳ·conj(dz)) = Re(conj(ȳ)·dz)."""
    return g.conj()


def conj(x: Tensor) -> Tensor:
    """Return the conjugate; a real tensor unchanged."""
    return conjugate(x) if x.dtype.kind == "c" else x


@operation(np.angle)
def angle(z: Any, deg: bool = False) -> Any:
    """Return the angle from the positive real axis. Its slopes at 0 are 0.

    For a real tensor it is 0 or π, a plain array.

    Args:
        z: a tensor or an array.
        deg: whether to return degrees instead of radians.
    """
    t = as_tensor(z)
    if t.dtype.kind != "c":
        return np.angle(t._array, deg)
    y = result(numpy().asarray(np.angle(t._array)), t, by_angle, t, np.angle)
    return multiply(y, 180 / np.pi) if deg else y


@rule("elementwise", complex=True)
def by_angle(g: Any, z: Any) -> Any:
    """dθ = Re(-i/z·dz)."""
    slope = -1j * (array_of(z) != 0) / one_for_zero(z)
    return g * (with_kink(slope, np.abs(z)) if isinstance(z, Tensor) else slope)


@operation(np.sign)
def sign(x: Any) -> Any:
    """Return -1, 0 or 1, a plain array; for complex numbers the tensor x/|x|."""
    t = as_tensor(x)
    if t.dtype.kind != "c":
        return np.sign(t._array)
    direction = t / one_for_zero(absolute(t))
    return direction * (t._array != 0)


@operation(np.real_if_close)
def real_if_close(x: Any, tol: float = 100) -> Tensor:
    """Return the real part if all imaginary parts are nearly 0; otherwise x."""
    t = as_tensor(x)
    close = np.isrealobj(np.real_if_close(t._array, tol))
    return real(t) if close else t


for constant_part in (np.iscomplex, np.isreal):
    operation(constant_part)(on_arrays(constant_part))
