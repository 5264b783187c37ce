"""Run a few lines in another library, or show what they printed before (chapter 15).

A page must show the same with PyTorch, without it, and in a browser. So the output of
the other library is kept next to this module, in ``elsewhere.txt``, with the lines that
printed it and the library's version. If the library is installed, the lines are run,
and their output is compared with the kept one. `beside` shows it next to ours.

``python -m tools.transcripts`` writes the file.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import inspect
import io
import re
import textwrap
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_suffix(".txt")
LIBRARIES = {
    "torch": "PyTorch",
    "jax": "JAX",
    "autograd": "HIPS autograd",
    "tinygrad": "tinygrad",
}
"""The libraries that a page may run, by their import names."""

WIDTH = 76
ADDRESS = re.compile(r" at 0x[0-9a-f]+")
ENTRY = re.compile(r"(?m)^=== (\w+) · (\w+) (\S+)\n(.*?)^---\n(.*?)(?=^=== |\Z)", re.S)


@dataclass(frozen=True)
class Transcript:
    """The output of some lines in another library, as a notebook output.

    Attributes:
        name: the name of the function that contains the lines.
        library: the library's import name.
        version: the library's version.
        source: the function's source.
        text: its output, with warnings and the error that ended it, if any.
        remark: a note if this run differs from the kept one, or "".
    """

    name: str
    library: str
    version: str
    source: str
    text: str
    remark: str = ""

    def __repr__(self) -> str:
        head = f"{LIBRARIES[self.library]} {self.version}{self.remark}"
        return f"{head}\n{textwrap.indent(self.text, '  ')}".rstrip()

    @property
    def lines(self) -> list[str]:
        """The lines of the output."""
        return self.text.splitlines()


def elsewhere(function: Callable[..., Any]) -> Transcript:
    """Run a function with the library that its parameter names, and print the output.

    It is a decorator that returns the transcript. If the library is not installed, that
    is the kept one.

    Raises:
        TypeError: if the function doesn't have one parameter, named in `LIBRARIES`.
        LookupError: if the library is missing and nothing was kept.
    """
    shown = transcript_of(function)
    print(shown)  # noqa: T201 - a decorator has no other way to show something
    return shown


def transcript_of(function: Callable[..., Any]) -> Transcript:
    """Return the transcript that `elsewhere` prints, and raise as it does."""
    name, library = function.__name__, library_of(function)
    source, entry = source_of(function), kept().get(name)
    found = imported(library)
    if found is None:
        if entry is None:
            raise LookupError(
                f"{name}: {LIBRARIES[library]} is not installed here, and no "
                "transcript is kept"
            )
        changed = bool(source) and source != entry.source
        remark = " (kept from the book: your lines are others)" if changed else ""
        return Transcript(name, library, entry.version, source, entry.text, remark)
    shown = run(function, found)
    if entry is not None and entry.text == shown.text:
        # The same everywhere, even on a page made with another version.
        return Transcript(name, library, entry.version, source, entry.text)
    return shown


def run(function: Callable[..., Any], module: Any) -> Transcript:
    """Return the transcript of a function that is called with a library."""
    library = library_of(function)
    return Transcript(
        function.__name__,
        library,
        version_of(library),
        source_of(function),
        tidied(output_of(function, module)),
    )


def output_of(function: Callable[..., Any], *arguments: Any) -> str:
    """Return what a call prints, with the error that ended it, if any, and warnings."""
    out, end = io.StringIO(), ""
    with contextlib.redirect_stdout(out), warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            function(*arguments)
        except Exception as error:  # the page may show it on purpose
            end = f"{type(error).__name__}: {error}\n"
    notes = [f"{w.category.__name__}: {w.message}\n" for w in said]
    return "".join([out.getvalue(), end, *notes])


def tidied(text: str) -> str:
    """Return a text without addresses and trailing spaces, in lines of at most 76."""
    lines = []
    for line in ADDRESS.sub("", text).splitlines():
        space = line[: len(line) - len(line.lstrip())]
        lines += textwrap.wrap(
            line.strip(),
            WIDTH,
            initial_indent=space,
            subsequent_indent=space + "  ",
            break_long_words=False,
            break_on_hyphens=False,
        ) or [""]
    return "\n".join(lines).strip("\n")


def library_of(function: Callable[..., Any]) -> str:
    """Return the library that a function's only parameter names."""
    names = list(inspect.signature(function).parameters)
    if len(names) != 1 or names[0] not in LIBRARIES:
        raise TypeError(
            f"elsewhere: {function.__name__} must have one parameter, the name of a "
            f"library: {', '.join(LIBRARIES)}"
        )
    return names[0]


def source_of(function: Callable[..., Any]) -> str:
    """Return a function's source without its decorator, or "" if there is none."""
    try:
        source = textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        return ""
    return source[source.index("def ") :].rstrip() + "\n"


def imported(library: str) -> Any:
    """Return a library, or None if it is not installed."""
    try:
        return importlib.import_module(library)
    except ImportError:
        return None


def version_of(library: str) -> str:
    """Return the version of an installed library, without its build label."""
    return importlib.metadata.version(library).partition("+")[0]


@cache
def kept() -> dict[str, Transcript]:
    """Return the kept transcripts, by name."""
    text = FILE.read_text(encoding="utf-8")
    return {
        name: Transcript(name, library, version, source, shown.strip("\n"))
        for name, library, version, source, shown in ENTRY.findall(text)
    }


def as_text(transcripts: list[Transcript]) -> str:
    """Return transcripts as the text of the file."""
    return "\n".join(
        f"=== {t.name} · {t.library} {t.version}\n{t.source}---\n{t.text}\n"
        for t in transcripts
    )
