"""Learning rates that change with the step (chapter 18)."""

from __future__ import annotations

import math
from collections.abc import Callable

from autograd_lib.nn.arguments import real, whole


def warmup_cosine(warmup: int, total: int, last: float = 0.0) -> Callable[[int], float]:
    """Return a schedule: a function of the step, from 0, whose value multiplies lr.

    It rises in a line to 1 in `warmup` steps, and falls along half a cosine to `last`
    at step `total`, where it stays.

    Raises:
        TypeError: if `warmup` or `total` is not a whole number.
        ValueError: if `warmup` is negative, `total` not above it, or `last` not from 0
            to 1.

    >>> factor = warmup_cosine(10, 110)
    >>> [round(factor(step), 2) for step in (0, 9, 10, 60, 110)]
    [0.1, 1.0, 1.0, 0.5, 0.0]
    """
    start = whole("warmup_cosine: warmup", warmup, least=0)
    end = whole("warmup_cosine: total", total, least=start + 1)
    low = real("warmup_cosine: last", last, lambda x: 0 <= x <= 1, "from 0 to 1")

    def factor(step: int) -> float:
        if step < start:
            return (step + 1) / start
        way = min(1.0, (step - start) / (end - start))
        return low + (1 - low) * (1 + math.cos(math.pi * way)) / 2

    return factor
