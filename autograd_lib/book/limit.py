"""Stop code that takes too long, or calls what it must not (chapter 00).

In a browser there are neither threads nor signals. But Python calls a function before
every line that it runs, if it is asked to, and that function may look at the clock, and
at what is called. Only code that was typed is looked at line by line; of the library's
functions, and of Python's, no more than their beginning. What happens inside one call
into C, such as a product of huge matrices, cannot be stopped in this way; nor can, in
CPython 3.11, a loop that is a single jump, `while True: pass`, since no line of it ever
begins.
"""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, process_time
from types import CodeType, FrameType
from typing import Any

INSTALLED = (
    str(Path(__file__).parent.parent),
    *(sysconfig.get_paths()[name] for name in ("stdlib", "purelib", "platlib")),
    "<frozen",
)


class TookTooLong(BaseException):
    """Ends code that took too long. No `except Exception` of that code catches it."""


class Forbidden(BaseException):
    """Ends code that calls what it must not; its argument is the code of that."""


@contextmanager
def limited(seconds: float, forbidden: Collection[CodeType] = ()) -> Iterator[None]:
    """Run code for so many seconds at most, of work: waiting for others does not count.

    Where a debugger is at work nothing is limited: it uses the same way to look.

    Args:
        seconds: how long the code may work.
        forbidden: the code of functions that it must not call, however it gets them.

    Raises:
        TookTooLong: in the code, at the line that it has come to.
        Forbidden: in the code, at the call.
    """
    if sys.gettrace() is not None:
        yield
        return
    barred = set(map(id, forbidden))  # to compare code takes long, if it is done often
    end, end_of_work = perf_counter() + seconds, process_time() + seconds

    def look(frame: FrameType, event: str, argument: Any) -> Any:
        # The first clock is cheap to read, and never behind the second.
        if perf_counter() > end and process_time() > end_of_work:
            raise TookTooLong
        if event == "call" and id(frame.f_code) in barred:
            raise Forbidden(frame.f_code)
        installed = frame.f_code.co_filename.startswith(INSTALLED)
        return None if installed else look

    sys.settrace(look)
    try:
        yield
    finally:
        sys.settrace(None)
