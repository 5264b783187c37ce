"""The outputs of a cell in the notebook format, sent while the cell runs."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from typing import Any

Output = dict[str, Any]
Send = Callable[[Output], None]

PACE = 0.05
"""Seconds between two messages of one stream: a page cannot show more anyway."""
LIMIT = 500_000
"""Characters of one cell's streams; a loop that prints for ever would fill the page."""
LINES = 2_000
"""Lines of one cell's streams: more would make the page longer than anybody scrolls."""
MORE = "\n… and more, which is not shown.\n"


class Outputs:
    """Sends the outputs of the running cell, in order.

    Args:
        send: takes one output, in the notebook format.
    """

    def __init__(self, send: Send) -> None:
        self.send = send
        self.written = 0
        self.lines = 0
        self.waiting: list[str] = []
        self.stream = ""
        self.sent = 0.0

    def begin(self) -> None:
        """Begin with a new cell."""
        self.flush()
        self.written = self.lines = 0

    def write(self, stream: str, text: str) -> None:
        """Write to the stream "stdout" or "stderr"."""
        if stream != self.stream:
            self.flush()
            self.stream = stream
        if self.is_full():
            return
        self.written += len(text)
        self.lines += text.count("\n")
        full = self.is_full()
        self.waiting.append(self.last_part(text) + MORE if full else text)
        if full or time.monotonic() - self.sent > PACE:
            self.flush()

    def is_full(self) -> bool:
        """Whether the outputs of the cell have reached the limit of a page."""
        return self.written > LIMIT or self.lines > LINES

    def last_part(self, text: str) -> str:
        """Return the end of a text that went beyond the limit."""
        lines = text.splitlines(keepends=True)
        room = max(0, LINES - self.lines + text.count("\n"))
        return "".join(lines[:room])[:1000]

    def flush(self) -> None:
        """Send the text that waits."""
        text = "".join(self.waiting)
        self.waiting.clear()
        if text:
            self.send({"output_type": "stream", "name": self.stream, "text": text})
            self.sent = time.monotonic()

    def put(self, output: Output) -> None:
        """Send an output that is not part of a stream."""
        self.flush()
        self.send(output)


class Stream(io.TextIOBase):
    """A file such as `sys.stdout` whose text becomes output of the page."""

    encoding = "utf-8"
    errors = "strict"

    def __init__(self, outputs: Outputs, name: str) -> None:
        self.outputs = outputs
        self.name = name

    def writable(self) -> bool:
        """Return True, as a file for writing does."""
        return True

    def write(self, text: str) -> int:
        """Write text; return how many characters."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self.outputs.write(self.name, text)
        return len(text)

    def flush(self) -> None:
        """Do nothing: a bar that flushes at each step would flood the page."""
