"""Code as people write it for NumPy, which knows nothing of gradients (chapter 08)."""

from __future__ import annotations

from typing import Any

import numpy as np


def swing(p: Any, t: Any) -> Any:
    """Return where a swing is at time t, by its size, decay, speed and phase."""
    size, decay, speed, phase = p
    return size * np.exp(-decay * t) * np.cos(speed * t + phase)
