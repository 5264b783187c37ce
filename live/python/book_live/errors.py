"""Errors as the reader of a page needs them: without the frames of this kernel."""

from __future__ import annotations

import traceback
from types import TracebackType
from typing import Any

from book_live.outputs import Output


def error_output(error: BaseException) -> Output:
    """Return an error as an output of the notebook format."""
    return {
        "output_type": "error",
        "ename": type(error).__name__,
        "evalue": safe_str(error),
        "traceback": rendered(error),
    }


def safe_str(error: BaseException) -> str:
    """Return an error's text, whatever its `__str__` does."""
    try:
        return str(error)
    except Exception:
        return "(this error cannot be shown as text)"


def rendered(error: BaseException) -> list[str]:
    """Return the lines of the traceback, or what the error puts in its place."""
    own: Any = getattr(error, "_render_traceback_", None)
    if own is not None:
        return [str(line) for line in own()]
    frames = outside(error.__traceback__)
    text = "".join(traceback.format_exception(type(error), error, frames))
    return text.rstrip("\n").split("\n")


def outside(frames: TracebackType | None) -> TracebackType | None:
    """Drop the first frames, as long as they are this kernel's."""
    while frames and frames.tb_frame.f_globals.get("__package__") == __package__:
        frames = frames.tb_next
    return frames
