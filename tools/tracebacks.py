"""Tracebacks as pages show them: short, without colours and without absolute paths."""

from __future__ import annotations

import re
from pathlib import Path

from nbformat import NotebookNode

from notebooks.notebook import ROOT

LONGEST = 12
SHORTEST_HEAD = 6
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
INSTALLED = re.compile(
    r"(?:~|[A-Za-z]:)?[\\/][^\s:\"']*"
    r"(?:(?:site|dist)-packages|[\\/][Ll]ib[\\/]python3\.\d+|[\\/]Lib)[\\/]"
)


def tidy_errors(cell: NotebookNode, root: Path = ROOT) -> None:
    """Make the tracebacks in a cell's outputs independent of the machine."""
    for output in cell.outputs:
        if output.output_type == "error":
            text = "\n".join(output.traceback)
            output.traceback = tidy(text, output.evalue, root)


def tidy(text: str, message: str, root: Path = ROOT) -> list[str]:
    """Return the lines of a traceback, relative to `root` and cut in the middle.

    The beginning shows the reader's own line, and the end the whole message. If a
    frame fits, the cut comes after it; a blank line ends a frame.
    """
    text = INSTALLED.sub("", _relative(COLOUR.sub("", text), root))
    lines = text.splitlines()
    if len(lines) <= LONGEST:
        return lines
    tail = len(message.splitlines()) + 1
    head = max(LONGEST - tail - 1, SHORTEST_HEAD)
    kept = lines[:head]
    if "" in kept:
        kept = kept[: head - kept[::-1].index("") - 1]
    return [*kept, "      …", *lines[-tail:]]


def _relative(text: str, root: Path) -> str:
    places = [str(root)]
    if root.is_relative_to(Path.home()):
        places.append(str(Path("~") / root.relative_to(Path.home())))
    for place in places:
        text = text.replace(place + "/", "").replace(place + "\\", "")
    return text
