"""Stop code that takes too long, or calls forbidden functions (chapter 00).

In a browser there are neither threads nor signals. But Python can call a trace function
before every line that it runs, which may look at the clock and at what is called. Only
code that was typed is traced line by line; functions of the package and of installed
libraries are traced at their call only. A single call into C, such as a product of huge
matrices, cannot be stopped in this way. In CPython 3.11 no line of a loop that is a
single jump, `while True: pass`, ever begins; where there are signals, one ends it.
"""

from __future__ import annotations

import signal
import sys
import sysconfig
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import current_thread, main_thread
from time import perf_counter, process_time
from types import CodeType, FrameType
from typing import Any

INSTALLED = (
    str(Path(__file__).parent.parent),
    *(sysconfig.get_paths()[name] for name in ("stdlib", "purelib", "platlib")),
    "<frozen",
)


class TookTooLong(BaseException):
    """Ends code that took too long. No `except Exception` in that code catches it."""


class Forbidden(BaseException):
    """Ends code that calls a forbidden function; the argument is that one's code."""


@contextmanager
def limited(seconds: float, forbidden: Collection[CodeType] = ()) -> Iterator[None]:
    """Limit the CPU time of the code in a `with` block.

    There is no limit if a debugger is running, because it uses the trace function.

    Args:
        seconds: the CPU time that the code may use.
        forbidden: the code of functions that it must not call by any name.

    Raises:
        TookTooLong: in the code, at the line that is running.
        Forbidden: in the code, at the call.
    """
    if sys.gettrace() is not None:
        yield
        return
    barred = set(map(id, forbidden))  # comparing code objects takes long
    end, end_of_work = perf_counter() + seconds, process_time() + seconds

    def look(frame: FrameType, event: str, argument: Any) -> Any:
        # The first clock is cheap to read, and never behind the second.
        if perf_counter() > end and process_time() > end_of_work:
            raise TookTooLong
        if event == "call" and id(frame.f_code) in barred:
            raise Forbidden(frame.f_code)
        installed = frame.f_code.co_filename.startswith(INSTALLED)
        return None if installed else look

    without_alarm = alarm(seconds + 1.0)
    sys.settrace(look)
    try:
        yield
    finally:
        sys.settrace(None)
        without_alarm()


def alarm(seconds: float) -> Callable[[], None]:
    """Raise TookTooLong after some CPU time; return a function that prevents it.

    It takes a signal, which there is in the main thread, and not on all systems.
    """
    main = current_thread() is main_thread()
    if not main or not hasattr(signal, "setitimer"):
        return lambda: None

    def stop(number: int, frame: Any) -> None:
        raise TookTooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, max(seconds, 0.1))

    def prevent() -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)

    return prevent
