"""How the probe card talks to `Value` (chapter 08)."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lib.probes.card import Probe
from autograd_lib.value import Value


class OfValue(Probe):
    """Scalars in a graph that is data."""

    name = "Value"

    def leaf(self, array: np.ndarray) -> Any:
        """Return a Value; an array of several numbers is refused by it."""
        number: Any = array
        return Value(number)

    def write(self, leaf: Any, number: float) -> None:
        """Set the number."""
        leaf.data = number
