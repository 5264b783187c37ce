"""Errors as the reader of a page needs them: without the frames of this kernel."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from typing import Any

from book_live.outputs import Output

FOLDER = str(Path(__file__).parent)
ABSENT = (
    "{} is not part of this page: NumPy, Matplotlib, Graphviz and tqdm are. "
    "To use it, press Download and open the notebook in Jupyter."
)


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
    if isinstance(error, ModuleNotFoundError) and error.name:
        name = error.name.partition(".")[0]
        if name not in sys.modules and name not in sys.stdlib_module_names:
            error.add_note(ABSENT.format(name))
    whole = traceback.TracebackException.from_exception(error)
    without_own_frames(whole)
    return "".join(whole.format()).rstrip("\n").split("\n")


def without_own_frames(error: traceback.TracebackException | None) -> None:
    """Drop this kernel's frames, in an error and in those that it came from."""
    if error is None:
        return
    outside = [f for f in error.stack if not f.filename.startswith(FOLDER)]
    error.stack = traceback.StackSummary.from_list(outside)
    without_own_frames(error.__cause__)
    without_own_frames(error.__context__)
    for inner in error.exceptions or ():
        without_own_frames(inner)
