"""A tanh with one mistake (chapter 04): look at it only when the page does."""

from __future__ import annotations

import math
from typing import Any


def tanh(s: Any) -> Any:
    """Return the hyperbolic tangent of a number of the engine."""
    return type(s)(math.tanh(s.data), [(s, 1 - s.data**2)])
