"""Angles in degrees and in radians (chapter 10)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_lib.engine.numpy.protocol import operation
from autograd_lib.engine.ops.arithmetic import times
from autograd_lib.engine.tape.record import unary
from autograd_lib.engine.tape.tensor import Tensor

RADIANS_PER_DEGREE = math.pi / 180.0
DEGREES_PER_RADIAN = 180.0 / math.pi


@operation(np.deg2rad)
@operation(np.radians)
def radians(x: Any) -> Tensor:
    """Return angles in radians, for angles in degrees."""
    return unary(np.radians, x, times, RADIANS_PER_DEGREE)


@operation(np.rad2deg)
@operation(np.degrees)
def degrees(x: Any) -> Tensor:
    """Return angles in degrees, for angles in radians."""
    return unary(np.degrees, x, times, DEGREES_PER_RADIAN)
