"""Trigonometric and hyperbolic functions (chapter 10).

Slopes are written so that they overflow or lose digits only where the function does:
(1 - x)(1 + x) for 1 - x², and a hypotenuse for √(1 + x²).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.numpy.operands import unlike_shapes
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.arithmetic import array_of
from autograd_lib.engine.ops.kinks import with_kink
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import OUTPUT, array, binary, record, unary
from autograd_lib.engine.tape.tensor import Tensor


@operation(np.sin)
def sin(x: Any) -> Tensor:
    """Return the sine of angles in radians."""
    return unary(np.sin, x, by_sin, x)


@rule("elementwise", complex=True)
def by_sin(g: Any, x: Any) -> Any:
    """d(sin x)/dx = cos x."""
    return g * np.cos(x)


@operation(np.cos)
def cos(x: Any) -> Tensor:
    """Return the cosine of angles in radians."""
    return unary(np.cos, x, by_cos, x)


@rule("elementwise", complex=True)
def by_cos(g: Any, x: Any) -> Any:
    """d(cos x)/dx = -sin x."""
    return -(g * np.sin(x))


@operation(np.tan)
def tan(x: Any) -> Tensor:
    """Return the tangent of angles in radians."""
    return unary(np.tan, x, by_tan, OUTPUT)


@rule("elementwise", complex=True)
def by_tan(g: Any, y: Any) -> Any:
    """d(tan x)/dx = 1 + tan² x."""
    return g * (1 + y * y)


@operation(np.arcsin)
def arcsin(x: Any) -> Tensor:
    """Return the angle, from -π/2 to π/2, that has the sine x."""
    return unary(np.arcsin, x, by_arcsin, x)


@rule("elementwise", complex=True)
def by_arcsin(g: Any, x: Any) -> Any:
    """d(arcsin x)/dx = 1/√(1 - x²)."""
    return g / np.sqrt((1 - x) * (1 + x))


@operation(np.arccos)
def arccos(x: Any) -> Tensor:
    """Return the angle, from 0 to π, that has the cosine x."""
    return unary(np.arccos, x, by_arccos, x)


@rule("elementwise", complex=True)
def by_arccos(g: Any, x: Any) -> Any:
    """d(arccos x)/dx = -1/√(1 - x²)."""
    return -by_arcsin(g, x)


@operation(np.arctan)
def arctan(x: Any) -> Tensor:
    """Return the angle, from -π/2 to π/2, that has the tangent x."""
    return unary(np.arctan, x, by_arctan, x)


@rule("elementwise", complex=True)
def by_arctan(g: Any, x: Any) -> Any:
    """d(arctan x)/dx = 1/(1 + x²)."""
    if x.dtype.kind == "c":
        return g / (1 + x * x)
    r = np.hypot(1, x)
    return g / r / r


@operation(np.arctan2)
def arctan2(y: Any, x: Any) -> Tensor:
    """Return the angle, from -π to π, of the point (x, y). The slopes at (0, 0) are 0.

    Args:
        y: the ordinate, which comes first, as in NumPy.
        x: the abscissa.
    """
    return binary(np.arctan2, y, by_ordinate, Saved(y, x), x, by_abscissa, Saved(y, x))


@rule("elementwise", broadcasts=True)
def by_ordinate(g: Any, saved: Any) -> Any:
    """d(arctan(y/x))/dy = x/r², for r² = x² + y²."""
    y, x = saved
    r: Any = np.hypot(x, y)
    far = or_infinity(r)
    return g * with_kink(x / far / far, r)


@rule("elementwise", broadcasts=True)
def by_abscissa(g: Any, saved: Any) -> Any:
    """d(arctan(y/x))/dx = -y/r², for r² = x² + y²."""
    y, x = saved
    return -by_ordinate(g, (x, y))


@operation(np.hypot)
def hypot(x: Any, y: Any) -> Tensor:
    """Return √(x² + y²). The slopes at (0, 0) are 0, like that of |x|."""
    a, b = array(x), array(y)
    try:
        r = np.hypot(a, b)
    except ValueError as error:
        raise unlike_shapes("hypot", error, a, b) from None
    edges = (x, by_leg, Saved(x, OUTPUT)), (y, by_leg, Saved(y, OUTPUT))
    return record(r, *edges, by=np.hypot)


@rule("elementwise", broadcasts=True)
def by_leg(g: Any, saved: Any) -> Any:
    """dr/dx = x/r, for r² = x² + y²."""
    x, r = saved
    return g * with_kink(x / or_infinity(r), r)


def or_infinity(r: Any) -> Any:
    """Return a divisor with infinity in place of 0: all slopes at the origin are 0."""
    return np.where(array_of(r) == 0, np.inf, r)


@operation(np.sinh)
def sinh(x: Any) -> Tensor:
    """Return (eˣ - e⁻ˣ)/2."""
    return unary(np.sinh, x, by_sinh, x)


@rule("elementwise", complex=True)
def by_sinh(g: Any, x: Any) -> Any:
    """d(sinh x)/dx = cosh x."""
    return g * np.cosh(x)


@operation(np.cosh)
def cosh(x: Any) -> Tensor:
    """Return (eˣ + e⁻ˣ)/2."""
    return unary(np.cosh, x, by_cosh, x)


@rule("elementwise", complex=True)
def by_cosh(g: Any, x: Any) -> Any:
    """d(cosh x)/dx = sinh x."""
    return g * np.sinh(x)


@operation(np.tanh)
def tanh(x: Any) -> Tensor:
    """Return sinh x/cosh x, which is between -1 and 1."""
    return unary(np.tanh, x, by_tanh, OUTPUT)


@rule("elementwise", complex=True)
def by_tanh(g: Any, y: Any) -> Any:
    """d(tanh x)/dx = 1 - tanh² x."""
    return g * (1 - y * y)


@operation(np.arcsinh)
def arcsinh(x: Any) -> Tensor:
    """Return the number whose sinh is x."""
    return unary(np.arcsinh, x, by_arcsinh, x)


@rule("elementwise", complex=True)
def by_arcsinh(g: Any, x: Any) -> Any:
    """d(arcsinh x)/dx = 1/√(1 + x²)."""
    if x.dtype.kind == "c":
        return g / np.sqrt(1 + x * x)
    return g / np.hypot(1, x)


@operation(np.arccosh)
def arccosh(x: Any) -> Tensor:
    """Return the number, at least 0, whose cosh is x."""
    return unary(np.arccosh, x, by_arccosh, x)


@rule("elementwise", complex=True)
def by_arccosh(g: Any, x: Any) -> Any:
    """d(arccosh x)/dx = 1/√(x² - 1)."""
    return g / (np.sqrt(x - 1) * np.sqrt(x + 1))


@operation(np.arctanh)
def arctanh(x: Any) -> Tensor:
    """Return the number whose tanh is x."""
    return unary(np.arctanh, x, by_arctanh, x)


@rule("elementwise", complex=True)
def by_arctanh(g: Any, x: Any) -> Any:
    """d(arctanh x)/dx = 1/(1 - x²)."""
    return g / ((1 - x) * (1 + x))
