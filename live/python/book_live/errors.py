"""Errors as IPython shows them in a notebook, without the frames of this kernel.

The page colours the lines.
"""

from __future__ import annotations

import linecache
import re
import sys
import timeit
import traceback
from collections.abc import Iterator
from pathlib import Path
from traceback import FrameSummary, TracebackException
from typing import Any

from book_live.outputs import Output

FOLDER = str(Path(__file__).parent)
ABSENT = (
    "{} is not part of this page: NumPy, Matplotlib, Graphviz and tqdm are. "
    "To use it, press Download and open the notebook in Jupyter."
)
CELL = re.compile(r"<cell ([^,>]+), run (\d+)>")
"""The name of a cell's code, which the kernel gives it."""
IN_FILE = re.compile(rf'  File "{CELL.pattern}"')
TITLE = "Traceback (most recent call last)"
WIDTH = 75
AROUND = 2
"""Lines of source that are shown before the one of a frame, and after it."""
ENDS = 5
"""Frames that are shown at both ends of a traceback that is longer."""
CAUSE = "The above exception was the direct cause of the following exception:"
CONTEXT = "During handling of the above exception, another exception occurred:"


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
    """Return the lines of the traceback, or those that the error gives in its place."""
    own: Any = getattr(error, "_render_traceback_", None)
    if own is not None:
        return [str(line) for line in own()]
    if isinstance(error, ModuleNotFoundError) and error.name:
        name = error.name.partition(".")[0]
        if name not in sys.modules and name not in sys.stdlib_module_names:
            error.add_note(ABSENT.format(name))
    whole = TracebackException.from_exception(error)
    without_own_frames(whole)
    if whole.exceptions:  # Python draws a group as a tree
        return "".join(whole.format()).rstrip("\n").split("\n")
    return list(lines(whole))


def without_own_frames(error: TracebackException | None) -> None:
    """Remove this kernel's frames from an error and from its causes."""
    if error is None:
        return
    outside = [f for f in error.stack if not is_own(f.filename)]
    error.stack = traceback.StackSummary.from_list(outside)
    without_own_frames(error.__cause__)
    without_own_frames(error.__context__)
    for inner in error.exceptions or ():
        without_own_frames(inner)


def is_own(filename: str) -> bool:
    """Return whether a file belongs to this kernel or to `timeit`."""
    return filename.startswith(FOLDER) or filename == timeit.__file__


def lines(error: TracebackException) -> Iterator[str]:
    """Yield the lines of an error, after those of its causes."""
    before = error.__cause__
    if before is None and not error.__suppress_context__:
        before = error.__context__
    if before is not None:
        yield from lines(before)
        yield from ("", CAUSE if error.__cause__ else CONTEXT, "")
    said = "".join(error.format_exception_only()).rstrip("\n").split("\n")
    if error.stack:  # a cell that cannot be parsed has no stack
        first = next(line for line in said if not line.startswith(" "))
        name = first.partition(":")[0].rpartition(".")[2]
        yield "-" * WIDTH
        yield name + TITLE.rjust(WIDTH - len(name))
        yield from stack_lines(error.stack)
    for line in said:
        yield IN_FILE.sub(r"Cell \1, run \2", line)


def stack_lines(stack: list[FrameSummary]) -> Iterator[str]:
    """Yield each frame's place and the lines around it; middle frames are left out."""
    middle = range(ENDS, len(stack) - ENDS)
    for number, frame in enumerate(stack):
        if number not in middle:
            yield from frame_lines(frame)
        elif number == middle.start:
            yield from (f"[… {len(middle)} more frames …]", "")


def frame_lines(frame: FrameSummary) -> Iterator[str]:
    """Yield the place of a frame and the lines around it."""
    cell = CELL.fullmatch(frame.filename)
    inside = "" if frame.name == "<module>" else f", in {frame.name}()"
    line = frame.lineno or 1
    if cell:
        yield f"Cell {cell[1]}, run {cell[2]}, line {line}{inside}"
    else:
        yield f"File {frame.filename}:{line}{inside}"
    source = linecache.getlines(frame.filename)
    for number in range(max(1, line - AROUND), min(len(source), line + AROUND) + 1):
        text = source[number - 1].rstrip()
        before = f"{number:>7}" if number != line else f"> {number}".rjust(7, "-")
        yield f"{before} {text}".rstrip()
    yield ""
