"""The switch that says whether operations are recorded (chapter 09).

Each thread and each asyncio task has its own. `no_grad` and `enable_grad`, which set it
for a block, are in `leaves.grad_mode` (chapter 13).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_mode: ContextVar[Any] = ContextVar("grad_mode", default=True)
set_mode = _mode.set
is_recording = _mode.get  # a function around it would take ten times as long


@contextmanager
def recording(wanted: bool) -> Iterator[None]:
    """Record operations inside the block, or don't."""
    before = is_recording()
    set_mode(wanted)
    try:
        yield
    finally:
        set_mode(before)
