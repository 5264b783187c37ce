"""One of two numbers, element by element (chapter 10).

The gradient goes to the number that was chosen. If the two are equal, each gets half:
giving all to one would depend on their order, and giving all to both would count the
same change twice. For the same reason the slope of |x| at 0 is halfway between -1 and
1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.numpy.operands import unlike_shapes
from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.arithmetic import array_of, identity
from autograd_lib.engine.ops.kinks import with_kink
from autograd_lib.engine.rules import linear_map, rule
from autograd_lib.engine.tape.node import Saved
from autograd_lib.engine.tape.record import array, binary, unary
from autograd_lib.engine.tape.tensor import Tensor

LARGE = 1_000  # elements, from which multiplying the bits is faster
WHOLE = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}  # by size in bytes


@operation(np.where)
def where(condition: Any, *x_and_y: Any) -> Any:
    """Return x where the condition is true, else y; with no x and y, where it is true.

    Args:
        condition: truth values, or numbers (0 is false). It gets no gradient.
        x_and_y: tensors, arrays or numbers; all three are broadcast.

    Returns:
        A tensor; without x and y, an array of indices for each axis, like
        `numpy.nonzero`.

    Raises:
        ValueError: if only one of x and y is given.
    """
    if not x_and_y:
        return np.where(array_of(condition))
    if len(x_and_y) != 2:
        raise ValueError(
            f"where: takes a condition alone, or with x and y, got {1 + len(x_and_y)} "
            "arguments; for nothing else give 0.0"
        )
    holds = numpy().array(array(condition), bool)  # copied, as the caller may write

    def choose(x: Any, y: Any) -> Any:
        return np.where(holds, x, y)

    x, y = x_and_y
    try:
        return binary(choose, x, keep_where, holds, y, keep_where, ~holds)
    except ValueError as error:
        raise unlike_shapes("where", error, holds, array_of(x), array_of(y)) from None


@rule("elementwise", broadcasts=True, complex=True)
@linear_map()
def keep_where(g: Any, mask: Any) -> Any:
    """The slope is 1 where the mask is true, else 0.

    Multiplying by 0 would turn an infinite gradient into NaN, and `numpy.where` is
    slow. So for large arrays the bits are multiplied by 0 and 1, as integers.
    """
    if g.size < LARGE or g.dtype.itemsize > 8:
        return np.where(mask, g, 0.0)
    tracer = getattr(g, "tracer", None) or getattr(mask, "tracer", None)
    if tracer is not None:  # `compile` records this as one call (chapter 22)
        return tracer.function(kept, (g, mask), {})
    return kept(g, mask)


def kept(g: Any, mask: Any, out: Any = None) -> Any:
    """Return g where a mask is true, else 0, for numbers of at most eight bytes."""
    kind = WHOLE[g.dtype.itemsize]
    d = np.empty_like(g) if out is None else out
    np.multiply(g.view(kind), mask, out=d.view(kind))
    return d


@operation(np.maximum)
def maximum(x: Any, y: Any) -> Tensor:
    """Return the larger of two numbers; NaN if either is NaN."""
    return larger(np.maximum, x, y)


def larger(function: Any, x: Any, y: Any) -> Tensor:
    """Apply a function that returns the larger of two arrays' numbers."""
    return binary(function, x, unless_less, Saved(x, y), y, unless_less, Saved(y, x))


@operation(np.minimum)
def minimum(x: Any, y: Any) -> Tensor:
    """Return the smaller of two numbers; NaN if either is NaN."""
    return smaller(np.minimum, x, y)


def smaller(function: Any, x: Any, y: Any) -> Tensor:
    """Apply a function that returns the smaller of two arrays' numbers."""
    return binary(function, x, unless_less, Saved(y, x), y, unless_less, Saved(x, y))


@rule("elementwise", broadcasts=True)
def unless_less(g: Any, saved: Any) -> Any:
    """The slope is 1, ½ where the two numbers are equal, 0 where the first is less."""
    x, y = saved
    d, equal = keep_where(g, ~(x < y)), x == y
    return np.where(equal, 0.5 * d, d) if np.any(equal) else d


@operation(np.fmax)
def fmax(x: Any, y: Any) -> Tensor:
    """Return the larger of two numbers; if one is NaN, the other."""
    return binary(np.fmax, x, unless_nan, Saved(x, x, y), y, unless_nan, Saved(y, y, x))


@operation(np.fmin)
def fmin(x: Any, y: Any) -> Tensor:
    """Return the smaller of two numbers; if one is NaN, the other."""
    return binary(np.fmin, x, unless_nan, Saved(x, y, x), y, unless_nan, Saved(y, x, y))


@rule("elementwise", broadcasts=True)
def unless_nan(g: Any, saved: Any) -> Any:
    """The slope is 0 where the operand is NaN, otherwise that of `unless_less`."""
    operand, *two = saved
    return keep_where(unless_less(g, two), ~np.isnan(operand))


@operation(np.clip)
def clip(
    x: Any, a_min: Any = None, a_max: Any = None, *, min: Any = None, max: Any = None
) -> Tensor:
    """Return the numbers, with those beyond a bound replaced by the bound.

    It is ``minimum(maximum(x, a_min), a_max)``, so a number that equals a bound shares
    the gradient with it. The bounds may be tensors, and get gradients.

    Args:
        x: the numbers.
        a_min: the lower bound, or None.
        a_max: the upper bound, or None; it wins where the two contradict.
        min: another name of `a_min`.
        max: another name of `a_max`.

    Raises:
        ValueError: if a bound is given under both names.
    """
    for name, one, other in (("min", a_min, min), ("max", a_max, max)):
        if one is not None and other is not None:
            raise ValueError(f"clip: a_{name} and {name} are the same; give one")
    low, high = a_min if min is None else min, a_max if max is None else max
    y = x if low is None else larger(at_least, x, low)
    y = y if high is None else smaller(at_most, y, high)
    return unary(np.positive, x, identity, None) if y is x else y


def at_least(a: Any, bound: Any) -> Any:
    """Return arrays clipped from below."""
    return np.maximum(a, bound)


def at_most(a: Any, bound: Any) -> Any:
    """Return arrays clipped from above."""
    return np.minimum(a, bound)


@operation(np.absolute)
def absolute(x: Any) -> Tensor:
    """Return the absolute value. Its slope at 0 is 0."""
    complex_one = isinstance(x, Tensor) and x.dtype.kind == "c"
    return unary(np.absolute, x, by_direction if complex_one else by_sign, x)


@rule("elementwise", complex=True)
def by_direction(g: Any, z: Any) -> Any:
    """d|z| = Re(z̄/|z|·dz), and 0 at 0."""
    size: Any = np.abs(z)
    return g * with_kink(z.conj() / (size + (array_of(size) == 0)), size)


@operation(np.fabs)
def fabs(x: Any) -> Tensor:
    """Return |x| as a floating-point number. Its slope at 0 is 0."""
    return unary(np.fabs, x, by_sign, x)


@operation(np.copysign)
def copysign(x: Any, y: Any) -> Tensor:
    """Return |x| with the sign of y; 0 has a sign too. The slope at x = 0 is 0."""
    return binary(np.copysign, x, by_signs, Saved(x, y), y, by_no_slope, None)


@rule("elementwise", broadcasts=True)
def by_signs(g: Any, saved: Any) -> Any:
    """The slope is 1 where x and y have the same sign, -1 where not, 0 where x is 0."""
    x, y = map(array_of, saved)
    slope = np.sign(x) * np.copysign(g.dtype.type(1), y)
    size = np.broadcast_to(saved[0], slope.shape)
    return g * with_kink(slope, size, flat_at_kink(g, size))


@rule("elementwise", broadcasts=True)
def by_no_slope(g: Any, _: None) -> Any:
    """A sign is constant except at jumps, so the slope is 0."""
    return g * 0.0


def flat_at_kink(g: Any, x: Any) -> Any:
    """Return where x is 0 and the gradient g, in a recorded rule, happens to be 0.

    There a function of |x| may be smooth, such as its square, and its second
    derivative does not follow from that of |x|, which is 0 on both sides.
    """
    if isinstance(g, Tensor) and g.node is not None:
        return (array_of(x) == 0) & (g._array == 0)
    return False


@rule("elementwise")
def by_sign(g: Any, x: Any) -> Any:
    """The slope is the sign of x, which is 0 at 0."""
    return g * with_kink(np.sign(x), x, flat_at_kink(g, x))


@operation(np.nan_to_num)
def nan_to_num(
    x: Any,
    copy: bool = True,
    nan: Any = 0.0,
    posinf: Any = None,
    neginf: Any = None,
) -> Tensor:
    """Replace NaN and infinities by numbers, which get no gradient.

    Args:
        x: the numbers.
        copy: must be True.
        nan: the replacement for NaN.
        posinf: the replacement for ∞, by default the largest number.
        neginf: the replacement for -∞, by default the most negative number.

    Raises:
        ValueError: if `copy` is False.
    """
    if not copy:
        raise ValueError(
            "nan_to_num: copy=False would write over an array without a record; "
            "assign the result instead"
        )

    def replace(a: Any) -> Any:
        return np.nan_to_num(a, nan=nan, posinf=posinf, neginf=neginf)

    return unary(replace, x, where_finite, x)


@rule("elementwise")
def where_finite(g: Any, x: Any) -> Any:
    """The slope is 1 where x was finite, else 0."""
    return keep_where(g, np.isfinite(x))
