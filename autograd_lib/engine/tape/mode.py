"""Whether calculations are recorded now: a switch (chapter 12).

Each thread has a switch of its own, and so has each task of asyncio. `no_grad` and
`enable_grad`, which turn it for a block, are in `leaves.grad_mode` (chapter 16).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_mode: ContextVar[bool] = ContextVar("grad_mode", default=True)
set_mode = _mode.set
is_recording = _mode.get  # a tenth of the price of a function around it


@contextmanager
def recording(wanted: bool) -> Iterator[None]:
    """Record within, or record nothing."""
    before = is_recording()
    set_mode(wanted)
    try:
        yield
    finally:
        set_mode(before)
