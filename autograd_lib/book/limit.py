"""Stop code that takes too long, wherever Python runs (chapter 00).

In a browser there are neither threads nor signals. But Python calls a function before
every line that it runs, if it is asked to, and that function may look at the clock.
Only code that was typed is looked at line by line; of the library's functions, and of
Python's, no more than their beginning. What happens inside one call into C, such as a
product of huge matrices, cannot be stopped in this way; nor can, in CPython 3.11, a
loop that is a single jump, `while True: pass`, since no line of it ever begins.
"""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, process_time
from types import FrameType
from typing import Any

INSTALLED = (
    str(Path(__file__).parent.parent),
    *(sysconfig.get_paths()[name] for name in ("stdlib", "purelib", "platlib")),
    "<frozen",
)


class TookTooLong(BaseException):
    """Ends code that took too long. No `except Exception` of that code catches it."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Run code for so many seconds at most, of work: waiting for others does not count.

    Where a debugger is at work nothing is limited: it uses the same way to look.

    Raises:
        TookTooLong: in the code, at the line that it has come to.
    """
    if sys.gettrace() is not None:
        yield
        return
    end, end_of_work = perf_counter() + seconds, process_time() + seconds

    def look(frame: FrameType, event: str, argument: Any) -> Any:
        # The first clock is cheap to read, and never behind the second.
        if perf_counter() > end and process_time() > end_of_work:
            raise TookTooLong
        installed = frame.f_code.co_filename.startswith(INSTALLED)
        return None if installed else look

    sys.settrace(look)
    try:
        yield
    finally:
        sys.settrace(None)
