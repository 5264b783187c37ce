"""Where a call comes from: a source line, and the VJP in a backward pass (chapter 22).

It is read from Python's stack frames. In a backward pass it is the line that made the
node which is being processed.
"""

from __future__ import annotations

import linecache
import sys
from types import CodeType, FrameType
from typing import Any

import numpy as np

from autograd_lib.engine import arrays
from autograd_lib.engine.joint import returned, send
from autograd_lib.engine.numpy import conversion
from autograd_lib.engine.tape import tensor
from autograd_lib.engine.tape.node import name_of
from autograd_lib.engine.tape.walk import Pass
from autograd_lib.program.core.ir import Line, Origin, Value

LIBRARY = ("autograd_lib.", "numpy", "contextlib", "functools", "book_live.")
WALKS = (Pass.hand_over.__code__, returned.__code__, send.__code__)
SILENT = ("autograd_lib.program.", conversion.__name__, arrays.__name__, "numpy")
RECORDING = "autograd_lib.program.calls.recorded_run"
OF_TEXTS = ("autograd_lib.engine.numpy.", tensor.__name__, "dataclasses", "reprlib")
TEXTS = (*SILENT, *OF_TEXTS)


def module_of(frame: FrameType) -> str:
    """Return the name of the module whose code a frame runs."""
    return str(frame.f_globals.get("__name__", ""))


def is_readers(frame: FrameType) -> bool:
    """Return whether a frame runs the user's code.

    Code without a file, such as a cell of a live page, counts if its lines are known.
    """
    name = frame.f_code.co_filename
    has_lines = name[0] != "<" or name in linecache.cache
    return has_lines and not module_of(frame).startswith(LIBRARY)


def asked_by_library() -> bool:
    """Return whether the library itself asks for a number, such as for validation."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if not module_of(frame).startswith(SILENT):
            return module_of(frame).startswith("autograd_lib.")
        frame = frame.f_back
    return False


def asked_by_reader() -> bool:
    """Return whether the user's code asks for a repr, not a debugger or a message."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and (
        module_of(frame).startswith(TEXTS) or frame.f_code.co_filename == "<string>"
    ):  # the repr of a dataclass
        frame = frame.f_back
    if frame is None or not is_readers(frame):
        return False
    top = module_of(frame).partition(".")[0]
    installed = "site-packages" in frame.f_code.co_filename
    return top == "__main__" or not (installed or top in sys.stdlib_module_names)


def where() -> str:
    """Return the current line of the recorded function, for messages."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not is_readers(frame):
        has_run = module_of(frame) == RECORDING
        frame = None if has_run else frame.f_back
    if frame is None:
        return ""
    text = text_of((frame.f_code.co_filename, frame.f_lineno))
    return f" in line {frame.f_lineno}, `{text}`"


def text_of(line: Line) -> str:
    """Return the text of a line."""
    return linecache.getline(*line).strip()


class Origins:
    """Keeps the source lines of nodes in a recording."""

    where, by_library = staticmethod(where), staticmethod(asked_by_library)
    by_reader = staticmethod(asked_by_reader)

    def __init__(self) -> None:
        self.nodes: dict[int, tuple[Any, Line | None, Value | None]] = {}
        self.behind: set[int] = set()  # ids of nodes from before the recording
        self.beyond = False  # whether a backward pass reached one of these
        self.outside: dict[str, Any] = dict(np.geterr())
        self.known: dict[int, str] = {}  # kinds of code, by its id
        self.codes: list[CodeType] = []  # which keeps ids valid
        self.lines: dict[Any, Origin] = {}  # origins of forward calls

    def made(self, t: Any) -> None:
        """Note a new tensor; registered as a watcher of the engine."""
        self.note_node(t.node, t._array)

    def note_node(self, node: Any, array: Any) -> None:
        """Note a node, and the traced array of its tensor."""
        value = array.seen[1] if hasattr(array, "seen") else None
        self.nodes[id(node)] = node, self.here().line, value

    def kind_of(self, frame: FrameType) -> str:
        """Note whether a frame's code is a "walk", the "reader's" or another's, ""."""
        code = frame.f_code
        kind = "walk" if code in WALKS else "reader's" if is_readers(frame) else ""
        self.codes.append(code)
        return self.known.setdefault(id(code), kind)

    def here(self) -> Origin:
        """Return the origin of the current call."""
        now: Any = np.geterr()
        errors: tuple[Any, ...] = ()
        if now != self.outside:
            errors = tuple((k, v) for k, v in now.items() if v != self.outside[k])
        frame: FrameType | None = sys._getframe(2)
        known = self.known.get
        while frame is not None:
            kind = known(id(frame.f_code))
            if kind is None:
                kind = self.kind_of(frame)
            if not kind:
                frame = frame.f_back
                continue
            if kind == "walk":
                found = frame.f_locals
                v = id(found.get("v"))
                _, line, _ = self.nodes.get(v, (None, None, None))
                self.beyond |= v in self.behind
                _, _, wrt = self.nodes.get(id(found.get("p")), (None, None, None))
                rule = found.get("rule")
                name = name_of(rule) if rule is not None else "accumulate"
                return Origin(line, name, wrt, errors)
            key = id(frame.f_code), frame.f_lineno, errors
            if key not in self.lines:
                line = frame.f_code.co_filename, frame.f_lineno
                self.lines[key] = Origin(line, errors=errors)
            return self.lines[key]
        return Origin(errors=errors)
