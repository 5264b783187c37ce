"""Of many groups of random programs, some are tried always and all weekly."""

from __future__ import annotations

from typing import Any

import pytest

EACH = 3


def few_always(groups: int) -> list[Any]:
    """Return the numbers of groups; all but each third run weekly."""
    return [
        pytest.param(i, marks=[pytest.mark.exhaustive] * (i % EACH > 0))
        for i in range(groups)
    ]
