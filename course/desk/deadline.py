"""A deadline for the judge's own work, such as reading a file that was handed in."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

AGAIN = 1.0  # seconds to the next alarm, if what is read catches the first


class TookTooLong(BaseException):
    """Raised after the deadline. No `except Exception` of a library catches it."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Bound the time of work inside; only for the main thread of a program.

    Raises:
        TookTooLong: inside, after so many seconds of this process's work.
    """

    def ring(*_: Any) -> None:
        raise TookTooLong

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
