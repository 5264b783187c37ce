"""Slopes at kinks, and what they do not say (chapter 10).

At 0 a length has a kink, and its slope is 0 by convention. The slope jumps there, so it
has no slope of its own: a second derivative that is calculated from it would be finite
and wrong, such as 0 for the square of a length, which is smooth. It is NaN instead.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.engine.arrays import numpy
from autograd_lib.engine.rules import rule
from autograd_lib.engine.tape.record import result
from autograd_lib.engine.tape.tensor import Tensor


def with_kink(slope: Any, x: Any, where: Any = None) -> Any:
    """Return a slope that jumps where x is 0, or at other places.

    Args:
        slope: an array or a tensor, to which the shape of x broadcasts.
        x: what the slope depends on; if it is a tensor, in a recorded rule, the slope's
            own derivative with respect to it is NaN there.
        where: the places, by default where x is 0.
    """
    if not isinstance(x, Tensor):
        return slope
    jumps = x._array == 0 if where is None else where
    if not np.any(jumps):
        return slope
    shape = np.shape(jumps)
    x = x if x.shape == shape else np.broadcast_to(x, shape)
    return slope + result(numpy().zeros(shape, x.dtype), x, by_jump, jumps)


@rule("elementwise", complex=True)
def by_jump(g: Any, jumps: Any) -> Any:
    """The slope is NaN where there is a jump, else 0."""
    return np.where(jumps, g.dtype.type(np.nan), g.dtype.type(0)) + 0 * g
